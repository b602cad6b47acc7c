import assert from 'node:assert/strict';
import { test } from 'node:test';
import { emptyUi, loadUi, saveUi, type UiState } from '../../webview/uiState.ts';

test('what was saved is read back', () => {
  const ui: UiState = {
    session: 'session-1',
    expanded: new Set(['turn-1', 'turn-9']),
    active: 8,
    anchor: { index: 7, delta: 12.5 },
  };
  assert.deepEqual(loadUi(JSON.parse(JSON.stringify(saveUi(ui)))), ui);
});

test('only the last 200 expanded turns are remembered', () => {
  const expanded = new Set(Array.from({ length: 300 }, (_, place) => `turn-${place}`));
  const saved = loadUi(saveUi({ ...emptyUi('session-1'), expanded }));
  assert.equal(saved.expanded.size, 200);
  assert.equal(saved.expanded.has('turn-299'), true);
});

test('anything else is an empty state', () => {
  for (const saved of [undefined, null, 7, 'x', [], {}, { session: 3 }]) {
    assert.deepEqual(loadUi(saved), emptyUi(null));
  }
  const half = { session: 's', expanded: [1, 'a'], active: -1, anchor: { index: 1.5, delta: 0 } };
  assert.deepEqual(loadUi(half), { ...emptyUi('s'), expanded: new Set(['a']) });
});
