/** Conflicts that merge by themselves, those a person must merge, and those nobody can. */
import assert from 'node:assert/strict';
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

test('what a person merges by hand stays, and the turn counts as taken back', async () => {
  using driver = await edited();
  const mine = lines('mine', 'two', 'three', 'four', 'five');
  driver.put('a.txt', mine);
  const report = await driver.rewind(1, { byHand: new Set(['a.txt']) });
  assert.deepEqual([report.complete, resultsOf(report)], [true, { 'a.txt': 'kept' }]);
  assert.equal(report.paths[0]?.why.endsWith('to be merged by hand.'), true);
  assert.equal(driver.read('a.txt'), mine);
  assert.equal((await driver.turns())[0]?.rewoundBy, report.operation);
  await driver.redo();
  assert.equal(driver.read('a.txt'), mine);
  assert.equal((await driver.turns())[0]?.rewoundBy, null);
});
