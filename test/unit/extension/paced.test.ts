import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Paced } from '../../../src/extension/paced.ts';

/** A clock that a test moves, a task that takes time, and the starts of its runs. */
function stage(takes: number) {
  let time = 1_000;
  const runs: number[] = [];
  let timer: { readonly at: number; readonly run: () => void } | undefined;
  const paced = new Paced(
    () => {
      runs.push(time);
      time += takes;
    },
    {
      now: () => time,
      setTimer(run, milliseconds) {
        const mine = { at: time + milliseconds, run };
        timer = mine;
        return {
          cancel() {
            if (timer === mine) timer = undefined;
          },
        };
      },
    },
  );
  const pass = (milliseconds: number): void => {
    const end = time + milliseconds;
    if (timer !== undefined && timer.at <= end) {
      const due = timer;
      timer = undefined;
      time = due.at;
      due.run();
    }
    time = Math.max(time, end);
  };
  return { paced, runs, pass };
}

test('what is quick runs whenever it is asked to', () => {
  const { paced, runs, pass } = stage(0);
  for (let n = 0; n < 3; n++) {
    paced.ask();
    pass(1);
  }
  assert.deepEqual(runs, [1_000, 1_001, 1_002]);
});

test('what is slow rests four times as long, and is then done once', () => {
  const { paced, runs, pass } = stage(100);
  paced.ask();
  for (let n = 0; n < 10; n++) paced.ask();
  pass(399);
  assert.deepEqual(runs, [1_000]);
  pass(1);
  assert.deepEqual(runs, [1_000, 1_500]);
});

test('it rests at most 800 ms, and not after its end', () => {
  const { paced, runs, pass } = stage(1_000);
  paced.ask();
  paced.ask();
  pass(800);
  assert.deepEqual(runs, [1_000, 2_800]);
  paced.ask();
  paced.dispose();
  pass(5_000);
  assert.equal(runs.length, 2);
});

test('a failing run rests too', () => {
  let time = 0;
  const waits: number[] = [];
  const paced = new Paced(
    () => {
      time += 10;
      throw new Error('no');
    },
    {
      now: () => time,
      setTimer: (_run, milliseconds) => {
        waits.push(milliseconds);
        return { cancel: () => undefined };
      },
    },
  );
  assert.throws(() => paced.ask());
  paced.ask();
  assert.deepEqual(waits, [40]);
});
