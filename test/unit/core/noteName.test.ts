import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  cleanName,
  firstLineOf,
  foldNoteName,
  nameFromBody,
  stemOf,
} from '../../../src/core/noteName.ts';

const free = () => false;

test('names that look the same are the same, and what nobody sees is no name', () => {
  assert.equal(foldNoteName('Style\u200b'), foldNoteName('sty\u00adle'));
  for (const unseen of ['\u200b', '\u{E0041}', '\u200d\u200d', '\u0301', '\u2060 \ufeff'])
    assert.equal(cleanName(unseen), '', JSON.stringify(unseen));
  for (const seen of ['👩‍💻', 'می‌خواهم', 'e\u0301'])
    assert.equal(cleanName(seen), seen.normalize('NFC'));
});

test('a name is one line, in one form', () => {
  const names: readonly (readonly [string, string])[] = [
    ['  a  b\t c\n', 'a b c'],
    ['a\u2028b\u0000c', 'a b c'],
    ['e\u0301', 'é'],
    ['a\u202eb', 'a b'],
    ['\ud800x', '\ufffdx'],
    [' \n\u0007', ''],
  ];
  for (const [name, clean] of names) assert.equal(cleanName(name), clean);
  assert.equal(foldNoteName('Build ORDER '), foldNoteName('build order'));
  assert.notEqual(foldNoteName('build order'), foldNoteName('build-order'));
});

test('the first line that says something names a note', () => {
  const bodies: readonly (readonly [string, string])[] = [
    ['# Title\nText', 'Title'],
    ['\n\n---\n- item', 'item'],
    ['> 1. quoted', 'quoted'],
    ['🚀 go', '🚀 go'],
    ['...\n', ''],
  ];
  for (const [body, line] of bodies) assert.equal(firstLineOf(body), line);
  assert.equal([...nameFromBody(`# ${'測'.repeat(100)}`)].length, 60);
});

test('files are called by letters of any script, and a hash where that is not enough', () => {
  const hashed = /^[\p{L}\p{M}\p{N}-]*-[0-9a-f]{8}$/u;
  assert.equal(stemOf('Build Order!', free), 'build-order');
  assert.equal(stemOf('构建 顺序', free), '构建-顺序');
  for (const name of [
    '🚀',
    'CON',
    'lpt1',
    'com1.txt',
    'Memory',
    '../..',
    'x'.repeat(300),
    '測'.repeat(61),
  ]) {
    const stem = stemOf(name, free);
    if (name !== 'com1.txt') assert.match(stem, hashed, name);
    assert.ok(new TextEncoder().encode(stem).length <= 170, name);
    assert.doesNotMatch(stem, /^(con|lpt1|memory|com1)$/i);
  }
  assert.notEqual(stemOf('🚀', free), stemOf('🛸', free));
  // A letter of several code points is not taken apart.
  assert.doesNotMatch(stemOf('é'.normalize('NFD').repeat(100), free), /^\p{M}/u);
});

test('a taken name gets another', () => {
  const taken = new Set(['a']);
  const second = stemOf('a', (stem) => taken.has(stem));
  assert.match(second, /^a-[0-9a-f]{8}$/);
  taken.add(second);
  const third = stemOf('a', (stem) => taken.has(stem));
  assert.match(third, /^a-[0-9a-f]{8}$/);
  assert.notEqual(second, third);
});
