/** The limits of a root's store: what goes, what stays, and that it is never silent. */
import assert from 'node:assert/strict';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { test } from 'node:test';
import { openTimelineApp } from '../../src/app/openTimelineApp.ts';
import { folderSize } from '../../src/base/folderSize.ts';
import { isUserError } from '../../src/core/errors.ts';
import { asSessionId } from '../../src/core/ids.ts';
import { itemsToRemove, protectedTurns, type RetentionLimits } from '../../src/core/retention.ts';

const day = 24 * 3_600_000;

function world(limits: () => RetentionLimits) {
  const base = fs.mkdtempSync(path.join(os.tmpdir(), 'memcode-retention-'));
  const project = path.join(base, 'project');
  fs.mkdirSync(project);
  const clock = { now: Date.parse('2026-01-01T00:00:00Z') };
  const said: string[] = [];
  const app = openTimelineApp({
    home: path.join(base, 'home'),
    now: () => clock.now,
    log: (_, text) => said.push(text),
    retention: limits,
    userHome: base,
  });
  const root = app.rootOf(project);
  const session = asSessionId('s');
  const recorder = app.recorder(root, session, 'test');
  const turn = (number: number, bytes = 10_000): void => {
    recorder.begin(`turn ${number}`);
    recorder.snapshot('a.txt');
    fs.writeFileSync(path.join(project, 'a.txt'), `${number}\n`.padEnd(bytes, String(number % 10)));
    recorder.end();
    clock.now += 6 * 60_000;
  };
  return {
    base,
    project,
    app,
    root,
    session,
    clock,
    said,
    turn,
    stored: () => folderSize(path.join(project, '.memcode', 'checkpoints')),
    [Symbol.dispose]() {
      app.dispose();
      fs.rmSync(base, { recursive: true, force: true });
    },
  };
}

test('over the byte budget the oldest turns go, marked and said; the newest stay and can be rewound', async () => {
  using w = world(() => ({ maxBytes: 150_000, maxAgeDays: 0 }));
  for (let n = 1; n <= 30; n++) w.turn(n);
  const turns = w.app.turns(w.session);
  const gone = turns.filter((t) => t.prunedAt !== null);
  assert.ok(gone.length > 0 && turns.slice(0, gone.length).every((t) => t.prunedAt !== null));
  assert.ok(turns.slice(-protectedTurns).every((t) => t.prunedAt === null && t.damaged === null));
  assert.ok(w.stored() < 200_000);
  assert.ok(w.said.some((text) => text.includes('old turns')));

  const before = fs.readFileSync(path.join(w.project, 'a.txt'));
  await assert.rejects(w.app.rewind(gone[0]!.id), (error) => isUserError(error, 'damaged'));
  assert.deepEqual(fs.readFileSync(path.join(w.project, 'a.txt')), before);
  await w.app.rewind(turns.at(-3)!.id);
  assert.match(fs.readFileSync(path.join(w.project, 'a.txt'), 'utf8'), /^27\n/);
  assert.deepEqual(
    (await w.app.doctor(w.root)).filter((f) => f.severity === 'problem'),
    [],
  );
});

test('what a crash left of a turn that was marked goes with the next', () => {
  let maxBytes = 10_000_000;
  using w = world(() => ({ maxBytes, maxAgeDays: 0 }));
  for (let n = 1; n <= 15; n++) w.turn(n);
  const database = new DatabaseSync(path.join(w.base, 'home', 'timeline.db'));
  database.prepare('UPDATE turns SET pruned_at = 1 WHERE seq = 1').run();
  database.close();
  const first = path.join(w.project, '.memcode', 'checkpoints', 's', '1');
  assert.ok(fs.existsSync(first));
  maxBytes = 1;
  w.turn(16);
  assert.equal(fs.existsSync(first), false);
  assert.ok(
    w.app
      .turns(w.session)
      .slice(-protectedTurns)
      .every((t) => t.prunedAt === null),
  );
});

test('under the budget nothing goes, whatever the number of turns', () => {
  using w = world(() => ({ maxBytes: 10_000_000, maxAgeDays: 0 }));
  for (let n = 1; n <= 25; n++) w.turn(n, 100);
  assert.ok(w.app.turns(w.session).every((t) => t.prunedAt === null));
});

test('old turns go by age, and a rewind that is too old can no longer be taken back', async () => {
  using w = world(() => ({ maxBytes: 1e9, maxAgeDays: 30 }));
  for (let n = 1; n <= 12; n++) w.turn(n);
  await w.app.rewind(w.app.turns(w.session)[11]!.id);
  const [first] = w.app.operations(w.root);
  w.clock.now += 20 * day;
  w.turn(13);
  await w.app.rewind(w.app.turns(w.session)[12]!.id);
  w.clock.now += 20 * day;
  for (let n = 14; n <= 26; n++) w.turn(n);
  assert.deepEqual(
    w.app.operations(w.root).map((o) => o.pruned),
    [false, true],
  );
  await assert.rejects(w.app.redo(first!.id), (error) => isUserError(error, 'nothingToDo'));
  const pruned = w.app.turns(w.session).filter((t) => t.prunedAt !== null);
  assert.deepEqual(
    pruned.map((t) => t.number),
    [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12],
  );
});

test('which items go: oldest first, kept ones never, no more than needed', () => {
  const item = (id: string, at: number, isKept = false) => ({
    id,
    at,
    holds: new Map([[id, 10]]),
    isKept,
  });
  const items = [item('new', 3), item('old', 1), item('kept', 0, true), item('middle', 2)];
  const ids = (maxBytes: number, maxAgeDays = 0, now = 4) =>
    itemsToRemove(items, 5, { maxBytes, maxAgeDays }, now).map((i) => i.id);
  assert.deepEqual(ids(45), []);
  assert.deepEqual(ids(44), ['old']);
  assert.deepEqual(ids(25), ['old', 'middle']);
  assert.deepEqual(ids(0), ['old', 'middle', 'new']);
  assert.deepEqual(ids(1000, 1, day + 2), ['old']);
});

test('which items go: what several hold counts once, and is free when the last of them goes', () => {
  const item = (id: string, at: number, holds: Readonly<Record<string, number>>) => ({
    id,
    at,
    holds: new Map(Object.entries(holds)),
    isKept: false,
  });
  const items = [
    item('first', 1, { own: 1, shared: 100 }),
    item('second', 2, { more: 1, shared: 100 }),
    item('third', 3, { last: 1 }),
  ];
  const ids = (maxBytes: number) =>
    itemsToRemove(items, 0, { maxBytes, maxAgeDays: 0 }, 4).map((i) => i.id);
  assert.deepEqual(ids(103), []);
  assert.deepEqual(ids(102), ['first']);
  assert.deepEqual(ids(50), ['first', 'second']);
  assert.deepEqual(ids(1), ['first', 'second']);
});
