import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isUserError } from '../../../src/core/errors.ts';
import { memoryModes, noPreset } from '../../../src/core/presets.ts';
import { editPresets } from '../../../src/memory/presetEdits.ts';
import { defaultPresets, normalisePresets } from '../../../src/memory/presets.ts';

const normal = (value: unknown) => normalisePresets(value, 'dev');
const ids = (value: unknown) => normal(value)?.items.map(({ id }) => id);

test('presets that come with us: none is active, ids are of one mode only', () => {
  const sets = memoryModes.map(defaultPresets);
  assert.deepEqual(
    sets.map(({ active, items }) => [active, items[0]?.id, items.every(({ builtin }) => builtin)]),
    memoryModes.map(() => ['none', 'none', true]),
  );
  const own = sets.flatMap(({ items }) => items.slice(1).map(({ id }) => id));
  assert.equal(new Set(own).size, own.length);
  for (const mode of memoryModes)
    assert.deepEqual(normalisePresets(defaultPresets(mode), mode), defaultPresets(mode));
});

test('presets: what is no set', () => {
  for (const value of [undefined, null, 3, 'x', [], {}, { items: {} }])
    assert.equal(normal(value), undefined);
  assert.deepEqual(normal({ items: [] }), { active: 'none', items: [noPreset] });
});

test('presets: explicit ids come before those that are filled in', () => {
  const items = [{ name: 'a' }, { id: 'preset-1', name: 'b' }, { id: 'preset-1', name: 'c' }];
  const set = normal({ active: 'preset-1', items });
  assert.deepEqual(
    set?.items.slice(1).map(({ id, name }) => `${id} ${name}`),
    ['preset-2 a', 'preset-1 b', 'preset-3 c'],
  );
  assert.equal(set?.active, 'preset-1');
});

test('presets: rows are trimmed, cut by code point, and left out when they say nothing', () => {
  const set = normal({
    active: 'gone',
    items: [
      { id: ' x ', name: ' two\nlines ', content: ` ${'𝒳'.repeat(4001)}` },
      { id: 'y', name: ' ', content: '\n' },
      { id: 'z', content: 'text', builtin: true },
      { id: 'n'.repeat(90), name: '𝒳'.repeat(90) },
      { id: 'none', name: 'Mine' },
      'no row',
      { id: 4, name: 7, content: 'numbers' },
    ],
  });
  assert.deepEqual(
    set?.items
      .slice(1)
      .map(({ id, name, content, builtin }) => [
        id,
        [...name].length,
        [...content].length,
        builtin,
      ]),
    [
      ['x', 9, 4000, false],
      ['z', 8, 4, false],
      ['preset-1', 80, 0, false],
      ['preset-2', 8, 7, false],
    ],
  );
  assert.equal(set?.items[1]?.name, 'two lines');
  assert.equal(set?.active, 'none');
});

test('presets: fifty at most, and whether one is ours is not for the file to say', () => {
  const many = Array.from({ length: 60 }, (_, n) => ({ id: `p${n}`, name: `${n}`, builtin: true }));
  assert.equal(ids({ items: many })?.length, 51);
  const ours = { id: 'dev-sketch', name: 'Edited', builtin: false };
  assert.deepEqual(
    normal({ items: [ours, ...many] })
      ?.items.slice(0, 3)
      .map(({ builtin }) => builtin),
    [true, true, false],
  );
});

test('presets are used, added, edited, duplicated, removed and brought back', () => {
  let set = defaultPresets('dev');
  const count = set.items.length;
  set = editPresets(set, { act: 'use', preset: 'small steps' }, 'dev');
  assert.equal(set.active, 'dev-small-steps');
  set = editPresets(set, { act: 'edit', preset: 'dev-small-steps', content: 'Mine.' }, 'dev');
  set = editPresets(set, { act: 'duplicate', preset: 'dev-small-steps' }, 'dev');
  set = editPresets(set, { act: 'add', name: 'Own', content: 'text' }, 'dev');
  assert.deepEqual(
    set.items.slice(count).map(({ id, name, content, builtin }) => [id, name, content, builtin]),
    [
      ['preset-1', 'Small steps (copy)', 'Mine.', false],
      ['preset-2', 'Own', 'text', false],
    ],
  );
  set = editPresets(set, { act: 'remove', preset: 'dev-small-steps' }, 'dev');
  assert.equal(set.active, 'none');
  set = editPresets(set, { act: 'restore' }, 'dev');
  assert.equal(set.items.at(-1)?.id, 'dev-small-steps');
  assert.notEqual(set.items.at(-1)?.content, 'Mine.');
});

test('presets: what cannot be done is said', () => {
  const set = defaultPresets('dev');
  const fails = (code: 'usage' | 'notFound', edit: Parameters<typeof editPresets>[1], of = set) =>
    assert.throws(
      () => editPresets(of, edit, 'dev'),
      (error) => isUserError(error, code),
    );
  fails('notFound', { act: 'use', preset: 'nothing' });
  fails('usage', { act: 'remove', preset: 'none' });
  fails('usage', { act: 'edit', preset: 'none', content: 'x' });
  fails('usage', { act: 'add', name: ' ', content: 'x' });
  fails('usage', { act: 'add', name: 'x', content: 'x'.repeat(4001) });
  const twice = editPresets(set, { act: 'add', name: 'Quick sketch', content: '' }, 'dev');
  fails('usage', { act: 'use', preset: 'quick sketch' }, twice);
  const items = Array.from({ length: 50 }, (_, n) => ({ id: `p${n}`, name: `${n}` }));
  const full = normal({ items });
  assert.ok(full);
  fails('usage', { act: 'add', name: 'x', content: 'x' }, full);
});
