import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isUserError } from '../../../src/core/errors.ts';
import { estimateTokens } from '../../../src/core/tokenEstimate.ts';
import { readFacts, withFact, withoutFact } from '../../../src/memory/facts.ts';

const bytes = (text: string) => Buffer.from(text);
const read = (text: string, cap = 1000) => readFacts(bytes(text), 'profile', cap, 'facts/profile');
const set = (text: string | undefined, key: string, value: string, cap = 1000) =>
  Buffer.from(
    withFact(text === undefined ? undefined : bytes(text), 'profile', { key, value }, cap),
  ).toString();

test('tokens are estimated by bytes, rounded down, at least one', () => {
  const texts: readonly (readonly [string, number])[] = [
    ['', 1],
    ['abc', 1],
    ['abcd', 1],
    ['abcdefgh', 2],
    ['я'.repeat(9), 4],
    ['構', 1],
  ];
  for (const [text, tokens] of texts) assert.equal(estimateTokens(text), tokens, text);
});

test('reading: first colon, both sides trimmed, everything else is none', () => {
  const { facts, problems } = read(
    '\ufeffname:  Mia \r\n\r\n# comment: of mine\r\nno colon\r\n url : http://x:1\r\nempty:\r\nBad-Key: x\r\nимя: x\r\nname: Ada',
  );
  assert.deepEqual(facts, [
    { key: 'url', value: 'http://x:1' },
    { key: 'empty', value: '' },
    { key: 'name', value: 'Ada' },
  ]);
  assert.deepEqual(
    problems.map(({ text }) => text),
    ['Line 1 says name, and so does a later one, which counts.'],
  );
  assert.deepEqual(readFacts(undefined, 'environment', 5, 'x'), {
    scope: 'environment',
    facts: [],
    used: 0,
    cap: 5,
    problems: [],
  });
});

test('keys and values that are taken and refused', () => {
  for (const key of ['a', 'a_1', '0', '__']) assert.equal(set('', key, 'v'), `${key}: v\n`);
  for (const key of ['', 'A', 'a-b', 'a.b', 'a b', 'ключ', 'a\nb', 'a:'])
    assert.throws(
      () => set('', key, 'v'),
      (error) => isUserError(error, 'usage'),
      key,
    );
  for (const value of ['', 'a: b', 'Привет', '🚀', ' x '])
    assert.equal(set('', 'k', value), `k: ${value.trim()}\n`);
  for (const value of ['a\nb', 'a\rb', 'a\u2028b', 'a\u2029b', 'a\tb', 'a\u0000b'])
    assert.throws(
      () => set('', 'k', value),
      (error) => isUserError(error, 'usage'),
      JSON.stringify(value),
    );
});

test('a set keeps its place, comments, ends of lines, and mends the last line', () => {
  assert.equal(set(undefined, 'a', '1'), 'a: 1\n');
  assert.equal(set('# mine\na: 1\n\nb: 2\n', 'a', '9'), '# mine\na: 9\n\nb: 2\n');
  assert.equal(set('a: 1\r\n# c\r\n', 'b', '2'), 'a: 1\r\n# c\r\nb: 2\r\n');
  assert.equal(set('a: 1', 'b', '2'), 'a: 1\nb: 2\n');
  assert.equal(set('a: 1\na: 2\n', 'a', '3'), 'a: 1\na: 3\n');
});

test('a fact is removed with all lines of its key, and only then', () => {
  assert.equal(
    Buffer.from(withoutFact(bytes('a: 1\n# a\nb: 2\na: 3\n'), 'a') ?? []).toString(),
    '# a\nb: 2\n',
  );
  assert.equal(withoutFact(bytes('b: 2\n'), 'a'), undefined);
  assert.equal(withoutFact(undefined, 'a'), undefined);
});

test('the cap: equal passes, above is refused with what is there, smaller is always allowed', () => {
  const line = (key: string) => `${key}: ${'x'.repeat(36)}\n`;
  assert.equal(read(line('a')).used, 10);
  assert.equal(set(line('a'), 'b', 'x'.repeat(36), 20), line('a') + line('b'));
  assert.throws(
    () => set(line('a'), 'b', 'x'.repeat(40), 20),
    (error) => {
      assert.ok(isUserError(error, 'full'));
      assert.deepEqual(error.data, {
        scope: 'profile',
        entries: [{ key: 'a', value: 'x'.repeat(36) }],
        used: 21,
        cap: 20,
      });
      return true;
    },
  );
  // The limit was lowered since.
  assert.equal(set(line('a') + line('b'), 'b', 'short', 12), `${line('a')}b: short\n`);
  assert.throws(
    () => set(line('a') + line('b'), 'b', 'y'.repeat(36), 12),
    (error) => isUserError(error, 'full'),
  );
  assert.deepEqual(read(line('a'), 5).problems, [
    { path: 'facts/profile', text: 'It takes about 10 tokens; 5 are allowed.' },
  ]);
});
