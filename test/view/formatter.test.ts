import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Formatter, sameDay } from '../../webview/formatter.ts';

const second = 1000;
const minute = 60 * second;
const hour = 60 * minute;
const day = 24 * hour;
/** Noon wherever the test runs. */
const now = new Date(2026, 2, 12, 12).getTime();

test('relative times', () => {
  const format = new Formatter('en');
  const check = (age: number, narrow: string | null, long: string | null): void => {
    assert.equal(format.relative(now - age, now), narrow);
    assert.equal(format.relative(now - age, now, 'long'), long);
  };
  check(59 * second, null, null);
  check(-5 * minute, null, null);
  check(minute, '1m ago', '1 minute ago');
  check(59 * minute, '59m ago', '59 minutes ago');
  check(hour, '1h ago', '1 hour ago');
  check(day, 'yesterday', 'yesterday');
  check(5 * day, '5d ago', '5 days ago');
  check(45 * day, 'last mo.', 'last month');
  check(800 * day, '2y ago', '2 years ago');
});

test('days have names, and a year when it is another', () => {
  const format = new Formatter('en');
  assert.equal(format.dayHeading(now - hour, now), 'Today');
  assert.equal(format.dayHeading(now - day, now), 'Yesterday');
  assert.equal(format.dayHeading(now - 3 * day, now), 'Monday, March 9');
  assert.equal(format.dayHeading(now - 365 * day, now), 'Wednesday, March 12, 2025');
  assert.equal(sameDay(now, now - 11 * hour), true);
  assert.equal(sameDay(now, now - 13 * hour), false);
});

test('durations', () => {
  const format = new Formatter('en');
  assert.equal(format.duration(400), '0s');
  assert.equal(format.duration(48 * second), '48s');
  assert.equal(format.duration(3 * minute), '3m');
  assert.equal(format.duration(3 * minute + 20 * second), '3m 20s');
  assert.equal(format.duration(65 * minute), '1h 5m');
});

test('speaks the language it is given, and English for one that is none', () => {
  assert.equal(new Formatter('de').dayHeading(now, now), 'Heute');
  assert.equal(new Formatter('zh-cn').relative(now - 5 * minute, now), '5分钟前');
  assert.equal(new Formatter('not a language').locale, 'en');
  assert.equal(new Formatter('').locale, 'en');
});
