import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { layoutBranches, pathTo, type TurnLink } from '../../../src/core/branches.ts';

const link = (id: string, parent: string | null): TurnLink => ({ id, parent, node: `n${id}` });

test('one path is main; the first that follows goes on, each later one begins a branch', () => {
  const { branchOf, depthOf, tips, forks } = layoutBranches([
    link('1', null),
    link('2', '1'),
    link('3', '2'),
    link('4', '1'),
    link('5', '4'),
    link('6', '1'),
  ]);
  assert.deepEqual(Object.fromEntries(branchOf), {
    1: 'main',
    2: 'main',
    3: 'main',
    4: 'retry-n4',
    5: 'retry-n4',
    6: 'retry-n6',
  });
  assert.deepEqual(Object.fromEntries(tips), { main: '3', 'retry-n4': '5', 'retry-n6': '6' });
  assert.deepEqual(Object.fromEntries(forks), { main: null, 'retry-n4': '1', 'retry-n6': '1' });
  assert.equal(depthOf.get('5'), 3);
});

test('a second beginning and a turn whose forerunner is gone are branches of their own', () => {
  const { branchOf } = layoutBranches([link('1', null), link('2', null), link('3', 'gone')]);
  assert.deepEqual([...branchOf.values()], ['main', 'retry-n2', 'retry-n3']);
  assert.equal(layoutBranches([]).tips.size, 0);
});

test('any tree: each turn on one branch, each branch a path to its tip, depths rising by one', () => {
  const trees = fc
    .array(fc.nat(), { maxLength: 60 })
    .map((picks) => picks.map((pick, i) => link(`${i}`, i === 0 ? null : `${pick % i}`)));
  fc.assert(
    fc.property(trees, (turns) => {
      const { branchOf, depthOf, tips } = layoutBranches(turns);
      const byId = new Map(turns.map((turn) => [turn.id, turn]));
      assert.equal(branchOf.size, turns.length);
      for (const [branch, tip] of tips) {
        const path = pathTo(byId, tip);
        assert.equal(path.length, depthOf.get(tip));
        const own = path.filter((id) => branchOf.get(id) === branch);
        assert.deepEqual(own, path.slice(path.length - own.length));
      }
      for (const { id, parent } of turns)
        assert.equal(depthOf.get(id), parent === null ? 1 : (depthOf.get(parent) ?? 0) + 1);
      const leaves = turns.filter(({ id }) => !turns.some(({ parent }) => parent === id));
      assert.equal(tips.size, leaves.length);
    }),
    { numRuns: 200 },
  );
});

test('a path that goes in a circle ends', () => {
  const turns = new Map([
    ['a', link('a', 'b')],
    ['b', link('b', 'a')],
  ]);
  assert.deepEqual(pathTo(turns, 'a'), ['b', 'a']);
});
