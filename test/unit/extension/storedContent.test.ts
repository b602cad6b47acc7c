import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { SideContent } from '../../../src/app/timelineApp.ts';
import { asOperationId, asTurnId } from '../../../src/core/ids.ts';
import { needComparable, storedContent } from '../../../src/extension/storedContent.ts';
import { bytesSide, FakeTimelineApp } from '../../helpers/fakeTimelineApp.ts';
import { plainLocalizer } from '../../helpers/plainLocalizer.ts';

const old = { turn: asTurnId('t'), path: 'a', side: 'before' as const };

test('a side of a turn and what an operation replaced are read from the store', () => {
  const app = new FakeTimelineApp();
  app.put(old.turn, 'a', bytesSide('old'), bytesSide('new'));
  app.contents.set('o a', bytesSide('mine'));
  assert.deepEqual(storedContent(app, old), bytesSide('old'));
  assert.deepEqual(storedContent(app, { ...old, side: 'after' }), bytesSide('new'));
  const replaced = { operation: asOperationId('o'), path: 'a' };
  assert.deepEqual(storedContent(app, replaced), bytesSide('mine'));
});

test('only bytes, or nothing, stand beside a file that is edited', () => {
  const app = new FakeTimelineApp();
  const compare = (content: SideContent) => () => {
    app.put(old.turn, 'a', content, content);
    needComparable(app, old, plainLocalizer);
  };
  assert.doesNotThrow(compare(bytesSide('x')));
  assert.doesNotThrow(compare({ kind: 'absent' }));
  assert.throws(compare({ kind: 'unavailable', reason: 'It is gone.' }), {
    code: 'damaged',
    message: 'a cannot be compared: It is gone.',
  });
  for (const content of [
    { kind: 'symlink', target: 'b' },
    { kind: 'directory', mode: 0o755 },
  ] as const)
    assert.throws(compare(content), { message: 'a cannot be compared: it was no file then.' });
});
