import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fileArgument, turnArgument } from '../../../src/extension/commandArguments.ts';

test('a turn comes as an id or as the context of a menu', () => {
  assert.equal(turnArgument('t1'), 't1');
  assert.equal(turnArgument({ webviewSection: 'turn', turn: 't1' }), 't1');
  for (const value of [undefined, null, '', 7, {}, { turn: 7 }, []]) {
    assert.equal(turnArgument(value), undefined);
  }
});

test('a file comes as two texts or as the context of a menu', () => {
  const file = { turn: 't1', path: 'a/b.txt' };
  assert.deepEqual(fileArgument('t1', 'a/b.txt'), file);
  assert.deepEqual(fileArgument({ turn: 't1', path: 'a/b.txt', more: 1 }, undefined), file);
  for (const [first, second] of [
    ['t1', undefined],
    ['t1', ''],
    [{ path: 'a' }, undefined],
    [7, 'a'],
  ]) {
    assert.equal(fileArgument(first, second), undefined);
  }
});
