/** A process that dies between any two steps of a commit leaves nothing that the next start does not put right. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import { describe, it } from 'node:test';
import { ofCommit, ProjectWorld } from '../helpers/projectWorld.ts';
import { helperProgram } from '../helpers/storeDriver.ts';

/** Every place, in the order they are passed. `moved`: the branch has the commit from there on. */
const places = ['made', 'journal', 'locked', 'prepared', 'moved', 'replaced', 'recorded'];

/** A turn that is due and nobody has looked at, beside staged, unstaged and untracked work of the user. */
async function due(): Promise<ProjectWorld> {
  let isTrusted = false;
  const world = new ProjectWorld({
    files: { 'a.txt': 'a\n', 'b.txt': 'b\n', 'c.txt': 'c\n' },
    mode: 'agentPathsOnly',
    app: { mayCommit: () => isTrusted },
  });
  world.put('b.txt', 'staged\n');
  world.git('add', 'b.txt');
  world.put('c.txt', 'unstaged\n');
  world.put('stray.txt', 'untracked\n');
  await world.turn({ 'a.txt': 'A\n', 'n.txt': 'n\n' });
  isTrusted = true;
  world.app.dispose();
  return world;
}

function run(world: ProjectWorld, at: string): NodeJS.Signals | null {
  return spawnSync(process.execPath, [helperProgram('storeCommitting'), world.home, at]).signal;
}

async function restart(world: ProjectWorld): Promise<void> {
  world.app = world.open();
  world.app.ingest();
  await world.app.idle();
}

const usersStatus = [/ b\.txt$/m, /1 \.M.* c\.txt$/m, /^\? stray\.txt$/m];

describe('killed', () => {
  for (const at of places)
    it(`at ${at}: the next start leaves one commit and everything else as it was`, async () => {
      await using world = await due();
      const before = world.belongings(ofCommit);
      assert.equal(run(world, at), 'SIGKILL');
      await restart(world);
      assert.equal(world.git('rev-list', '--count', 'HEAD').trim(), '2');
      assert.deepEqual(world.changed(), ['M a.txt', 'A n.txt']);
      const rows = world.status().trim().split('\n');
      assert.equal(rows.length, 3, world.status());
      for (const pattern of usersStatus) assert.match(world.status(), pattern);
      assert.deepEqual(world.belongings(ofCommit), before);
      world.git('fsck', '--strict');
      const [commit] = world.app.projects.commits(world.project);
      assert.deepEqual([commit?.state, commit?.commit], ['committed', world.head]);
      assert.equal(world.git('show', ':b.txt'), 'staged\n');
      world.git('commit', '-qm', 'the user goes on');
      assert.deepEqual(world.changed(), ['M b.txt']);
    });

  it('and the person removed the lock, committed and went on: only what is behind follows', async () => {
    {
      const at = 'moved';
      await using world = await due();
      run(world, at);
      fs.rmSync(world.path('.git/index.lock'));
      world.git('add', 'a.txt');
      world.git('commit', '-qm', 'theirs');
      const tree = world.git('ls-tree', '-r', 'HEAD');
      await restart(world);
      assert.equal(world.git('ls-tree', '-r', 'HEAD'), tree);
      assert.equal(fs.existsSync(world.path('.git/index.lock')), false);
      assert.equal(world.git('show', ':a.txt'), 'A\n');
      assert.equal(world.git('rev-list', '--count', 'HEAD').trim(), '3');
    }
  });

  it('and the branch was set back: nothing of it is brought again into the index', async () => {
    await using world = await due();
    run(world, 'moved');
    fs.rmSync(world.path('.git/index.lock'));
    world.git('reset', '-q', '--soft', 'HEAD~1');
    const index = world.git('ls-files', '--stage', 'b.txt', 'c.txt');
    await restart(world);
    assert.equal(world.git('ls-files', '--stage', 'b.txt', 'c.txt'), index);
  });

  it('and another git holds the index at the next start: later', async () => {
    await using world = await due();
    run(world, 'moved');
    fs.writeFileSync(world.path('.git/index.lock'), 'somebody');
    await restart(world);
    assert.equal(fs.readFileSync(world.path('.git/index.lock'), 'utf8'), 'somebody');
    fs.rmSync(world.path('.git/index.lock'));
    world.app.ingest();
    await world.app.idle();
    assert.equal(world.git('diff', '--cached', '--name-only'), 'b.txt\n');
    assert.equal(world.app.projects.commits(world.project)[0]?.state, 'committed');
  });

  it('and the repository is gone: given up', async () => {
    await using world = await due();
    run(world, 'moved');
    fs.rmSync(world.path('.git'), { recursive: true });
    await restart(world);
    assert.equal(world.app.projects.commits(world.project)[0]?.reason, 'noRepository');
  });
});
