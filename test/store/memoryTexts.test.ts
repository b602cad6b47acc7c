/** What editors of memory read and write, over a real store. */
import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { UserError } from '../../src/core/errors.ts';
import { readMemorySight } from '../../src/extension/memorySight.ts';
import { MemoryTexts } from '../../src/extension/memoryTexts.ts';
import { agent, MemoryWorld, person, withCode } from '../helpers/memoryWorld.ts';
import { plainLocalizer as l10n } from '../helpers/plainLocalizer.ts';

function textsOf(world: MemoryWorld): MemoryTexts {
  return new MemoryTexts({
    app: async () => world.app,
    root: (name) => {
      if (name === '') return null;
      if (name === world.root) return world.root;
      throw new UserError('notFound', 'elsewhere');
    },
    l10n,
  });
}

test('editors of memory: a note is saved through the app, which refuses what it must', async () => {
  await using world = await MemoryWorld.make();
  const texts = textsOf(world);
  await world.save('Style', 'Tabs.');
  const style = { kind: 'note', root: world.root, scope: 'project', name: 'Style' } as const;
  assert.equal(await texts.read(style), 'Tabs.');
  await texts.write(style, 'Spaces.\n', 'Tabs.');
  assert.equal(await texts.read(style), 'Spaces.');
  assert.equal((await world.memory.history(world.root, 'Style')).length, 2);

  await assert.rejects(texts.write(style, 'Mine.', 'Tabs.'), withCode('conflicts'));
  const secret = `Key: ghp_${'a1B2'.repeat(9)}`;
  await assert.rejects(texts.write(style, secret, 'Spaces.'), withCode('secret'));
  assert.equal(await texts.read(style), 'Spaces.');
  await assert.rejects(texts.read({ ...style, root: '/elsewhere' }), withCode('notFound'));
  await assert.rejects(texts.read({ ...style, name: 'Gone' }), withCode('notFound'));
});

test('editors of memory: a portrait is written as memory, nothing else in the folder or outside', async () => {
  await using world = await MemoryWorld.make();
  const texts = textsOf(world);
  const context = await world.app.memoryContext();
  const portrait = { kind: 'file', file: context.portraitFile() } as const;
  assert.equal(await texts.read(portrait), '');
  await texts.write(portrait, 'Short answers.\n', '');
  assert.equal(fs.readFileSync(portrait.file, 'utf8'), 'Short answers.\n');
  assert.equal(fs.statSync(portrait.file).mode & 0o077, process.platform === 'win32' ? 0o066 : 0);
  fs.writeFileSync(portrait.file, 'By hand.\n');
  await assert.rejects(texts.write(portrait, 'Lost.\n', 'Short answers.\n'), withCode('conflicts'));
  const sight = await readMemorySight(world.app, world.root);
  assert.deepEqual(
    sight.portraits.map(({ file }) => file),
    [portrait.file],
  );
  for (const file of [
    path.join(world.memoryFolder, 'settings.json'),
    path.join(world.folder, 'x.md'),
    path.join(world.memoryFolder, 'portrait', '..', '..', 'x.md'),
  ]) {
    await assert.rejects(texts.read({ kind: 'file', file }), withCode('outsideRoot'));
    await assert.rejects(texts.write({ kind: 'file', file }, 'x', ''), withCode('outsideRoot'));
  }
});

test('editors of memory: presets are edited, and none stays none', async () => {
  await using world = await MemoryWorld.make();
  const texts = textsOf(world);
  const context = await world.app.memoryContext();
  const { set, mode } = await context.editPresets({ act: 'add', name: 'Terse', content: '' });
  const { id = '' } = set.items.at(-1) ?? {};
  const preset = { kind: 'preset', mode, preset: id } as const;
  await texts.write(preset, 'One sentence.', '');
  assert.equal(await texts.read(preset), 'One sentence.');
  const none = { ...preset, preset: 'none' };
  assert.deepEqual(await Promise.all([preset, none].map((each) => texts.isEditable(each))), [
    true,
    false,
  ]);
});

test('editors of memory: what waits is shown beside what it replaces, and may be edited first', async () => {
  await using world = await MemoryWorld.make();
  const texts = textsOf(world);
  await world.save('Style', 'Tabs.');
  world.memory.setAgentWrites('ask');
  const result = await world.save('Style', 'Spaces.', 'project', agent);
  assert.equal(result.kind, 'staged');
  const id = result.kind === 'staged' ? result.pending.id : '';
  const waiting = { kind: 'waiting', root: world.root, id } as const;
  const replaced = { ...waiting, kind: 'replaced' } as const;
  assert.deepEqual(
    [await texts.read(replaced), await texts.read(waiting), await texts.isEditable(replaced)],
    ['Tabs.', 'Spaces.', false],
  );
  await texts.write(waiting, 'Two spaces.', 'Spaces.');
  assert.equal(texts.draft(id), 'Two spaces.');
  assert.equal(await texts.read(waiting), 'Two spaces.');
  assert.equal((await world.memory.show(world.root, 'Style')).body, 'Tabs.', 'still inert');
  await world.memory.approve(id, { body: texts.draft(id) });
  texts.dropDraft(id);
  await assert.rejects(texts.read(waiting), withCode('notFound'));
  const removal = await world.forget('Style', 'project', agent);
  const other = removal.kind === 'staged' ? removal.pending.id : '';
  assert.equal(await texts.isEditable({ ...waiting, id: other }), false);
});

test('editors of memory: versions and moments are read only, and facts say who set them', async () => {
  await using world = await MemoryWorld.make();
  const texts = textsOf(world);
  await world.save('Style', 'Tabs.');
  await world.memory.edit(world.root, 'Style', { body: 'Spaces.' });
  const [newest] = await world.memory.history(world.root, 'Style');
  const version = {
    kind: 'version',
    root: world.root,
    name: 'Style',
    scope: 'project',
    touch: newest!.touch.id,
  } as const;
  assert.match(await texts.read({ ...version, side: 'before' }), /Tabs\.$/m);
  assert.match(await texts.read({ ...version, side: 'after' }), /Spaces\.$/m);
  await assert.rejects(texts.write({ ...version, side: 'after' }, 'x', ''), withCode('refused'));
  await world.memory.write(
    world.root,
    { act: 'setFact', scope: 'profile', key: 'editor', value: 'vi' },
    person,
  );
  const sight = await readMemorySight(world.app, world.root);
  assert.deepEqual(sight.factOrigins.get('profile editor'), { actor: 'person' });
  const elsewhere = await readMemorySight(world.app, null);
  assert.deepEqual([elsewhere.notes, elsewhere.waiting], [[], []]);
});
