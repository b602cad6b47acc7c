import assert from 'node:assert/strict';
import { test } from 'node:test';
import { foundIn } from '../../../src/core/foundWords.ts';

function check(text: string, typed: string, found: readonly string[]): void {
  const parts = [...foundIn(text, typed)].map(({ from, to }) => text.slice(from, to));
  assert.deepEqual(parts, found, typed);
}

test('whole words are found, the last one also as a beginning', () => {
  check('this is columns.js, Columned', 'is', ['is']);
  check('this is columns.js, Columned', 'column', ['columns', 'Columned']);
  check('columns and column', '"column"', ['column']);
  check('columns and column', 'column and', ['and', 'column']);
});

test('words in quotes are found one after the other only', () => {
  check('two aligned, aligned rows', '"aligned rows"', ['aligned rows']);
  check('a b, a c', '"a b" c', ['a b', 'c']);
});

test('case and accents do not matter, as in the index', () => {
  check('Ein Übermut, ubermütig', 'uber', ['Übermut', 'ubermütig']);
});

test('scripts without spaces: each character is a word', () => {
  check('これは検索です', '検索', ['検索']);
});

test('without words nothing is found', () => {
  check('a b', '', []);
  check('a b', '"!?', []);
});
