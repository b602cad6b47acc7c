import assert from 'node:assert/strict';
import { test } from 'node:test';
import { undoneOperations } from '../../../src/core/undoneOperations.ts';

/** `b>a`: b takes a back. Oldest first. */
function undoneIn(...told: readonly string[]): string {
  const all = told.map((one) => {
    const [id = '', undoes = null] = one.split('>');
    return { id, undoes };
  });
  return [...undoneOperations(all.toReversed())].sort().join('');
}

test('what was done last about an operation says whether it stands', () => {
  assert.equal(undoneIn('a', 'b'), '');
  assert.equal(undoneIn('a', 'b>a'), 'a');
  assert.equal(undoneIn('a', 'b>a', 'c>b'), 'b');
  assert.equal(undoneIn('a', 'b>a', 'c>b', 'd>a'), 'ab');
  // Undone, brought back, undone, brought back, and then the first bringing back is taken back.
  assert.equal(undoneIn('a', 'b>a', 'c>b', 'd>a', 'e>d', 'f>c'), 'acd');
  assert.equal(undoneIn('a', 'b>a', 'c>b', 'd>a', 'f>c', 'e>d'), 'cd');
});

test('an undo dated before what it undoes takes it back; a record that leads to itself is no trouble', () => {
  assert.equal(undoneIn('b>a', 'a'), 'a');
  assert.doesNotThrow(() => undoneIn('a>b', 'b>a', 'c>c'));
});
