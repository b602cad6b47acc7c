/** Commits of agents' turns that were taken back are reverted by new ones: what becomes of HEAD, and that nothing else moves. */
import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import { describe, it } from 'node:test';
import { isUserError } from '../../src/core/errors.ts';
import { asSessionId, asTurnId, type TurnId } from '../../src/core/ids.ts';
import { type Edits, ofCommit, ProjectWorld, type WorldOptions } from '../helpers/projectWorld.ts';
import { helperProgram } from '../helpers/storeDriver.ts';

const turnOf = (number: number): TurnId => asTurnId(`s1#${number}`);

/** Turns that were committed, with the first of them and all after it taken back. */
async function takenBack(
  turns: readonly Edits[],
  {
    from = 1,
    before,
    ...options
  }: WorldOptions & { from?: number; before?: (w: ProjectWorld) => void } = {},
): Promise<ProjectWorld> {
  const world = new ProjectWorld(options);
  for (const edits of turns) assert.equal((await world.turn(edits))?.state, 'committed');
  before?.(world);
  await world.app.rewind(turnOf(from));
  return world;
}

async function listed(world: ProjectWorld): Promise<readonly TurnId[]> {
  return (await world.app.projects.revertable(world.root)).map(({ turn }) => turn);
}

async function revertAll(world: ProjectWorld) {
  return world.app.projects.revertCommits(world.root, await listed(world));
}

const subjects = (world: ProjectWorld) => world.git('log', '--format=%s').trim().split('\n');

describe('reverting', () => {
  it('makes a commit for each, newest first, and leaves files and the user’s work alone', async () => {
    await using world = await takenBack([
      { 'a.txt': 'A\n' },
      { 'a.txt': 'AA\n', 'dir/n.txt': 'n\n', 'b.txt': null },
    ]);
    const [start, tip] = [world.git('rev-parse', 'HEAD~2').trim(), world.head];
    world.put('stray.txt', 'untracked\n');
    world.put('staged.txt', 'staged\n');
    world.git('add', 'staged.txt');
    const files = world.belongings(ofCommit);
    const stats = fs.statSync(world.path('a.txt'), { bigint: true });
    assert.deepEqual(await listed(world), [turnOf(2), turnOf(1)]);
    const done = await revertAll(world);
    assert.deepEqual(
      done.map(({ turn, commit, by }) => [turn, commit, by]),
      [
        [turnOf(2), tip, world.git('rev-parse', 'HEAD~1').trim()],
        [turnOf(1), world.git('rev-parse', `${tip}~1`).trim(), world.head],
      ],
    );
    assert.deepEqual(subjects(world).slice(0, 2), [
      'Revert "[agent s1] turn 1: Do it"',
      'Revert "[agent s1] turn 2: Do it"',
    ]);
    assert.match(
      world.git('log', '-1', '--format=%b', 'HEAD~1'),
      new RegExp(`^This reverts commit ${tip}\\.`),
    );
    assert.equal(world.git('diff', '--stat', start, 'HEAD'), '');
    assert.deepEqual(world.changed('HEAD~1').toSorted(), ['A b.txt', 'D dir/n.txt', 'M a.txt']);
    assert.deepEqual(world.belongings(ofCommit), files);
    assert.deepEqual(fs.statSync(world.path('a.txt'), { bigint: true }).mtimeNs, stats.mtimeNs);
    assert.deepEqual(
      world
        .status()
        .trim()
        .split('\n')
        .map((row) => row.split(' ').at(-1)),
      ['staged.txt', 'stray.txt'],
    );
    world.git('fsck', '--strict');
    assert.equal(fs.existsSync(world.path('.git/index.lock')), false);
    assert.equal(world.app.projects.commitOf(turnOf(2))?.revertedBy, done[0]?.by);
    assert.deepEqual(await listed(world), []);
    await assert.rejects(revertAll(world), (e) => isUserError(e, 'nothingToDo'));
    assert.equal((await world.turn({ 'a.txt': 'other\n' }))?.reason, 'userStaged');
  });

  it('keeps what was committed since, also in the same file', async () => {
    const lines = Array.from({ length: 20 }, (_, n) => `${n}\n`);
    const text = (edit: Readonly<Record<number, string>>) =>
      lines.map((line, n) => edit[n] ?? line).join('');
    await using world = new ProjectWorld({ files: { 'a.txt': text({}), 'b.txt': 'b\n' } });
    await world.turn({ 'a.txt': text({ 2: 'agent\n' }) });
    world.put('a.txt', text({ 2: 'agent\n', 17: 'user\n' }));
    world.put('b.txt', 'user\n');
    world.git('commit', '-qam', 'by hand');
    await world.app.rewind(turnOf(1), { conflicts: 'merge' });
    assert.equal(world.read('a.txt'), text({ 17: 'user\n' }));
    await revertAll(world);
    assert.equal(world.git('show', 'HEAD:a.txt'), text({ 17: 'user\n' }));
    assert.equal(world.git('show', 'HEAD:b.txt'), 'user\n');
    assert.equal(world.status(), '');
    assert.deepEqual(world.changed(), ['M a.txt']);
  });

  it('is refused whole where later changes overlap, or something is staged, and names the files', async () => {
    await using world = await takenBack([{ 'a.txt': 'A\n', 'b.txt': 'B\n' }, { 'c.txt': 'c\n' }], {
      before(w) {
        w.put('a.txt', 'theirs\n');
        w.git('commit', '-qm', 'by hand', 'a.txt');
        w.put('a.txt', 'A\n');
      },
    });
    const git = world.belongings();
    const head = world.head;
    const refusedAt = (at: string) => (e: unknown) =>
      isUserError(e, 'conflicts') && e.message.includes(at) && String(e.data['paths']) === at;
    await assert.rejects(revertAll(world), refusedAt('a.txt'));
    assert.deepEqual([world.head, world.belongings()], [head, git]);
    await world.app.projects.revertCommits(world.root, [turnOf(2)]);
    assert.deepEqual(world.changed(), ['D c.txt']);
    assert.deepEqual(await listed(world), [turnOf(1)]);

    await using other = await takenBack([{ 'a.txt': 'A\n', 'b.txt': 'B\n' }]);
    other.put('b.txt', 'staged\n');
    other.git('add', 'b.txt');
    const before = other.belongings();
    await assert.rejects(revertAll(other), refusedAt('b.txt'));
    assert.deepEqual(other.belongings(), before);
  });

  it('leaves what the user wrote into the file since', async () => {
    await using world = await takenBack([{ 'a.txt': 'A\n' }]);
    world.put('a.txt', 'mine\n');
    await revertAll(world);
    assert.equal(world.git('show', 'HEAD:a.txt'), 'a\n');
    assert.equal(world.read('a.txt'), 'mine\n');
    assert.match(world.status(), /^1 \.M .* a\.txt\n$/);
  });

  it('takes a first commit back to an empty tree, and a file that became a folder', async () => {
    await using unborn = await takenBack([{ 'n.txt': 'n\n' }], { git: 'unborn', files: {} });
    await revertAll(unborn);
    assert.equal(unborn.git('ls-tree', '-r', 'HEAD'), '');
    assert.equal(unborn.status(), '');

    for (const turns of [[{ x: null }, { 'x/y.txt': 'y\n' }], [{ x: null, 'x/y.txt': 'y\n' }]]) {
      await using world = await takenBack(turns, { files: { x: 'file\n' } });
      await revertAll(world);
      assert.equal(world.git('show', 'HEAD:x'), 'file\n');
      assert.equal(world.status(), '');
      world.git('fsck', '--strict');
    }
  });

  it('has one commit fewer where somebody reverted it by hand', async () => {
    await using world = await takenBack([{ 'a.txt': 'A\n' }]);
    world.git('commit', '-qam', 'by hand');
    const head = world.head;
    assert.deepEqual(
      (await revertAll(world)).map(({ by }) => by),
      [head],
    );
    assert.equal(world.head, head);
    assert.deepEqual(await listed(world), []);
  });
});

describe('what can be reverted', () => {
  it('is of turns that are all taken back, and in the history that is checked out', async () => {
    await using world = new ProjectWorld();
    await world.turn({ 'a.txt': 'A\n' });
    assert.deepEqual(await listed(world), [], 'the turn stands');
    await assert.rejects(world.app.projects.revertCommits(world.root, [turnOf(1)]), (e) =>
      isUserError(e, 'nothingToDo'),
    );
    await world.app.rewind(turnOf(1));
    assert.deepEqual(await listed(world), [turnOf(1)]);
    world.git('branch', 'elsewhere', 'HEAD~1');
    world.git('symbolic-ref', 'HEAD', 'refs/heads/elsewhere');
    assert.deepEqual(await listed(world), []);
  });

  it('is not a commit that holds the work of another turn, which stands', async () => {
    await using world = new ProjectWorld();
    world.put('b.txt', 'mine\n');
    await world.turn({ 'a.txt': 'A\n' });
    world.git('checkout', '-q', 'b.txt');
    const second = await world.turn({ 'n.txt': 'n\n' });
    assert.deepEqual(second?.olderTurns, [turnOf(1)]);
    await world.app.rewind(turnOf(2));
    assert.deepEqual(await listed(world), []);
    await world.app.rewind(turnOf(1));
    assert.deepEqual(await listed(world), [turnOf(2)]);
    await revertAll(world);
    assert.equal(world.status(), '');
  });

  it('an undo of the rewind brings the turns back, and they are committed again', async () => {
    await using world = await takenBack([{ 'a.txt': 'A\n' }]);
    const { app } = world;
    await revertAll(world);
    const [rewind] = app.operations(world.root);
    assert.ok(rewind);
    await app.redo(rewind.id);
    app.ingest();
    await app.idle();
    const again = app.projects.commitOf(turnOf(1));
    assert.deepEqual(
      [again?.state, again?.commit, again?.revertedBy],
      ['committed', world.head, undefined],
    );
    assert.deepEqual(subjects(world).slice(0, 2), [
      '[agent s1] turn 1: Do it',
      'Revert "[agent s1] turn 1: Do it"',
    ]);
    assert.equal(world.status(), '');
    assert.equal(app.turns(asSessionId('s1')).length, 1);
  });
});

describe('in the way', () => {
  it('a merge, a detached HEAD, an index in use: refused, nothing is changed', async () => {
    await using world = await takenBack([{ 'a.txt': 'A\n' }]);
    const refused = async (code: 'refused' | 'locked', text: RegExp) => {
      const before = world.belongings();
      await assert.rejects(revertAll(world), (e) => isUserError(e, code) && text.test(e.message));
      assert.deepEqual(world.belongings(), before);
    };
    const lock = world.path('.git/index.lock');
    fs.writeFileSync(lock, 'somebody');
    await refused('locked', /Try again/);
    fs.rmSync(lock);
    fs.writeFileSync(world.path('.git/MERGE_HEAD'), `${world.head}\n`);
    await refused('refused', /A merge is going on/);
    fs.rmSync(world.path('.git/MERGE_HEAD'));
    world.git('update-ref', '--no-deref', 'HEAD', world.head);
    fs.writeFileSync(world.path('.git/HEAD'), `${world.head}\n`);
    await refused('refused', /detached HEAD/);
  });

  it('hooks that fail and signing without a key do not matter', async () => {
    await using world = await takenBack([{ 'a.txt': 'A\n' }]);
    for (const hook of ['pre-commit', 'commit-msg', 'reference-transaction', 'prepare-commit-msg'])
      fs.writeFileSync(world.path(`.git/hooks/${hook}`), '#!/bin/sh\nexit 1\n', { mode: 0o755 });
    world.git('config', 'commit.gpgsign', 'true');
    world.git('config', 'user.name', 'Somebody');
    world.git('config', 'user.email', 'some@example.org');
    await revertAll(world);
    assert.equal(
      world.git('log', '-1', '--format=%an <%ae> %cn').trim(),
      'Somebody <some@example.org> Somebody',
    );
    assert.equal(world.status(), '');
  });

  it('the branch goes on meanwhile: the commits come on top of that', async () => {
    let isDue = false;
    await using world = await takenBack([{ 'a.txt': 'A\n' }], {
      app: {
        probe(at) {
          if (at !== 'made' || !isDue) return;
          isDue = false;
          world.git('commit', '-q', '--allow-empty', '-m', 'meanwhile');
        },
      },
    });
    isDue = true;
    await revertAll(world);
    assert.deepEqual(subjects(world).slice(0, 2), [
      'Revert "[agent s1] turn 1: Do it"',
      'meanwhile',
    ]);
    assert.equal(world.status(), '');
  });
});

it('several processes at once revert each commit once', async () => {
  await using world = await takenBack([{ 'a.txt': 'A\n' }, { 'n.txt': 'n\n' }]);
  const program = helperProgram('storeReverting');
  await Promise.all(
    Array.from({ length: 4 }, async () => {
      const child = spawn(process.execPath, [program, world.home, world.root], { stdio: 'ignore' });
      await once(child, 'exit');
    }),
  );
  assert.equal(world.git('rev-list', '--count', 'HEAD').trim(), '5');
  assert.deepEqual(await listed(world), []);
  assert.equal(world.status(), '');
});

describe('killed', () => {
  for (const at of ['made', 'journal', 'locked', 'prepared', 'moved', 'replaced', 'recorded'])
    it(`at ${at}: the next start leaves all of it or nothing`, async () => {
      await using world = await takenBack([{ 'a.txt': 'A\n' }, { 'n.txt': 'n\n' }]);
      world.put('stray.txt', 'untracked\n');
      const files = world.belongings(ofCommit);
      world.app.dispose();
      const program = helperProgram('storeReverting');
      const { signal } = spawnSync(process.execPath, [program, world.home, world.root, at]);
      assert.equal(signal, 'SIGKILL');
      world.app = world.open();
      world.app.ingest();
      await world.app.idle();
      const isDone = ['moved', 'replaced', 'recorded'].includes(at);
      assert.equal((await listed(world)).length, isDone ? 0 : 2);
      if (!isDone) await revertAll(world);
      assert.equal(world.git('rev-list', '--count', 'HEAD').trim(), '5');
      assert.match(world.status(), /^\? stray\.txt\n$/);
      assert.deepEqual(world.belongings(ofCommit), files);
      world.git('fsck', '--strict');
    });
});
