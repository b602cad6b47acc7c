/** Hooks in and out of a thousand made-up files: blanks, comments and trailing commas anywhere, hooks of others and old ones of ours. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { addHooks, hasHooks, removeHooks, settingsIn } from '../../../src/agents/hookFile.ts';
import { takeBack } from '../../../src/agents/jsonText.ts';

type Settings = Record<string, unknown> & { hooks?: Record<string, Group[]> };
interface Group {
  readonly matcher?: string;
  readonly hooks: readonly { readonly command: string }[];
}

const ours = (version: string) => ({ command: `"/${version}/memcode-timeline" hook x || true` });
const wanted = {
  Start: { hooks: [ours('new')] as const },
  Tool: { matcher: 'a|b', hooks: [ours('new')] as const },
};

test('random files', () => {
  for (let seed = 1; seed <= 1000; seed++) {
    const random = generator(seed);
    const model = randomSettings(random);
    const text = print(model, random);
    assert.deepEqual(settingsIn(text, 'f'), model, `seed ${seed}: the printer`);

    const added = addHooks(text, wanted, 'f');
    const label = `seed ${seed}:\n${text}\n--->\n${added.text}`;
    assert.equal(takeBack(added.text, added.undo), text, label);
    assert.equal(addHooks(added.text, wanted, 'f').text, added.text, label);
    assert.deepEqual(foreign(settingsIn(added.text, 'f')), foreign(model), label);
    assert.deepEqual(own(settingsIn(added.text, 'f')), { Start: 1, Tool: 1 }, label);

    const removed = removeHooks(added.text, 'f');
    assert.ok(!hasHooks(removed.text, 'f'), label);
    assert.deepEqual(foreign(settingsIn(removed.text, 'f')), foreign(model), label);
    if (own(model) === undefined) assert.deepEqual(comments(removed.text), comments(text), label);
  }
});

type Random = (below: number) => number;

/** Mulberry32. */
function generator(seed: number): Random {
  let state = seed;
  return (below) => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below;
  };
}

function randomSettings(random: Random): Settings {
  const settings: Settings = {};
  for (let i = random(3); i > 0; i--) settings[`k${i}`] = [1, '//no', { a: [] }, []][random(4)];
  if (random(3) === 0) return settings;
  settings.hooks = {};
  for (const event of ['Start', 'Tool', 'Other'].slice(random(3))) {
    const groups: Group[] = [];
    for (let i = random(3); i > 0; i--) {
      const hooks = [];
      for (let j = 1 + random(2); j > 0; j--) {
        hooks.push(random(4) === 0 ? ours('old') : { command: `theirs ${random(9)}` });
      }
      groups.push(random(2) === 0 ? { hooks } : { matcher: 'm', hooks });
    }
    settings.hooks[event] = groups;
  }
  if (random(2) === 0) settings['last'] = true;
  return settings;
}

/** Valid JSON with comments, in a style that changes from value to value. */
function print(value: unknown, random: Random): string {
  const isLine = random(4) === 0;
  const gap = (): string => {
    const kinds = isLine
      ? ['', ' ', '/* c */']
      : ['', ' ', '\n', '\n  ', '\n\t', '/* c */ ', '// c\n', ' // c\n  '];
    return kinds[random(kinds.length)] ?? '';
  };
  const render = (item: unknown): string => {
    if (typeof item !== 'object' || item === null) return JSON.stringify(item);
    const parts = Array.isArray(item)
      ? item.map(render)
      : Object.entries(item).map(
          ([key, inner]) => `${JSON.stringify(key)}${gap()}:${gap()}${render(inner)}`,
        );
    const inside = parts.map((part) => gap() + part + gap()).join(',');
    const comma = parts.length > 0 && random(4) === 0 ? `,${gap()}` : '';
    const [open, close] = Array.isArray(item) ? '[]' : '{}';
    return `${open}${inside || gap()}${comma}${close}`;
  };
  return gap() + render(value) + gap();
}

/** Without hooks of ours and whatever is empty then. */
function foreign(value: unknown): unknown {
  const settings = structuredClone(value) as Settings;
  const { hooks = {}, ...rest } = settings;
  const kept = Object.entries(hooks).flatMap(([event, groups]) => {
    const left = groups
      .map((group) => ({ ...group, hooks: group.hooks.filter(({ command }) => !isOurs(command)) }))
      .filter((group) => group.hooks.length > 0);
    return left.length > 0 ? [[event, left] as const] : [];
  });
  return { ...rest, hooks: Object.fromEntries(kept) };
}

/** Event -> how many hooks of ours. */
function own(value: unknown): Record<string, number> | undefined {
  const counts = Object.entries((value as Settings).hooks ?? {}).flatMap(([event, groups]) => {
    const count = groups.flatMap(({ hooks }) => hooks).filter(({ command }) => isOurs(command));
    return count.length > 0 ? [[event, count.length] as const] : [];
  });
  return counts.length > 0 ? Object.fromEntries(counts) : undefined;
}

const isOurs = (command: string): boolean => command.includes('memcode-timeline');

function comments(text: string): readonly string[] {
  return text.match(/\/\/ c|\/\* c \*\//g) ?? [];
}
