import assert from 'node:assert/strict';
import { test } from 'node:test';
import { barLine, isMet } from '../bench/bar.ts';
import { interleave, median } from '../bench/interleave.ts';

test('a bar is met up to its limit, and is one line', () => {
  const bar = { name: 'hook.wall', measured: 1.23456, limit: 1.5 };
  assert.equal(barLine(bar), 'bar hook.wall 1.235 limit 1.5');
  assert.equal(isMet(bar), true);
  assert.equal(isMet({ ...bar, measured: 1.5 }), true);
  assert.equal(isMet({ ...bar, measured: 1.5001 }), false);
});

test('medians of odd and even counts', () => {
  assert.equal(median([3, 1, 2]), 2);
  assert.equal(median([4, 1, 3, 2]), 2.5);
  assert.throws(() => median([]));
});

test('contenders take turns, and each goes first as often', async () => {
  const order: string[] = [];
  const times = await interleave(3, { a: () => order.push('a'), b: () => order.push('b') });
  assert.equal(order.join(''), 'abbaabba');
  assert.deepEqual(Object.keys(times), ['a', 'b']);
});
