import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isQuiet, leftOutText, skipText } from '../../../src/core/autoCommitText.ts';

const text = (given: Partial<Parameters<typeof skipText>[0]>) =>
  skipText({ reason: null, detail: null, leftOut: [], ...given });

test('every reason has a sentence', () => {
  assert.equal(text({}), undefined);
  assert.equal(text({ reason: 'merge' }), 'A merge is going on.');
  assert.equal(text({ reason: 'gitFailed', detail: 'disk full' }), 'Git failed. (disk full)');
  assert.equal(
    text({ reason: 'outsideProject' }),
    'Not committed: what it changed is outside the project folder.',
  );
  const leftOut = ['a', 'b', 'c', 'd', 'e', 'f', 'g'].map(
    (path) => ({ path, reason: 'userChanges' }) as const,
  );
  assert.match(
    text({ reason: 'userChanges', leftOut }) ?? '',
    /^Not committed: a: has changes that are not the agent’s; b: .*; e: [^;]*; and 2 more\.$/,
  );
  assert.equal(leftOutText({ path: 'x', reason: 'userStaged' }), 'x: is staged');
});

test('reasons that nobody has to be told', () => {
  assert.equal(isQuiet('nothingToCommit'), true);
  assert.equal(isQuiet('detachedHead'), false);
});
