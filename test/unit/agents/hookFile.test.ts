/** Hooks go into configuration files of every style and come out again, byte for byte. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { hookCommand } from '../../../src/agents/hookCommand.ts';
import { hookConfigs } from '../../../src/agents/hookConfigs.ts';
import { addHooks, hasHooks, removeHooks, settingsIn } from '../../../src/agents/hookFile.ts';
import { takeBack } from '../../../src/agents/jsonText.ts';
import { isUserError } from '../../../src/core/errors.ts';

const file = '/home/user/settings.json';
const groupsFor = (launcher: string) => {
  const [config] = hookConfigs;
  assert.ok(config && 'groups' in config);
  return config.groups(hookCommand('claude', launcher, 'linux'));
};
const wanted = groupsFor('/home/user/bin/memcode-timeline');
const other = { matcher: 'Bash', hooks: [{ type: 'command', command: 'their-hook' }] };

const styles: Readonly<Record<string, string>> = {
  empty: '',
  blank: '\n',
  'empty object': '{}',
  'empty object, line': '{}\n',
  'open object': '{\n}\n',
  'other settings': '{\n  "model": "opus",\n  "env": { "A": "1" }\n}\n',
  'four blanks': '{\n    "model": "opus"\n}',
  tabs: '{\n\t"model": "opus",\n\t"list": [1, 2]\n}\n',
  'one line': '{"model":"opus","list":[1,2]}',
  'one line with blanks': '{ "model": "opus" }',
  'line ends of Windows': '{\r\n  "model": "opus"\r\n}\r\n',
  'byte order mark': '\uFEFF{\n  "model": "opus"\n}\n',
  'trailing comma': '{\n  "model": "opus",\n}\n',
  'comments everywhere':
    '// head\n{\n  // a\n  "model": "opus", // b\n  /* c */ "x": 1 // d\n  // e\n}\n// foot\n',
  'comment in an empty object': '{\n  // nothing yet\n}\n',
  'empty hooks': '{\n  "hooks": {}\n}\n',
  'hooks with a comment': '{\n  "hooks": {\n    // mine\n  },\n  "z": 1\n}\n',
  'their hooks': `${JSON.stringify({ hooks: { PreToolUse: [other], Stop: [], Custom: [other] } }, null, 2)}\n`,
  'their hooks, one line': JSON.stringify({ hooks: { PreToolUse: [other], Stop: [] } }),
  'their hooks, commented':
    '{\n  "hooks": {\n    "Stop": [\n      { "hooks": [{ "type": "command", "command": "x" }] }, // x\n      // end\n    ],\n  },\n}\n',
  'list on one line in a long file': `{\n  "hooks": { "PreToolUse": [${JSON.stringify(other)}] },\n  "a": 1\n}\n`,
};

for (const [style, text] of Object.entries(styles)) {
  test(`in and out again: ${style}`, () => {
    const added = addHooks(text, wanted, file);
    const settings = settingsIn(added.text, file) as { hooks: Record<string, unknown[]> };
    for (const [event, group] of Object.entries(wanted)) {
      assert.deepEqual(settings.hooks[event]?.at(-1), group, event);
    }
    assert.ok(hasHooks(added.text, file));
    assert.equal(addHooks(added.text, wanted, file).text, added.text, 'twice is once');
    assert.equal(takeBack(added.text, added.undo), text, 'the way back');

    const removed = removeHooks(added.text, file);
    assert.ok(!hasHooks(removed.text, file));
    assert.deepEqual(
      withoutEmpty(settingsIn(removed.text, file)),
      withoutEmpty(settingsIn(text, file)),
    );
    assert.deepEqual(comments(removed.text), comments(text));
    assert.deepEqual(comments(added.text), comments(text));
    assert.equal(removed.text.includes('\r\n'), text.includes('\r\n'));
    assert.ok(!/[^\r]\n/.test(added.text) || !text.includes('\r\n'));
  });
}

test('what it looks like', () => {
  const group = { Stop: { hooks: [{ type: 'command', command: 'c' }] as const } };
  assert.equal(
    addHooks('{\n  "model": "opus", // best\n  "x": 1 // d\n}\n', group, file).text,
    `{
  "model": "opus", // best
  "x": 1, // d
  "hooks": {
    "Stop": [
      {
        "hooks": [
          {
            "type": "command",
            "command": "c"
          }
        ]
      }
    ]
  }
}
`,
  );
  assert.equal(
    addHooks('{"a":1}', group, file).text,
    '{"a":1,"hooks":{"Stop":[{"hooks":[{"type":"command","command":"c"}]}]}}',
  );
});

test('a new version replaces its old entries where they stand', () => {
  const old = groupsFor('/old place/memcode-timeline');
  const before = addHooks(`${JSON.stringify({ hooks: { Stop: [other] } }, null, 2)}\n`, old, file);
  const mixed = addHooks(before.text.replace('"SessionEnd"', '"NoLongerUsed"'), old, file).text;
  const after = addHooks(mixed, wanted, file);
  assert.ok(!after.text.includes('/old place/'));
  assert.ok(!after.text.includes('NoLongerUsed'));
  const settings = settingsIn(after.text, file) as { hooks: Record<string, unknown[]> };
  assert.deepEqual(settings.hooks['Stop'], [other, wanted['Stop']]);
  assert.deepEqual(settings.hooks['PreToolUse'], [wanted['PreToolUse']]);
  assert.equal(takeBack(after.text, after.undo), mixed);
});

test('our hook in a group of theirs: only the hook changes, and only it goes', () => {
  const handler = { type: 'command', command: '"/old/memcode-timeline" hook claude || true' };
  const shared = { hooks: { Stop: [{ matcher: 'm', hooks: [other.hooks[0], handler] }] } };
  const text = JSON.stringify(shared, null, 2);
  const added = settingsIn(addHooks(text, wanted, file).text, file) as typeof shared;
  assert.deepEqual(added.hooks.Stop, [
    { matcher: 'm', hooks: [other.hooks[0], wanted['Stop']?.hooks[0]] },
  ]);
  assert.deepEqual(settingsIn(removeHooks(text, file).text, file), {
    hooks: { Stop: [{ matcher: 'm', hooks: [other.hooks[0]] }] },
  });
  const twice = { hooks: { Stop: [{ hooks: [handler] }, { hooks: [handler] }] } };
  const once = settingsIn(addHooks(JSON.stringify(twice), wanted, file).text, file) as typeof twice;
  assert.equal(once.hooks.Stop.length, 1);
});

test('a group with a comment or a key of theirs is emptied, not removed', () => {
  const handler = '{ "command": "memcode-timeline hook claude" }';
  const check = (text: string, expected: string) =>
    assert.equal(removeHooks(text, file).text, expected);
  check(
    `{"hooks":{"Stop":[{"note":1,"hooks":[${handler}]}]}}`,
    '{"hooks":{"Stop":[{"note":1,"hooks":[]}]}}',
  );
  check(
    `{"hooks":{"Stop":[/*c*/{"hooks":[${handler}]}]},"a":1}`,
    '{"hooks":{"Stop":[/*c*/]},"a":1}',
  );
  check(`{"a":1, "hooks":{"Stop":[{"hooks":[${handler}]}]}}`, '{"a":1}');
  check(`{"hooks":{"Stop":[{"hooks":[${handler}]}]}, "a":1}`, '{"a":1}');
  check(`{"hooks":{"Stop":[{"matcher":"x","hooks":[${handler}]},],},}`, '{}');
});

test('files that cannot be understood are refused by name', () => {
  const bad = [
    '{"a":',
    'nonsense',
    '[]',
    '7',
    '{"hooks": []}',
    '{"hooks": {"Stop": {}}}',
    '{"hooks": {}, "hooks": {}}',
    '{"a" 1}',
    '{} {}',
  ];
  for (const text of bad) {
    assert.throws(
      () => addHooks(text, wanted, file),
      (error) => isUserError(error, 'config') && error.message.includes(file),
      text,
    );
  }
});

test('entries of any shape that are not ours stay', () => {
  const odd = {
    hooks: { Stop: [null, 1, 'x', [], {}, { hooks: 1 }, { hooks: [null, { command: 1 }] }], X: 1 },
  };
  const added = addHooks(JSON.stringify(odd), wanted, file);
  const settings = settingsIn(added.text, file) as typeof odd;
  assert.deepEqual(settings.hooks.Stop, [...odd.hooks.Stop, wanted['Stop']]);
  assert.deepEqual(settingsIn(removeHooks(added.text, file).text, file), odd);
});

/** Removing may take an empty list or object of theirs with it when it held nothing but ours. */
function withoutEmpty(value: unknown): unknown {
  const settings = structuredClone(value ?? {}) as { hooks?: Record<string, unknown> };
  for (const [event, groups] of Object.entries(settings.hooks ?? {})) {
    if (Array.isArray(groups) && groups.length === 0) delete settings.hooks?.[event];
  }
  if (settings.hooks && Object.keys(settings.hooks).length === 0) delete settings.hooks;
  return settings;
}

function comments(text: string): readonly string[] {
  return text.match(/\/\/.*|\/\*.*?\*\//g) ?? [];
}
