import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { barLine, isMet } from '../bench/bar.ts';
import { interleave, median, spread } from '../bench/interleave.ts';

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

test('the spread says where half of the samples lie', () => {
  assert.equal(
    spread('copy', [5, 1, 2, 4, 3]),
    'copy: 3.00 ms, half of 5 rounds within 2.00 and 4.00, fastest 1.00',
  );
});

test('contenders take turns, each goes first as often, and the first two rounds do not count', async () => {
  const order: string[] = [];
  const contender = (name: string) => () => order.push(name);
  const times = await interleave(2, { a: contender('a'), b: contender('b') });
  assert.equal(order.join(''), 'abbaabba');
  assert.deepEqual(times, { a: [5, 8], b: [6, 7] });
});

test('every bar has a name of one word, its group first', () => {
  const folder = path.join(import.meta.dirname, '..', 'bench');
  const files = globSync('*/*.bench.ts', { cwd: folder });
  assert.ok(files.length > 10);
  for (const file of files) {
    const text = readFileSync(path.join(folder, file), 'utf8');
    const names = [...text.matchAll(/^ +(?:\{ )?name: (['`])(.*)\1,/gm)].map(
      ([, , name]) => name ?? '',
    );
    const own = names.filter((name) => !/^(?:Edit|Read|Bash)$/.test(name));
    for (const name of own) assert.match(name, /^[a-z]+\.[\w.${}]+$/, file);
  }
});
