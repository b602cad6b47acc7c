import assert from 'node:assert/strict';
import { test } from 'node:test';
import { asOperationId, asSessionId, type Root } from '../../../src/core/ids.ts';
import { type Memory, TimelineModel } from '../../../src/extension/timelineModel.ts';
import { FakeTimelineApp, fakeSession, fakeTurn } from '../../helpers/fakeTimelineApp.ts';

const root = '/repo' as Root;
const roots = [{ root, folder: 'repo' }];

/** A memento in memory; `values` is what would be on disk. */
class FakeMemory implements Memory {
  readonly values = new Map<string, unknown>();
  get(key: string): unknown {
    return this.values.get(key);
  }
  async update(key: string, value: unknown): Promise<void> {
    this.values.set(key, structuredClone(value));
  }
}

function appWith(...sessions: [id: string, updatedAt: number, turns: number][]): FakeTimelineApp {
  const app = new FakeTimelineApp();
  for (const [id, updatedAt, turns] of sessions) {
    app.sessionList.push(fakeSession({ id, updatedAt, turns }));
    for (let number = 1; number <= turns; number++) {
      app.turnList.push(fakeTurn({ id: `${id}${number}`, session: id, number }));
    }
  }
  return app;
}

function touch(app: FakeTimelineApp, id: string, updatedAt: number): void {
  const index = app.sessionList.findIndex((session) => session.id === id);
  app.sessionList[index] = { ...app.sessionList[index]!, updatedAt };
}

function opened(app: FakeTimelineApp, memory = new FakeMemory(), followNewest = true) {
  const model = new TimelineModel(app, memory, () => ({ followNewest }));
  model.reload(roots);
  return model;
}

const where = (model: TimelineModel) => [model.session?.summary.id, model.cursor];

test('the newest session is looked at, at its last turn; sessions without turns do not count', () => {
  assert.deepEqual(where(opened(appWith(['a', 1, 2], ['b', 2, 3], ['empty', 9, 0]))), ['b', 3]);
  assert.deepEqual(where(opened(appWith())), [undefined, 0]);
});

test('the cursor follows the end until it is moved, and stays within the session', () => {
  const app = appWith(['a', 1, 3]);
  const model = opened(app);
  const grow = (number: number) => {
    app.turnList.push(fakeTurn({ id: `a${number}`, session: 'a', number }));
    model.reload(roots);
  };
  grow(4);
  assert.equal(model.cursor, 4);
  model.step(-1);
  grow(5);
  assert.equal(model.cursor, 3);
  assert.equal(model.currentTurn?.number, 3);
  model.select(99);
  assert.equal(model.cursor, 5);
  grow(6);
  assert.equal(model.cursor, 6);
  model.select(-7);
  assert.equal(model.cursor, 1);
  model.step(-1);
  assert.equal(model.cursor, 1);
});

test('after a rewind the last turn in force is looked at, and after undoing it the end again', () => {
  const app = appWith(['a', 1, 4]);
  const model = opened(app);
  const takeBack = (from: number, operation: string | null) => {
    for (const turn of app.turnList.filter(({ number }) => number >= from)) {
      const rewoundBy = operation === null ? null : asOperationId(operation);
      app.turnList[app.turnList.indexOf(turn)] = { ...turn, rewoundBy };
    }
    model.reload(roots);
  };
  takeBack(3, 'o');
  assert.equal(model.cursor, 2);
  model.select(4);
  assert.equal(model.cursor, 4);
  model.followPresent();
  takeBack(1, 'p');
  assert.equal(model.cursor, 1);
  takeBack(1, null);
  assert.equal(model.cursor, 4);
});

test('a chosen session stays, the newest one is followed', () => {
  const app = appWith(['a', 1, 2], ['b', 2, 3]);
  const model = opened(app);
  touch(app, 'a', 5);
  model.reload(roots);
  assert.equal(where(model)[0], 'a');
  model.selectSession(asSessionId('b'));
  touch(app, 'a', 9);
  model.reload(roots);
  assert.equal(where(model)[0], 'b');
  model.selectSession(asSessionId('a'));
  touch(app, 'b', 20);
  model.reload(roots);
  assert.equal(where(model)[0], 'b');
});

test('with following switched off, the session looked at stays', () => {
  const app = appWith(['a', 1, 2], ['b', 2, 3]);
  const model = opened(app, new FakeMemory(), false);
  touch(app, 'a', 5);
  model.reload(roots);
  assert.equal(where(model)[0], 'b');
});

test('choice and cursors survive a restart; what is unreadable is forgotten', () => {
  const app = appWith(['a', 1, 4], ['b', 2, 3]);
  const memory = new FakeMemory();
  const before = opened(app, memory);
  before.select(2);
  before.selectSession(asSessionId('a'));
  before.select(3);
  const after = opened(app, memory);
  assert.deepEqual(where(after), ['a', 3]);
  after.selectSession(asSessionId('b'));
  assert.deepEqual(where(after), ['b', 2]);
  for (const [key, value] of [
    ['memcode.cursors', 'nonsense'],
    ['memcode.cursors', { b: 'x', a: -1 }],
    ['memcode.session', 7],
  ] as const) {
    const broken = new FakeMemory();
    broken.values.set(key, value);
    assert.deepEqual(where(opened(app, broken)), ['b', 3]);
  }
});

test('a session that is gone gives way to the newest', () => {
  const app = appWith(['a', 1, 2], ['b', 2, 3]);
  const model = opened(app);
  model.selectSession(asSessionId('a'));
  app.sessionList.splice(0, 1);
  model.reload(roots);
  assert.equal(where(model)[0], 'b');
});

test('a turn of another session can be gone to', () => {
  const app = appWith(['a', 1, 4], ['b', 2, 3]);
  const model = opened(app);
  model.reveal(app.turnList[1]!);
  assert.deepEqual(where(model), ['a', 2]);
  assert.equal(model.rootOfTurn(app.turnList[1]!), root);
  assert.equal(model.rootOfTurn(fakeTurn({ id: 'x', session: 'elsewhere', number: 1 })), undefined);
});
