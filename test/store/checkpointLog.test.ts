/** memcode's names over our store: its own cases, and what it leaves untested. */
import assert from 'node:assert/strict';
import fs from 'node:fs';
import { describe, it, test } from 'node:test';
import { CheckpointLog } from '../../src/checkpoint/checkpointLog.ts';
import { isUserError } from '../../src/core/errors.ts';
import { StoreDriver } from '../helpers/storeDriver.ts';
import { treeOf } from '../helpers/storeTree.ts';

const open = (d: StoreDriver, session = 'session-1') =>
  new CheckpointLog(d.root, session, { home: d.home, now: Date.now, agent: 'test' });
const listed = (log: CheckpointLog) =>
  log.list().checkpoints.map(({ seq, manifest }) => [seq, manifest.files.map((row) => row.path)]);

test('two turns with a created file: back one by one, and nothing is left to go back to', async () => {
  using d = new StoreDriver({ files: { 'a.txt': 'A0' } });
  const log = open(d);
  const first = log.begin('First');
  first.snapshot('made.txt');
  d.put('made.txt', 'M1');
  first.end();
  const second = log.begin('Second');
  for (const name of ['a.txt', d.path('a.txt'), './a.txt', 'made.txt']) second.snapshot(name);
  d.put('a.txt', 'A2');
  d.put('made.txt', 'M2');
  second.end();
  assert.deepEqual(listed(log), [
    [1, ['made.txt']],
    [2, ['a.txt', 'made.txt']],
  ]);
  await log.restore(2);
  assert.deepEqual([d.read('a.txt'), d.read('made.txt')], ['A0', 'M1']);
  await log.restore(1);
  assert.equal(d.read('made.txt'), undefined);
  await assert.rejects(log.restore(1), (error) => isUserError(error, 'notFound'));
  assert.deepEqual(listed(log), []);
});

test('nothing on disk before the first snapshot; a turn without edits leaves nothing', () => {
  using d = new StoreDriver({ files: { 'a.txt': 'A0' } });
  const log = open(d);
  const empty = log.begin('Nothing');
  assert.equal(empty.empty(), true);
  empty.end();
  assert.equal(fs.existsSync(d.path('.memcode')), false);
  const refused = log.begin('Refused');
  refused.snapshot('a.txt');
  assert.equal(refused.empty(), false);
  refused.end();
  assert.deepEqual(listed(log), []);
});

test('numbers rise over openings and are never given twice', async () => {
  using d = new StoreDriver({ files: { 'a.txt': 'A0' } });
  const seqs: number[] = [];
  for (let n = 0; n < 4; n++) {
    const turn = open(d).begin(`Turn ${n}`);
    seqs.push(turn.seq);
    turn.snapshot('a.txt');
    d.put('a.txt', `A${n + 1}`);
    turn.end();
    if (n === 1) await open(d).restore(1);
  }
  assert.deepEqual(seqs, [1, 2, 3, 4]);
  await assert.rejects(open(d).restore(2), (error) => isUserError(error, 'notFound'));
  await assert.rejects(open(d).restore(9), (error) => isUserError(error, 'notFound'));
});

test('a failed restore changes nothing, loses nothing, and works when the way is free', async () => {
  using d = new StoreDriver({ files: { 'a.txt': 'A0' } });
  const log = open(d);
  const turn = log.begin('One');
  for (const name of ['a.txt', 'made']) turn.snapshot(name);
  d.put('a.txt', 'A1');
  d.put('made', 'M');
  turn.end();
  fs.rmSync(d.path('made'));
  d.put('made/mine', 'mine');
  const before = [d.tree(), treeOf(d.path('.memcode'))];
  await assert.rejects(log.restore(1, { conflicts: 'take' }), /made/);
  assert.deepEqual([d.tree(), treeOf(d.path('.memcode'))], before);
  fs.rmSync(d.path('made/mine'));
  await log.restore(1, { conflicts: 'take' });
  assert.deepEqual(Object.keys(d.tree()), ['a.txt']);
  assert.equal(d.read('a.txt'), 'A0');
});

describe('edited', () => {
  it('tells what the agent left, so that a later change is a conflict', async () => {
    using d = new StoreDriver({ files: { 'a.txt': 'A0', target: 'T0' } });
    fs.symlinkSync('target', d.path('link'));
    const log = open(d);
    const turn = log.begin('One');
    for (const name of ['a.txt', 'link']) {
      turn.snapshot(name);
      fs.writeFileSync(d.path(name), 'agent');
      turn.edited(name);
      fs.writeFileSync(d.path(name), 'mine');
    }
    turn.edited('../outside');
    turn.end();
    const report = await log.restore(1);
    assert.deepEqual(
      report.paths.map(({ path, result }) => [path, result]),
      [
        ['a.txt', 'kept'],
        ['target', 'kept'],
      ],
    );
    assert.deepEqual(
      (await log.restore(1, { conflicts: 'take' })).paths.map((p) => p.result),
      ['restored', 'restored'],
    );
    assert.deepEqual([d.read('a.txt'), d.read('target')], ['A0', 'T0']);
  });
});

test('sessions do not see each other', async () => {
  using d = new StoreDriver({ files: { 'a.txt': 'A0', 'b.txt': 'B0' } });
  const [one, two] = [open(d, 'one'), open(d, '../two')];
  for (const [log, name] of [
    [one, 'a.txt'],
    [two, 'b.txt'],
  ] as const) {
    const turn = log.begin('x');
    turn.snapshot(name);
    d.put(name, 'new');
    turn.end();
  }
  await two.restore(1);
  assert.deepEqual([d.read('a.txt'), d.read('b.txt')], ['new', 'B0']);
  assert.deepEqual(listed(one), [[1, ['a.txt']]]);
});

test('a root that is no folder is refused', () => {
  using d = new StoreDriver({ files: { 'a.txt': 'A0' } });
  for (const root of [d.path('a.txt'), d.path('missing')])
    assert.throws(
      () => new CheckpointLog(root, 's', { home: d.home, now: Date.now }),
      (error) => isUserError(error, 'notFound'),
    );
});
