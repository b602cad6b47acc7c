/** Undoing after more work: what comes of it is told apart from what a person wrote, and later rewinds keep it. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { resultsOf, StoreDriver, turnNumbered } from '../helpers/storeDriver.ts';

/** A file with three places that do not touch. */
const text = (top: string, middle: string, bottom: string): string =>
  [top, 'x', 'x', 'x', middle, 'y', 'y', 'y', bottom, ''].join('\n');
const start = () => new StoreDriver({ files: { a: text('0', '0', '0') }, inProcess: true });
const revert = (d: StoreDriver, number: number) =>
  d.with((app) => app.revertTurn(turnNumbered(app, 'session-1', number).id));

/** Turns 1 and 2; 1 reverted; turn 3 on top; then the revert undone, which merges. */
async function rejoined(): Promise<StoreDriver> {
  const d = start();
  await d.turn((s) => s.edit('a', text('1', '0', '0')));
  await d.turn((s) => s.edit('a', text('1', '0', '2')));
  await revert(d, 1);
  assert.equal(d.read('a'), text('0', '0', '2'));
  await d.turn((s) => s.edit('a', text('0', '3', '2')));
  const undone = await d.redo({ conflicts: 'merge' });
  assert.deepEqual([resultsOf(undone), undone.complete], [{ a: 'merged' }, true]);
  assert.equal(d.read('a'), text('1', '3', '2'));
  return d;
}

describe('a revert undone after more work of the agent', () => {
  it('is no work of a person: the later turn goes alone, what the undo brought back stays', async () => {
    using d = await rejoined();
    const before = d.tree();
    const preview = await d.with((app) => app.preview(turnNumbered(app, 'session-1', 3).id));
    assert.deepEqual(preview.conflicts, []);
    const report = await d.rewind(3);
    assert.equal(report.complete, true);
    assert.equal(d.read('a'), text('1', '0', '2'));
    await d.redo();
    assert.deepEqual(d.tree(), before);
    await d.rewind(3);
    await d.rewind(2);
    assert.equal(d.read('a'), text('1', '0', '0'));
    await d.rewind(1);
    assert.equal(d.read('a'), text('0', '0', '0'));
  });

  it('goes with its own turn', async () => {
    for (const [number, left] of [
      [2, text('1', '0', '0')],
      [1, text('0', '0', '0')],
    ] as const) {
      using d = await rejoined();
      const report = await d.rewind(number);
      assert.deepEqual([report.complete, d.read('a')], [true, left]);
    }
  });

  it('two of them: none is left out or taken along unasked', async () => {
    using d = start();
    await d.turn((s) => s.edit('a', text('1', '0', '0')));
    await d.turn((s) => s.edit('a', text('1', '0', '2')));
    const reverted = [await revert(d, 2), await revert(d, 1)];
    assert.equal(d.read('a'), text('0', '0', '0'));
    await d.turn((s) => s.edit('a', text('0', '3', '0')));
    for (const { operation } of reverted)
      await d.with((app) => app.redo(operation!, { conflicts: 'merge' }));
    assert.equal(d.read('a'), text('1', '3', '2'));
    const partly = await d.rewind(2);
    assert.deepEqual([resultsOf(partly), d.read('a')], [{ a: 'kept' }, text('1', '3', '2')]);
    await d.rewind(3);
    assert.equal(d.read('a'), text('1', '0', '2'));
    await d.redo();
    const report = await d.rewind(1);
    assert.deepEqual([report.complete, d.read('a')], [true, text('0', '0', '0')]);
  });

  it('each turn can be reverted on its own', async () => {
    using d = await rejoined();
    for (const [number, left] of [
      [3, text('1', '0', '2')],
      [2, text('1', '0', '0')],
      [1, text('0', '0', '0')],
    ] as const) {
      const report = await revert(d, number);
      assert.equal(report.complete, true, String(number));
      assert.equal(d.read('a'), left);
    }
  });

  it('a person’s change after it is a conflict as ever', async () => {
    using d = await rejoined();
    d.put('a', text('1', '3', 'mine'));
    const report = await d.rewind(3);
    assert.deepEqual([resultsOf(report), d.read('a')], [{ a: 'kept' }, text('1', '3', 'mine')]);
  });

  it('where it does not merge it is asked, and said why', async () => {
    using d = await rejoined();
    await d.turn((s) => s.edit('a', text('1 and 4', '3', '2')));
    await d.rewind(4);
    assert.equal(d.read('a'), text('1', '3', '2'));
  });
});

describe('with a person’s work in it', () => {
  it('an undo that merged it is asked about by the next rewind', async () => {
    using d = start();
    await d.turn((s) => s.edit('a', text('1', '0', '0')));
    await d.turn((s) => s.edit('a', text('1', '0', '2')));
    await revert(d, 1);
    d.put('a', text('0', 'mine', '2'));
    const undone = await d.redo({ conflicts: 'merge' });
    assert.deepEqual(resultsOf(undone), { a: 'merged' });
    assert.equal(d.read('a'), text('1', 'mine', '2'));
    for (const number of [2, 1]) {
      const report = await d.rewind(number);
      assert.deepEqual(resultsOf(report), { a: 'kept' });
    }
    const report = await d.rewind(1, { conflicts: 'merge' });
    assert.deepEqual(resultsOf(report), { a: 'merged' });
    assert.equal(d.read('a'), text('0', 'mine', '0'));
  });

  it('a merged rewind is undone over more of it: the bytes it wrote are the base', async () => {
    using d = start();
    await d.turn((s) => s.edit('a', text('1', '0', '0')));
    d.put('a', text('1', '0', 'mine'));
    await d.rewind(1, { conflicts: 'merge' });
    assert.equal(d.read('a'), text('0', '0', 'mine'));
    d.put('a', text('0', 'more', 'mine'));
    const undone = await d.redo({ conflicts: 'merge' });
    assert.deepEqual([resultsOf(undone), undone.complete], [{ a: 'merged' }, true]);
    assert.equal(d.read('a'), text('1', 'more', 'mine'));
    const report = await d.rewind(1);
    assert.deepEqual([resultsOf(report), report.complete], [{ a: 'kept' }, false]);
    await d.rewind(1, { conflicts: 'merge' });
    assert.equal(d.read('a'), text('0', 'more', 'mine'));
  });
});

describe('a rewind undone after another turn', () => {
  it('both turns stand again, and go back one by one', async () => {
    using d = start();
    await d.turn((s) => s.edit('a', text('1', '0', '0')));
    await d.rewind(1);
    await d.turn((s) => s.edit('a', text('0', '0', '2')));
    const undone = await d.redo({ conflicts: 'merge' });
    assert.deepEqual([resultsOf(undone), undone.complete], [{ a: 'merged' }, true]);
    assert.equal(d.read('a'), text('1', '0', '2'));
    const [first, second] = await d.turns();
    const later = await d.with((app) => app.rewind(second!.id));
    assert.deepEqual([later.complete, d.read('a')], [true, text('1', '0', '0')]);
    await d.redo();
    const all = await d.with((app) => app.rewind(first!.id));
    assert.deepEqual([all.complete, d.read('a')], [true, text('0', '0', '0')]);
    assert.deepEqual(await d.problems(), []);
  });
});
