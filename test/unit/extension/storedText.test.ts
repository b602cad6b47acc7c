import assert from 'node:assert/strict';
import { test } from 'node:test';
import { asSessionId, asTurnId, type Root } from '../../../src/core/ids.ts';
import { storedText } from '../../../src/extension/storedText.ts';
import type { TextFile } from '../../../src/extension/turnUri.ts';
import { FakeTimelineApp, fakeSession, fakeTurn } from '../../helpers/fakeTimelineApp.ts';
import { plainLocalizer } from '../../helpers/plainLocalizer.ts';

function textOf(file: TextFile): string {
  const app = new FakeTimelineApp();
  app.turnList.push(fakeTurn({ id: 't', session: 's', number: 1 }));
  const summary = fakeSession({ id: 's', title: 'Greetings' });
  const sources = {
    app,
    sessions: [{ summary, root: '/repo' as Root, folder: 'repo' }],
    reports: new Map([['1', 'all fine']]),
  };
  return storedText(file, sources, 'en', plainLocalizer);
}

test('what is there becomes a text', () => {
  const path = 'a.md';
  assert.match(textOf({ words: asTurnId('t'), path }), /^# Turn 1\n/);
  assert.match(textOf({ conversation: asSessionId('s'), path }), /^# Greetings\n/);
  assert.equal(textOf({ report: '1', path }), 'all fine');
});

test('what is not there, or of another window, is said', () => {
  const path = 'a.md';
  for (const file of [
    { conversation: asSessionId('other'), path },
    { message: 'n', of: asTurnId('t'), path },
    { report: '2', path },
  ])
    assert.throws(() => textOf(file), { code: 'notFound' });
});
