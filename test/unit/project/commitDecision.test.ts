import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { LeftOutReason } from '../../../src/core/autoCommit.ts';
import {
  decideCommit,
  decidePath,
  inTheWay,
  type PathFacts,
} from '../../../src/project/commitDecision.ts';

const entry = (id: string, mode = '100644') => ({ id, mode });
const staged = (id: string, given: { tag?: string; stage?: number; mode?: string } = {}) => ({
  ...entry(id, given.mode),
  tag: given.tag ?? 'H',
  stage: given.stage ?? 0,
});
const facts = (given: Partial<PathFacts> = {}): PathFacts => ({
  path: 'a',
  isSparse: false,
  head: entry('1'),
  index: staged('1'),
  base: entry('1'),
  after: entry('2'),
  ...given,
});

describe('a path', () => {
  const is = (name: string, given: Partial<PathFacts>, reason: LeftOutReason | 'commit' | 'done') =>
    it(`${name}: ${reason}`, () => {
      const decision = decidePath(facts(given));
      assert.equal(decision.kind === 'leave' ? decision.reason : decision.kind, reason);
    });

  is('changed by the agent alone', {}, 'commit');
  is('created', { head: null, index: null, base: null }, 'commit');
  is('deleted', { after: null }, 'commit');
  is('other mode', { after: entry('1', '100755') }, 'commit');
  is('already in HEAD', { head: entry('2'), index: staged('2') }, 'done');
  is('created and deleted again', { head: null, index: null, base: null, after: null }, 'done');
  is('dirty before', { base: entry('x') }, 'changedBefore');
  is('untracked before', { head: null, index: null }, 'changedBefore');
  is('of another mode before', { base: entry('1', '100755') }, 'changedBefore');
  is('staged', { index: staged('x') }, 'userStaged');
  is('staged as the agent left it', { index: staged('2') }, 'userStaged');
  is('removed from the index', { index: null }, 'userStaged');
  is('intent to add', { head: null, index: staged('e'), base: null }, 'userStaged');
  is('not merged', { index: staged('1', { stage: 2 }) }, 'userStaged');
  is('skip-worktree', { index: staged('1', { tag: 'S' }) }, 'sparse');
  is('outside of a sparse checkout', { isSparse: true, base: null }, 'sparse');
  is('assume-unchanged', { index: staged('1', { tag: 'h' }) }, 'assumeUnchanged');
  is('filter failed', { after: undefined }, 'filterFailed');
  is('pre-image gone', { base: undefined }, 'notStored');
  is('with a fault, whatever git says', { fault: 'submodule' }, 'submodule');
});

describe('a commit', () => {
  const left = (...reasons: LeftOutReason[]) => reasons.map((reason) => ({ path: 'x', reason }));

  it('is made of what can be, beside the rest', () => {
    assert.deepEqual(decideCommit('agentPathsOnly', 1, left('changedBefore'), []), {
      commit: true,
    });
    assert.deepEqual(decideCommit('whenClean', 1, left('ignored', 'submodule'), []), {
      commit: true,
    });
    assert.deepEqual(decideCommit('agentPathsOnly', 0, [], []), { commit: false });
  });

  it('is not made in whenClean while anything is the user’s', () => {
    for (const reason of ['userChanges', 'userStaged'] as const)
      assert.deepEqual(decideCommit('whenClean', 1, [], left(reason)), { commit: false, reason });
    for (const reason of ['changedBefore', 'changedByOthers', 'unattributed'] as const)
      assert.deepEqual(decideCommit('whenClean', 1, left(reason), []), { commit: false, reason });
    assert.equal(
      decideCommit('whenClean', 1, left('changedBefore'), left('userChanges', 'userStaged')).reason,
      'userStaged',
    );
  });

  it('names what matters most when nothing is left', () => {
    assert.equal(
      decideCommit('agentPathsOnly', 0, left('ignored', 'changedBefore'), []).reason,
      'changedBefore',
    );
    assert.equal(decideCommit('separateHunks', 0, left('sparse'), []).reason, 'sparse');
  });
});

describe('what is in the way', () => {
  const refused = (changes: Readonly<Record<string, string | null>>, taken: readonly string[]) =>
    [
      ...inTheWay(
        Object.entries(changes).map(([path, id]) => ({
          path,
          after: id === null ? null : entry(id),
        })),
        (path) => taken.includes(path),
        (path) => taken.filter((each) => each.startsWith(`${path}/`)),
      ),
    ].sort();

  it('a file where a folder is to come, unless it goes', () => {
    assert.deepEqual(refused({ 'a/b': '1' }, ['a']), ['a/b']);
    assert.deepEqual(refused({ 'a/b': '1', a: null }, ['a']), []);
  });

  it('a folder where a file is to come, unless all in it goes', () => {
    assert.deepEqual(refused({ a: '1', 'a/b': null }, ['a/b', 'a/c']), ['a']);
    assert.deepEqual(refused({ a: '1', 'a/b': null, 'a/c': null }, ['a/b', 'a/c']), []);
  });
});
