import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { absoluteTime, duration, relativeTime } from '../../../src/cli/moment.ts';

const now = Date.UTC(2026, 2, 5, 12);
const second = 1000;
const hour = 3600 * second;

describe('relative time', () => {
  const check = (ago: number, expected: string) =>
    it(`${ago} ms ago is ${expected}`, () =>
      assert.equal(relativeTime(now - ago, now, 'UTC'), expected));

  check(-hour, 'just now');
  check(0, 'just now');
  check(59 * second, 'just now');
  check(60 * second, '1 min ago');
  check(hour - 1, '59 min ago');
  check(hour, '1 h ago');
  check(24 * hour, 'yesterday');
  check(48 * hour, '2 days ago');
  check(30 * 24 * hour, '2026-02-03');
});

describe('absolute time', () => {
  const check = (zone: string, expected: string) =>
    it(zone, () => assert.equal(absoluteTime(now, zone), expected));

  check('UTC', '2026-03-05 12:00:00');
  check('Asia/Tokyo', '2026-03-05 21:00:00');
  check('Pacific/Auckland', '2026-03-06 01:00:00');
  it('midnight is 00', () =>
    assert.equal(absoluteTime(Date.UTC(2026, 0, 1), 'UTC'), '2026-01-01 00:00:00'));
});

describe('duration', () => {
  const check = (seconds: number, expected: string) =>
    it(expected, () => assert.equal(duration(seconds * second), expected));

  check(-1, '0 s');
  check(59, '59 s');
  check(60, '1 min');
  check(200, '3 min 20 s');
  check(7500, '2 h 5 min');
});
