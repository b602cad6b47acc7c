import assert from 'node:assert/strict';
import { test } from 'node:test';
import { asTurnId } from '../../../src/core/ids.ts';
import {
  fileArgument,
  turnArgument,
  turnFileOfUri,
} from '../../../src/extension/commandArguments.ts';
import { storedUriParts } from '../../../src/extension/turnUri.ts';

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

test('a file comes as the URI of its document, in a folder or not', () => {
  const file = { turn: asTurnId('t1'), path: 'a/b c.txt', side: 'before' as const };
  for (const folder of ['', '/work']) {
    assert.deepEqual(turnFileOfUri({ scheme: 'memcode', ...storedUriParts(file, folder) }), file);
  }
  for (const value of [undefined, 'x', null, {}, { scheme: 'file', path: '/a', query: '' }]) {
    assert.equal(turnFileOfUri(value), undefined);
  }
  assert.equal(turnFileOfUri({ scheme: 'memcode', path: '/a', query: 'turn=t1' }), undefined);
});
