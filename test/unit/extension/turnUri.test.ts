import assert from 'node:assert/strict';
import { test } from 'node:test';
import { asOperationId, asSessionId, asTurnId } from '../../../src/core/ids.ts';
import {
  type AnyStoredFile,
  parseStoredUri,
  storedUriParts,
} from '../../../src/extension/turnUri.ts';

test('what a URI names is read back, whatever the names hold', () => {
  const files: AnyStoredFile[] = [
    { turn: asTurnId('t1'), path: 'src/greeting.js', side: 'before' },
    { turn: asTurnId('a/b&c=d?e#f %20'), path: 'ä ö/#1?&%41.txt', side: 'after' },
    { turn: asTurnId('t'), path: '..cfg', side: 'after' },
    { operation: asOperationId('o&1'), path: 'a b.txt' },
    { words: asTurnId('t/1'), path: 'Turn 3.md' },
    { message: 'n&1', of: asTurnId('t=1'), path: 'Turn 3 reply.md' },
    { conversation: asSessionId('s?/1'), path: 'Make it &.md' },
    { report: '1', path: 'Imported Sessions.md' },
    { context: '/home/me/a&b', agent: 'gemini', path: 'What Gemini CLI sees.md' },
  ];
  for (const file of files) {
    assert.deepEqual(parseStoredUri(storedUriParts(file)), file);
    assert.deepEqual(parseStoredUri(storedUriParts(file, '/home/me/shop')), file);
  }
  assert.equal(storedUriParts(files[0]!, '/shop').path, '/shop/src/greeting.js');
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
    ['/a.txt', 'operation=&path=a.txt'],
    ['/a.txt', 'operation=o&path=b.txt'],
    ['/a.md', 'message=n&path=a.md'],
    ['/a.md', 'context=%2Fp&agent=&path=a.md'],
    ['/a.md', 'message=n&of=&path=a.md'],
    ['/a.md', 'conversation=&path=a.md'],
    ['/a.md', 'report=1&path=b.md'],
  ] as const) {
    assert.equal(parseStoredUri({ path, query }), undefined, `${path}?${query}`);
  }
});
