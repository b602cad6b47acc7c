/** One run at a time, and one more for all who asked meanwhile. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Latest } from '../../../src/extension/latest.ts';

test('latest: asked during a run, it runs once more afterwards, never twice at a time', async () => {
  const ends: PromiseWithResolvers<void>[] = [];
  const latest = new Latest(() => {
    const end = Promise.withResolvers<void>();
    ends.push(end);
    return end.promise;
  });
  const first = latest.ask();
  const others = [latest.ask(), latest.ask()];
  assert.equal(ends.length, 1);
  ends[0]?.resolve();
  await first;
  assert.equal(others[0], others[1]);
  await new Promise((resolve) => setImmediate(resolve));
  assert.equal(ends.length, 2);
  ends[1]?.resolve();
  await Promise.all(others);
  assert.equal(ends.length, 2);
});

test('latest: a failed run is told to who asked for it, and the next one runs', async () => {
  let runs = 0;
  const latest = new Latest(async () => {
    runs++;
    await Promise.resolve();
    if (runs === 1) throw new Error('broken');
  });
  const first = latest.ask();
  const second = latest.ask();
  await assert.rejects(first, /broken/);
  await second;
  assert.equal(runs, 2);
});
