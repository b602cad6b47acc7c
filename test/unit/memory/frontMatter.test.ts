import assert from 'node:assert/strict';
import { test } from 'node:test';
import { headValues, joinNote, splitNote } from '../../../src/memory/frontMatter.ts';

test('a head is what stands between two fences at the very beginning', () => {
  const texts: readonly (readonly [string, Readonly<Record<string, unknown>>, string])[] = [
    ['---\na: 1\n---\nBody', { a: 1n }, 'Body'],
    ['---\n---\nBody', {}, 'Body'],
    ['---\r\nA: x\r\n---\r\nBody\r\n', { a: 'x' }, 'Body\n'],
    ['\ufeff---\na: x\n---\n', { a: 'x' }, ''],
    ['---  \na: x\n---  \nBody\n---\nmore', { a: 'x' }, 'Body\n---\nmore'],
    ['---\na: x\n---', { a: 'x' }, ''],
    ['Text\n---\na: 1\n---\n', {}, 'Text\n---\na: 1\n---\n'],
    ['---\na: 1\nno end', {}, '---\na: 1\nno end'],
    ['----\na: 1\n----\n', {}, '----\na: 1\n----\n'],
    ['---\na: "x: y"\nb: [1, 2]\nc:\n  d: e\n---\n', { a: 'x: y', b: [1n, 2n], c: { d: 'e' } }, ''],
    ['', {}, ''],
  ];
  for (const [text, values, body] of texts) {
    const split = splitNote(text);
    assert.deepEqual([headValues(split), split.body], [values, body], text);
  }
});

test('aliases that grow without bound give nothing', () => {
  const lines = ['a: &a [x, x, x, x, x, x, x, x, x]'];
  for (let n = 0; n < 9; n++)
    lines.push(`k${n}: &k${n} [${`*${n === 0 ? 'a' : `k${n - 1}`}, `.repeat(9)}]`);
  assert.deepEqual(headValues(splitNote(`---\n${lines.join('\n')}\n---\n`)), {});
});

test('heads that are made to take long are text nobody understands, and stay', () => {
  const heads = ['k: v\n'.repeat(20_000), '&a '.repeat(80_000), '['.repeat(200_000)];
  for (const head of heads) {
    const split = splitNote(`---\n${head}\n---\nBody\n`);
    assert.deepEqual([split.problem, split.body], ['it is longer than 8 KiB', 'Body\n']);
    assert.throws(() => joinNote(split, { name: 'x' }, 'Body', 'x.md'), { code: 'damaged' });
  }
  const deep = splitNote(`---\na: ${'['.repeat(3_000)}${']'.repeat(3_000)}\n---\nBody\n`);
  assert.throws(() => joinNote(deep, { name: 'x' }, 'Body', 'x.md'), { code: 'damaged' });
});

test('numbers of any length stay as they are', () => {
  const head = 'n: 123456789012345678901234567890\nf: 1.10\no: 0o17\nx: 0xff\n';
  assert.ok(joinNote(splitNote(`---\n${head}---\nA`), { a: 1 }, 'B', 'x.md').includes(head));
});

test('writing changes only the keys it sets', () => {
  const before = splitNote('---\n# comment\nz: 1 # one\nname: Old\nlist:\n  - a\n  - b\n---\nBody');
  assert.equal(
    joinNote(
      before,
      { name: 'A: b', pinned: undefined, at: '2026-01-01T00:00:00Z' },
      'New',
      'x.md',
    ),
    '---\n# comment\nz: 1 # one\nname: "A: b"\nlist:\n  - a\n  - b\nat: 2026-01-01T00:00:00Z\n---\n\nNew\n',
  );
  const again = splitNote(joinNote(before, { z: undefined }, 'New', 'x.md'));
  assert.deepEqual(headValues(again), { name: 'Old', list: ['a', 'b'] });
});
