import assert from 'node:assert/strict';
import { test } from 'node:test';
import { allFoldersAbove, foldersAbove } from '../../../src/checkpoint/foldersAbove.ts';

test('folders above one key, and above many, outermost first', () => {
  assert.deepEqual(foldersAbove('a'), []);
  assert.deepEqual(foldersAbove('a/b/c'), ['a', 'a/b']);
  assert.deepEqual(
    [...allFoldersAbove(['a/b/c/f', 'a/b/g', 'a/b/c/h', 'x', 'a/d/e/i'])],
    ['a', 'a/b', 'a/b/c', 'a/d', 'a/d/e'],
  );
});
