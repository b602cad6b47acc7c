import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseHistoryIntent } from '../../../src/protocol/parseHistoryIntent.ts';

test('what the page asks for is taken as it is', () => {
  for (const intent of [
    { type: 'ready' },
    { type: 'showWindow', index: 7 },
    { type: 'openTurn', turn: 't' },
    { type: 'openHit', turn: 't', message: 'm' },
    { type: 'step', step: 'latest' },
    { type: 'goTo', turn: 't' },
    { type: 'switchBranch', branch: 'main' },
    { type: 'search', text: '', everywhere: true },
    { type: 'readMessage', turn: 't', message: 'm' },
    { type: 'showChanges', turn: 't' },
    { type: 'readAll' },
    { type: 'openMirror' },
  ])
    assert.deepEqual(parseHistoryIntent(intent), intent);
});

test('anything else is nothing', () => {
  for (const intent of [
    null,
    'ready',
    {},
    { type: 'erase' },
    { type: 'showWindow', index: -1 },
    { type: 'showWindow', index: 1.5 },
    { type: 'step', step: 'first' },
    { type: 'goTo', turn: null },
    { type: 'openTurn', turn: 'x'.repeat(5000) },
    { type: 'search', text: 'a' },
  ])
    assert.equal(parseHistoryIntent(intent), undefined, JSON.stringify(intent));
});
