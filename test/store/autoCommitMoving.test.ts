/** Something moves while a commit is made: nothing is lost, nobody's work is overwritten. */
import assert from 'node:assert/strict';
import fs from 'node:fs';
import { describe, it } from 'node:test';
import { ProjectWorld } from '../helpers/projectWorld.ts';

/** @param act done at a place of the making, the first times it is passed */
function moving(place: string, act: (world: ProjectWorld) => unknown, times = 1): ProjectWorld {
  let left = times;
  const world = new ProjectWorld({
    mode: 'agentPathsOnly',
    app: {
      probe: (at) => {
        if (at === place && left-- > 0) act(world);
      },
    },
  });
  return world;
}

const commit = (world: ProjectWorld) =>
  world.git('commit', '-q', '--allow-empty', '-m', 'meanwhile');

describe('between looking and committing', () => {
  it('the branch goes on: the commit comes on top', async () => {
    await using world = moving('made', commit);
    assert.equal((await world.turn({ 'a.txt': 'A\n' }))?.state, 'committed');
    assert.deepEqual(world.git('log', '--format=%s').trim().split('\n'), [
      '[agent s1] turn 1: Do it',
      'meanwhile',
      'start',
    ]);
  });

  it('the branch keeps going on: it waits, and is made later', async () => {
    await using world = moving('made', commit, 3);
    const result = await world.turn({ 'a.txt': 'A\n' });
    assert.deepEqual([result?.state, result?.reason], ['waiting', 'refMoved']);
    world.app.ingest();
    await world.app.idle();
    assert.deepEqual(world.changed(), ['M a.txt']);
    assert.equal(world.status(), '');
  });

  it('the ref moves under the lock of the index: nothing of theirs is lost', async () => {
    await using world = moving('prepared', (w) => {
      const tree = w.git('rev-parse', 'HEAD^{tree}').trim();
      const made = w.git('commit-tree', tree, '-p', 'HEAD', '-m', 'meanwhile').trim();
      w.git('update-ref', 'refs/heads/main', made);
    });
    assert.equal((await world.turn({ 'a.txt': 'A\n' }))?.state, 'committed');
    assert.equal(world.git('log', '-1', '--format=%s', 'HEAD~1').trim(), 'meanwhile');
    assert.equal(fs.existsSync(world.path('.git/index.lock')), false);
  });

  it('another branch is checked out, or a merge begins', async () => {
    await using world = moving('made', (w) => w.git('checkout', '-q', '-b', 'other'));
    assert.equal((await world.turn({ 'a.txt': 'A\n' }))?.reason, 'branchMoved');
    await using second = moving('made', (w) =>
      fs.writeFileSync(w.path('.git/MERGE_HEAD'), `${w.head}\n`),
    );
    assert.equal((await second.turn({ 'a.txt': 'A\n' }))?.reason, 'merge');
    assert.equal(second.git('rev-list', '--count', 'HEAD').trim(), '1');
  });

  it('the user edits or stages one of the files: that one is theirs', async () => {
    await using world = moving('made', (w) => w.put('a.txt', 'mine\n'));
    const result = await world.turn({ 'a.txt': 'A\n', 'b.txt': 'B\n' });
    assert.deepEqual(result?.leftOut, [{ path: 'a.txt', reason: 'changedByOthers' }]);
    assert.deepEqual(world.changed(), ['M b.txt']);
    await using second = moving('made', (w) => w.git('add', 'a.txt'));
    const staged = await second.turn({ 'a.txt': 'A\n', 'b.txt': 'B\n' });
    assert.deepEqual(staged?.leftOut, [{ path: 'a.txt', reason: 'userStaged' }]);
    assert.equal(second.git('diff', '--cached', '--name-only'), 'a.txt\n');
  });

  it('the user stages something else: it stays staged', async () => {
    await using world = moving('made', (w) => {
      w.put('mine.txt', 'mine\n');
      w.git('add', 'mine.txt');
    });
    assert.equal((await world.turn({ 'a.txt': 'A\n' }))?.state, 'committed');
    assert.match(world.status(), /^1 A\. .* mine\.txt\n$/);
    assert.deepEqual(world.changed(), ['M a.txt']);
  });
});

describe('repositories that are none to commit in', () => {
  it('a bare one', async () => {
    await using world = new ProjectWorld({ git: 'none' });
    world.git('init', '-q', '--bare', '.');
    assert.equal((await world.turn({ 'x.txt': 'x\n' }))?.reason, 'bareRepository');
  });

  it('one of somebody else', { skip: process.getuid?.() !== 0 }, async () => {
    await using world = new ProjectWorld();
    for (const name of ['', '.git']) fs.chownSync(world.path(name), 12345, 12345);
    assert.equal((await world.turn({ 'a.txt': 'A\n' }))?.reason, 'gitUnsafe');
    assert.equal(world.app.projects.notices(world.project).length, 1);
  });

  it('one with a damaged object: told, and nothing half done', async () => {
    await using world = new ProjectWorld();
    const tree = world.git('rev-parse', 'HEAD^{tree}').trim();
    fs.rmSync(world.path(`.git/objects/${tree.slice(0, 2)}/${tree.slice(2)}`));
    const before = world.belongings(['a.txt']);
    const result = await world.turn({ 'a.txt': 'A\n' });
    assert.equal(result?.reason, 'gitFailed');
    assert.match(result?.detail ?? '', /^git /);
    assert.deepEqual(world.belongings(['a.txt']), before);
  });
});
