import assert from 'node:assert/strict';
import { test } from 'node:test';
import { asTurnId } from '../../../src/core/ids.ts';
import { parseTurnUri, type TurnFile, turnUriParts } from '../../../src/extension/turnUri.ts';

test('what a URI names is read back, whatever the names hold', () => {
  const files: TurnFile[] = [
    { turn: asTurnId('t1'), path: 'src/greeting.js', side: 'before' },
    { turn: asTurnId('a/b&c=d?e#f %20'), path: 'ä ö/#1?&%41.txt', side: 'after' },
    { turn: asTurnId('t'), path: '..cfg', side: 'after' },
  ];
  for (const file of files) {
    assert.deepEqual(parseTurnUri(turnUriParts(file)), file);
    assert.deepEqual(parseTurnUri(turnUriParts(file, '/home/me/shop')), file);
  }
  assert.equal(turnUriParts(files[0]!, '/shop').path, '/shop/src/greeting.js');
});

test('any other URI is refused', () => {
  for (const [path, query] of [
    ['/a.txt', ''],
    ['/a.txt', 'turn=t&path=a.txt'],
    ['/a.txt', 'turn=t&side=middle&path=a.txt'],
    ['/a.txt', 'turn=&side=after&path=a.txt'],
    ['/a.txt', 'turn=t&side=after'],
    ['/a.txt', 'turn=t&side=after&path=b.txt'],
    ['/', 'turn=t&side=after&path='],
  ] as const) {
    assert.equal(parseTurnUri({ path, query }), undefined, `${path}?${query}`);
  }
});
