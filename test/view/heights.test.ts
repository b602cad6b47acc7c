import assert from 'node:assert/strict';
import { test } from 'node:test';
import { HeightModel } from '../../webview/heights.ts';

const estimate = 44;

test('without measurements every row has the estimated height, newest at the top', () => {
  const heights = new HeightModel(estimate);
  heights.resize(3);
  assert.deepEqual(
    [2, 1, 0].map((index) => heights.topOf(index)),
    [0, 44, 88],
  );
  assert.equal(heights.fullHeight, 132);
});

test('a measured row moves what lies below it, and only that', () => {
  const heights = new HeightModel(estimate);
  heights.resize(3);
  assert.equal(heights.measure(1, 100), true);
  assert.equal(heights.measure(1, 100), false);
  assert.deepEqual(
    [2, 1, 0].map((index) => heights.topOf(index)),
    [0, 44, 144],
  );
});

test('an empty list has no row anywhere', () => {
  const heights = new HeightModel(estimate);
  assert.equal(heights.fullHeight, 0);
  assert.equal(heights.indexAt(0), -1);
});

test('measurements stay with their turn when new turns arrive, and go when told to', () => {
  const heights = new HeightModel(estimate);
  heights.resize(2);
  heights.measure(0, 70);
  heights.resize(4);
  assert.equal(heights.heightOf(0), 70);
  assert.equal(heights.topOf(0), 3 * estimate);
  heights.forget();
  assert.equal(heights.fullHeight, 4 * estimate);
});

for (const seed of [1, 2, 3]) {
  test(`agrees with adding up by hand (seed ${seed})`, () => {
    const random = seededRandom(seed);
    const heights = new HeightModel(estimate);
    let byHand: number[] = [];
    for (let step = 0; step < 400; step++) {
      if (random() < 0.1) {
        const total = Math.floor(random() * 60);
        byHand = Array.from({ length: total }, (_, index) => heights.heightOf(index));
        heights.resize(total);
      } else if (byHand.length > 0) {
        const index = Math.floor(random() * byHand.length);
        byHand[index] = 20 + Math.floor(random() * 300);
        heights.measure(index, byHand[index]!);
      }
      check(heights, byHand, random() * (heights.fullHeight + 40) - 20);
    }
  });
}

function check(heights: HeightModel, byHand: readonly number[], y: number): void {
  let top = 0;
  let found = -1;
  for (let index = byHand.length - 1; index >= 0; index--) {
    assert.equal(heights.topOf(index), top);
    if (found === -1 || top <= y) found = index;
    top += byHand[index]!;
  }
  assert.equal(heights.fullHeight, top);
  assert.equal(heights.indexAt(y), found);
}

/** A small generator with a fixed start (mulberry32). */
function seededRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
