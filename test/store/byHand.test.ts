/** Conflicts that merge by themselves, those a person must merge, and those nobody can. */
import assert from 'node:assert/strict';
import fs from 'node:fs';
import { test } from 'node:test';
import { resultsOf, StoreDriver, turnNumbered } from '../helpers/storeDriver.ts';

const lines = (...all: readonly string[]): string => `${all.join('\n')}\n`;
const old = lines('one', 'two', 'three', 'four', 'five');
const agents = lines('ONE', 'two', 'three', 'four', 'five');

async function edited(content: string | Uint8Array = agents): Promise<StoreDriver> {
  const driver = new StoreDriver({ files: { 'a.txt': old }, git: true });
  await driver.turn((session) => session.edit('a.txt', content));
  return driver;
}

const mergeOf = (driver: StoreDriver, unsaved: readonly string[] = []) =>
  driver.with(async (app) => {
    const { id } = turnNumbered(app, 'session-1', 1);
    const preview = await app.preview(id, { unsaved: new Set(unsaved) });
    return preview.conflicts.map(({ merge }) => merge);
  });

test('a preview says how each conflict merges', async () => {
  using apart = await edited();
  apart.put('a.txt', lines('ONE', 'two', 'three', 'four', 'mine'));
  assert.deepEqual(await mergeOf(apart), ['clean']);
  assert.deepEqual(await mergeOf(apart, ['a.txt']), [undefined], 'not before the editor is saved');
  using overlapping = await edited();
  overlapping.put('a.txt', lines('mine', 'two', 'three', 'four', 'five'));
  assert.deepEqual(await mergeOf(overlapping), ['byHand']);
  using binary = await edited(Uint8Array.of(0, 1, 2, 255));
  binary.put('a.txt', Uint8Array.of(0, 1, 2, 3));
  assert.deepEqual(await mergeOf(binary), ['impossible']);
  assert.deepEqual(await mergeOf(binary, ['a.txt']), ['impossible']);
});

test('what a person merges by hand stays, is saved, and the turn counts as taken back', async () => {
  using driver = await edited();
  const mine = lines('mine', 'two', 'three', 'four', 'five');
  driver.put('a.txt', mine);
  const { mtimeMs, ino } = fs.statSync(driver.path('a.txt'));
  const report = await driver.rewind(1, { byHand: new Set(['a.txt']) });
  assert.deepEqual([report.complete, resultsOf(report)], [true, { 'a.txt': 'kept' }]);
  assert.equal(report.paths[0]?.why.endsWith('to be merged by hand.'), true);
  assert.equal(driver.read('a.txt'), mine);
  const now = fs.statSync(driver.path('a.txt'));
  assert.deepEqual([now.mtimeMs, now.ino], [mtimeMs, ino], 'not written');
  assert.equal((await driver.turns())[0]?.rewoundBy, report.operation);
  const content = await driver.with((app) => app.replaced(report.operation!, 'a.txt'));
  assert.ok(content.kind === 'bytes');
  assert.equal(Buffer.from(content.bytes).toString(), mine);
  await driver.redo();
  assert.equal(driver.read('a.txt'), mine);
  assert.equal((await driver.turns())[0]?.rewoundBy, null);
});

test('taking it back finds the merge a person has made, and brings back what was there before', async () => {
  using driver = await edited();
  const mine = lines('mine', 'two', 'three', 'four', 'five');
  driver.put('a.txt', mine);
  await driver.rewind(1, { byHand: new Set(['a.txt']) });
  driver.put('a.txt', lines('merged', 'two'));
  const kept = await driver.redo();
  assert.deepEqual([kept.complete, resultsOf(kept)], [false, { 'a.txt': 'kept' }]);
  await driver.redo({ conflicts: 'take' });
  assert.equal(driver.read('a.txt'), mine);
  assert.equal((await driver.turns())[0]?.rewoundBy, null);
});

test('what is left to merge by hand counts as a person’s, never as ours', async () => {
  using driver = await edited();
  driver.put('a.txt', lines('mine', 'two', 'three', 'four', 'five'));
  await driver.with((app) =>
    app.revertTurn(turnNumbered(app, 'session-1', 1).id, { byHand: new Set(['a.txt']) }),
  );
  const restore = await driver.with((app) =>
    app.previewRestore(turnNumbered(app, 'session-1', 1).id, 'a.txt', 'after'),
  );
  assert.deepEqual(
    restore.conflicts.map(({ path }) => path),
    ['a.txt'],
  );
});
