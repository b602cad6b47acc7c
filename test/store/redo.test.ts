/** Taking a rewind back, however late, in whatever order, over whatever was done since. */
import assert from 'node:assert/strict';
import fs from 'node:fs';
import { describe, it } from 'node:test';
import { resultsOf, StoreDriver } from '../helpers/storeDriver.ts';

const files = { 'a.txt': 'A0', 'b.txt': 'B0', 'c.txt': 'C0' };
const start = () => new StoreDriver({ files, inProcess: true });

async function oneTurn(): Promise<StoreDriver> {
  const d = start();
  await d.turn(async (s) => {
    for (const name of ['a.txt', 'b.txt']) await s.edit(name, `${name} 1`);
    await s.edit('new.txt', 'N1');
  });
  return d;
}

describe('redo', () => {
  it('survives new turns and restarts, and asks where they changed the same', async () => {
    using d = start();
    await d.turn(async (s) => {
      await s.edit('a.txt', 'A1');
      await s.edit('b.txt', 'B1');
    });
    const report = await d.rewind(1);
    await d.turn(async (s) => {
      await s.edit('b.txt', 'B2');
      await s.edit('c.txt', 'C2');
    });
    const preview = await d.with((app) => app.previewRedo(report.operation!));
    assert.deepEqual(
      [preview.paths.map((p) => p.path), preview.conflicts.map((c) => c.path)],
      [['a.txt'], ['b.txt']],
    );
    const kept = await d.redo();
    assert.deepEqual(
      [kept.complete, resultsOf(kept)],
      [false, { 'a.txt': 'restored', 'b.txt': 'kept' }],
    );
    assert.deepEqual([d.read('a.txt'), d.read('b.txt'), d.read('c.txt')], ['A1', 'B2', 'C2']);
    assert.notEqual((await d.turns())[0]?.rewoundBy, null);
    await d.with(async (app) => {
      const rewind = app.operations(d.root).find((o) => o.kind === 'rewind');
      await app.redo(rewind!.id, { conflicts: 'take' });
    });
    assert.deepEqual([d.read('a.txt'), d.read('b.txt')], ['A1', 'B1']);
    assert.equal((await d.turns())[0]?.rewoundBy, null);
    assert.deepEqual(await d.problems(), []);
  });

  it('of a rewind that kept something tells what, and undoes just the rest', async () => {
    using d = await oneTurn();
    d.put('b.txt', 'mine');
    const report = await d.rewind(1);
    assert.equal(report.complete, false);
    const newest = () => d.with((app) => app.operations(d.root)[0]);
    assert.deepEqual((await newest())?.partly, { seq: 1, seqs: [1], kept: ['b.txt'] });
    await d.redo();
    assert.equal((await newest())?.partly, undefined);
    assert.equal((await newest())?.label, 'Undid: Rewound to before turn 1');
    assert.equal(d.read('b.txt'), 'mine');
    await d.with(async (app) => {
      await app.redo(app.operations(d.root)[0]!.id);
      assert.equal(app.operations(d.root)[0]?.label, 'Redid: Rewound to before turn 1');
      assert.equal(app.operations(d.root).at(-1)?.undone, false, 'it stands again');
    });
    const whole = await d.rewind(1, { conflicts: 'take' });
    assert.equal(whole.complete, true);
    assert.equal((await newest())?.partly, undefined);
  });

  it('of a turn without files is fine', async () => {
    using d = start();
    await d.turn(() => undefined);
    const report = await d.rewind(1);
    assert.deepEqual([report.paths, report.complete], [[], true]);
    const turns = await d.turns();
    assert.notEqual(turns[0]?.rewoundBy, null);
    await d.redo();
    assert.equal((await d.turns())[0]?.rewoundBy, null);
  });

  it('of rewinds in another order than they were made loses nothing', async () => {
    using d = start();
    for (const n of [1, 2]) await d.turn((s) => s.edit('a.txt', `A${n}`));
    const second = await d.rewind(2);
    const first = await d.rewind(1);
    assert.equal(d.read('a.txt'), 'A0');
    await d.with(async (app) => {
      const kept = await app.redo(second.operation!);
      assert.deepEqual(resultsOf(kept), { 'a.txt': 'kept' });
      await app.redo(first.operation!);
      await app.redo(second.operation!);
    });
    assert.equal(d.read('a.txt'), 'A2');
    await d.rewind(1);
    assert.equal(d.read('a.txt'), 'A0');
  });

  it('brings back what was rewound over a person’s changes, again and again', async () => {
    using d = await oneTurn();
    d.put('a.txt', 'mine');
    fs.chmodSync(d.path('a.txt'), 0o640);
    const before = d.tree();
    for (let round = 0; round < 3; round++) {
      await d.rewind(1, { conflicts: 'take' });
      assert.equal(d.read('a.txt'), 'A0');
      await d.redo();
      assert.deepEqual(d.tree(), before);
    }
  });
});
