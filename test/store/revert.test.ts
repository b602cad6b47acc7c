/** Reverting turns out of the middle, one after the other, and going back across them. */
import assert from 'node:assert/strict';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { test } from 'node:test';
import { openTimelineApp } from '../../src/app/openTimelineApp.ts';
import { isUserError } from '../../src/core/errors.ts';
import { asSessionId } from '../../src/core/ids.ts';

const words = ['one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine'];
const textWith = (...upper: readonly string[]): string =>
  words.map((word) => (upper.includes(word) ? word.toUpperCase() : word)).join('\n');

/** Three turns, each of which changes one line of one file: two, five, eight. */
function threeTurns() {
  const base = fs.mkdtempSync(path.join(os.tmpdir(), 'memcode-revert-'));
  const project = path.join(base, 'project');
  fs.mkdirSync(project);
  const file = path.join(project, 'a.txt');
  fs.writeFileSync(file, textWith());
  const app = openTimelineApp({
    home: path.join(base, 'home'),
    now: Date.now,
    log: () => undefined,
    environment: process.env,
    userHome: base,
  });
  const session = asSessionId('s');
  const recorder = app.recorder(app.rootOf(project), session, 'test');
  const changed: string[] = [];
  for (const word of ['two', 'five', 'eight']) {
    recorder.begin(word);
    recorder.snapshot('a.txt');
    changed.push(word);
    fs.writeFileSync(file, textWith(...changed));
    recorder.end();
  }
  return {
    app,
    project,
    read: () => fs.readFileSync(file, 'utf8'),
    turn: (number: number) => app.turns(session)[number - 1]!,
    root: app.rootOf(project),
    [Symbol.dispose]() {
      app.dispose();
      fs.rmSync(base, { recursive: true, force: true });
    },
  };
}

test('a second revert keeps the first one and the later turns', async () => {
  using w = threeTurns();
  await w.app.revertTurn(w.turn(1).id);
  assert.equal(w.read(), textWith('five', 'eight'));
  const report = await w.app.revertTurn(w.turn(2).id);
  assert.equal(w.read(), textWith('eight'));
  assert.deepEqual([report.complete, report.paths[0]?.result], [true, 'merged']);
  await w.app.revertTurn(w.turn(3).id);
  assert.equal(w.read(), textWith());
});

test('reverts in any order come to the same, and are undone one by one', async () => {
  using w = threeTurns();
  const reports = [];
  for (const number of [2, 3, 1]) reports.push(await w.app.revertTurn(w.turn(number).id));
  assert.equal(w.read(), textWith());
  for (const { operation } of reports.reverse()) await w.app.redo(operation!);
  assert.equal(w.read(), textWith('two', 'five', 'eight'));
  assert.ok([1, 2, 3].every((number) => w.turn(number).rewoundBy === null));
});

test('a reverted turn stays reverted when files go back to before a later one', async () => {
  using w = threeTurns();
  await w.app.revertTurn(w.turn(1).id);
  const preview = await w.app.preview(w.turn(2).id);
  assert.deepEqual(
    preview.paths.map(({ path: at, added, removed }) => [at, added, removed]),
    [['a.txt', 2, 2]],
  );
  const { operation } = await w.app.rewind(w.turn(2).id);
  assert.equal(w.read(), textWith());
  assert.notEqual(w.turn(1).rewoundBy, null);
  await w.app.redo(operation!);
  assert.equal(w.read(), textWith('five', 'eight'));
});

test('a turn whose checkpoint is gone is not rewound, and says so', async () => {
  using w = threeTurns();
  fs.rmSync(path.join(w.project, '.memcode'), { recursive: true });
  for (const number of [1, 2, 3]) {
    await assert.rejects(w.app.rewind(w.turn(number).id), (error) => isUserError(error, 'damaged'));
    await assert.rejects(w.app.preview(w.turn(number).id), (error) =>
      isUserError(error, 'damaged'),
    );
  }
  assert.equal(w.read(), textWith('two', 'five', 'eight'));
  assert.deepEqual(w.app.operations(w.root), []);
});

test('one checkpoint that is gone in the middle stops every rewind across it', async () => {
  using w = threeTurns();
  fs.rmSync(path.join(w.project, '.memcode', 'checkpoints', 's', '2'), { recursive: true });
  await assert.rejects(w.app.rewind(w.turn(1).id), (error) => isUserError(error, 'damaged'));
  assert.equal(w.read(), textWith('two', 'five', 'eight'));
  await w.app.rewind(w.turn(3).id);
  assert.equal(w.read(), textWith('two', 'five'));
});
