import assert from 'node:assert/strict';
import { test } from 'node:test';
import { inputFields, inputText } from '../../../src/core/toolInput.ts';

function check(input: string, fields: readonly (readonly [string, string])[]): void {
  assert.deepEqual(
    inputFields(input).map(({ key, text }) => [key, text]),
    fields,
  );
}

test('texts of a tool’s input stand there with their line ends', () => {
  const input = JSON.stringify({
    file_path: '/a/b.ts',
    edits: [{ old_string: 'a\nb', new_string: '' }],
    replace_all: false,
    options: {},
    none: null,
  });
  check(input, [
    ['file_path', '/a/b.ts'],
    ['edits[0].old_string', 'a\nb'],
    ['edits[0].new_string', ''],
    ['replace_all', 'false'],
    ['options', '{}'],
    ['none', 'null'],
  ]);
  assert.match(inputText(input), /^file_path: \/a\/b\.ts\nedits\[0\]\.old_string:\na\nb\n/);
});

test('what is no JSON stays as it is', () => {
  for (const text of [
    '*** Begin Patch\n+x',
    '[x] not JSON',
    '{"cut":"in the mid',
    '12',
    '"quoted"',
  ])
    check(text, [['', text]]);
  check('  ', []);
  check('{}', [['', '{}']]);
});

test('what is nested without end, or wide, ends as JSON', () => {
  const deep = `${'{"a":'.repeat(1_000)}1${'}'.repeat(1_000)}`;
  assert.deepEqual(
    inputFields(deep).map(({ key }) => key),
    ['a.a.a.a.a.a'],
  );
  const wide = JSON.stringify(Array.from({ length: 10_000 }, (_, i) => ({ i })));
  assert.equal(inputFields(wide).length, 1);
  check('{"__proto__":{"x":"1"}}', [['__proto__.x', '1']]);
});
