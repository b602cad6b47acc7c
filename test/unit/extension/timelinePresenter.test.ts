import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Root } from '../../../src/core/ids.ts';
import { TimelineModel } from '../../../src/extension/timelineModel.ts';
import { TimelinePresenter } from '../../../src/extension/timelinePresenter.ts';
import { windowSize } from '../../../src/protocol/messages.ts';
import { FakeTimelineApp, fakeSession, fakeTurn } from '../../helpers/fakeTimelineApp.ts';
import { plainLocalizer } from '../../helpers/plainLocalizer.ts';

function presenter(): TimelinePresenter {
  return new TimelinePresenter({
    l10n: plainLocalizer,
    locale: 'en',
    strings: { loading: 'Loading' },
    now: () => 7,
    trusted: () => true,
    snapshots: () => [],
  });
}

function modelOf(turns: number): TimelineModel {
  const app = new FakeTimelineApp();
  app.sessionList.push(fakeSession({ id: 's', turns, updatedAt: 5, title: 'Shop' }));
  for (let number = 1; number <= turns; number++) {
    app.turnList.push(fakeTurn({ id: `t${number}`, session: 's', number }));
  }
  const memory = { get: () => undefined, update: async () => undefined };
  const model = new TimelineModel(app, memory, () => ({ followNewest: true }));
  model.reload([{ root: '/repo' as Root, folder: 'repo' }]);
  return model;
}

test('before the store is open there is an empty state', () => {
  const { sessions, session, total, cursor, rows, strings } = presenter().state(undefined);
  assert.deepEqual(
    { sessions, session, total, cursor, rows, strings },
    { sessions: [], session: null, total: 0, cursor: 0, rows: [], strings: { loading: 'Loading' } },
  );
});

test('each state has a higher version and names the session and its folder', () => {
  const shown = presenter();
  const model = modelOf(2);
  const first = shown.state(model);
  assert.ok(shown.state(model).version > first.version);
  assert.deepEqual(first.sessions, [
    { id: 's', agent: 'claude', title: 'Shop', updatedAt: 5, turns: 2, folder: 'repo' },
  ]);
  assert.equal(first.cursor, 2);
});

test('the window follows the cursor until the page scrolls, and again after the cursor moves', () => {
  const shown = presenter();
  const model = modelOf(1000);
  assert.equal(shown.state(model).offset, 1000 - windowSize);
  shown.showWindow(300);
  assert.equal(shown.state(model).offset, 300 - windowSize / 2);
  model.select(10);
  shown.followCursor();
  assert.equal(shown.state(model).offset, 0);
});

test('what goes on is part of the state', () => {
  const shown = presenter();
  shown.setBusy('Rewinding…');
  assert.equal(shown.state(undefined).busy, 'Rewinding…');
  shown.setBusy(null);
  assert.equal(shown.state(undefined).busy, null);
  assert.equal(shown.state(undefined, 'The database is locked.').error, 'The database is locked.');
  assert.equal(shown.state(undefined).error, null);
});
