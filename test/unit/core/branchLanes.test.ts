import assert from 'node:assert/strict';
import { test } from 'node:test';
import { branchLanes, type LaneTurn, mostLanes } from '../../../src/core/branchLanes.ts';

/** One word a turn: its branch, and the line of the turn it goes on from where that is not the one before on its branch. */
function turns(words: string): readonly LaneTurn[] {
  const lastOf = new Map<string, string>();
  return words.split(' ').map((word, line) => {
    const branch = word.slice(0, 1);
    const parent = word.length > 1 ? word.slice(1) : (lastOf.get(branch) ?? null);
    lastOf.set(branch, String(line));
    return { id: String(line), parent, branch };
  });
}

const drawn = (words: string): readonly string[] =>
  branchLanes(turns(words)).map(
    ({ lane, through, fromBefore, toAfter, forks }) =>
      `${fromBefore ? '<' : ''}${lane}${toAfter ? '>' : ''} |${through} /${forks}`,
  );

test('one branch is one line from the first turn to the last', () => {
  assert.deepEqual(drawn('a a a'), ['0> | /', '<0> | /', '<0 | /']);
  assert.deepEqual(drawn('a'), ['0 | /']);
  assert.deepEqual(branchLanes([]), []);
});

test('a branch runs from the turn it forks from', () => {
  assert.deepEqual(drawn('a a b0 a b'), ['0> | /1', '<0> |1 /', '<1> |0 /', '<0 |1 /', '<1 | /']);
});

test('three ways from one turn; a lane that has ended is used again, not in the line where it ends', () => {
  assert.deepEqual(drawn('a b0 c0 a b d3 d'), [
    '0> | /1,2',
    '<1> |0,2 /',
    '<2 |0,1 /',
    '<0 |1 /2',
    '<1 |2 /',
    '<2> | /',
    '<2 | /',
  ]);
});

test('what begins by itself, or goes on from a turn that is not there, forks from nothing', () => {
  assert.deepEqual(drawn('a b9 b a'), ['0> | /', '1> |0 /', '<1 |0 /', '<0 | /']);
});

test('every line joins: what leaves one arrives at the next', () => {
  let seed = 7;
  const random = (below: number): number => {
    seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648;
    return seed % below;
  };
  for (let round = 0; round < 200; round++) {
    const names = ['a'];
    const tipLine = new Map([['a', 0]]);
    const words = ['a'];
    for (let line = 1; line < 12; line++) {
      if (random(3) === 0) {
        const name = String.fromCharCode(97 + names.length);
        names.push(name);
        words.push(`${name}${random(line)}`);
        tipLine.set(name, line);
      } else words.push(names[random(names.length)] ?? 'a');
    }
    const lines = branchLanes(turns(words.join(' ')));
    for (const [i, line] of lines.entries()) {
      const next = lines[i + 1];
      const leaving = [...line.through, ...line.forks, ...(line.toAfter ? [line.lane] : [])].sort();
      const arriving = next
        ? [...next.through, ...(next.fromBefore ? [next.lane] : [])].sort()
        : [];
      assert.deepEqual(leaving, arriving, `${words.join(' ')}: after line ${i}`);
      assert.equal(new Set(leaving).size, leaving.length, words.join(' '));
    }
  }
});

test('ten thousand branches share the lanes that there are', () => {
  const retries = Array.from({ length: 10_000 }, (_, line) => ({
    ...{ id: String(line), parent: line === 0 ? null : '0', branch: String(line) },
  }));
  const lines = branchLanes(retries);
  assert.ok(lines.every(({ lane, through }) => lane < mostLanes && through.length <= mostLanes));
  assert.deepEqual(
    lines[0]?.forks,
    Array.from({ length: mostLanes - 1 }, (_, n) => n + 1),
  );
  assert.deepEqual(lines.at(-1)?.through, []);
});
