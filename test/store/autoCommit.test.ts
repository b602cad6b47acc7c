/** What is committed of a turn, what is not, and that nothing of the user's moves. */
import assert from 'node:assert/strict';
import fs from 'node:fs';
import { describe, it } from 'node:test';
import { asSessionId } from '../../src/core/ids.ts';
import { ofCommit, ProjectWorld } from '../helpers/projectWorld.ts';

describe('a turn in a clean repository', () => {
  it('is one commit of its paths: changed, created, deleted, renamed, made executable', async () => {
    await using world = new ProjectWorld({
      files: {
        'a.txt': 'a\n',
        'b.txt': 'b\n',
        'c.sh': 'c\n',
        'old.txt': 'o\n',
        'still.txt': 's\n',
      },
    });
    const start = world.head;
    const before = world.belongings(ofCommit);
    const result = await world.turn({
      'a.txt': 'A\n',
      'b.txt': null,
      'c.sh': (file) => fs.chmodSync(file, 0o755),
      'old.txt': null,
      'dir/new.txt': 'o\n',
    });
    assert.equal(result?.state, 'committed');
    assert.equal(result.commit, world.head);
    assert.equal(result.branch, 'main');
    assert.deepEqual(world.changed().toSorted(), [
      'A dir/new.txt',
      'D b.txt',
      'D old.txt',
      'M a.txt',
      'M c.sh',
    ]);
    assert.equal(world.git('rev-parse', 'HEAD^').trim(), start);
    assert.equal(world.status(), '');
    assert.match(world.git('ls-files', '--stage', 'c.sh'), /^100755/);
    const { 'a.txt': _a, 'dir/new.txt': _n, ...after } = world.belongings(ofCommit);
    const { 'a.txt': _b, 'b.txt': _c, 'old.txt': _d, ...rest } = before;
    assert.deepEqual(after, rest);
    world.git('fsck', '--strict');
    assert.equal(fs.existsSync(world.path('.git/index.lock')), false);
  });

  it('says which turn of whom it is, by the agent', async () => {
    await using world = new ProjectWorld();
    const long = `First\tline of ${'very '.repeat(30)}long text`;
    await world.turn({ 'a.txt': 'A\n' }, { prompt: long, session: 'abc-1' });
    const [subject, , names, ...trailers] = world
      .git('log', '-1', '--format=%s%n%n%an <%ae> %cn <%ce>%n%(trailers)')
      .split('\n');
    assert.equal(subject, `[agent abc-1] turn 1: First line of ${'very '.repeat(9)}v`.trimEnd());
    assert.equal(
      names,
      'agent (Claude Code) <agent@memcode.invalid> agent (Claude Code) <agent@memcode.invalid>',
    );
    assert.deepEqual(trailers.filter(Boolean), ['Turn-Id: abc-1#1', 'Session: abc-1']);
    await world.turn({ 'a.txt': 'B\n' }, { prompt: '  ', session: 'abc-1' });
    assert.equal(world.git('log', '-1', '--format=%s').trim(), '[agent abc-1] turn 2: (no prompt)');
  });

  it('is none without changes, and none of what HEAD has already', async () => {
    await using world = new ProjectWorld();
    const start = world.head;
    assert.equal(await world.turn({}), undefined);
    const result = await world.turn(
      { 'a.txt': 'A\n' },
      { during: () => world.git('commit', '-qam', 'by hand') },
    );
    assert.equal(result?.state, 'skipped');
    assert.equal(result.reason, 'nothingToCommit');
    assert.equal(world.git('rev-list', '--count', `${start}..HEAD`).trim(), '1');
  });

  it('is off until somebody switches it on, and then only for later turns', async () => {
    await using world = new ProjectWorld({ mode: 'off' });
    const start = world.head;
    assert.equal(await world.turn({ 'a.txt': 'A\n' }), undefined);
    world.git('commit', '-qam', 'by hand');
    const running = world.begin({ 'b.txt': 'B\n' });
    world.app.projects.change(world.project, { autoCommit: 'whenClean' });
    assert.equal(await world.end(running), undefined);
    world.git('commit', '-qam', 'by hand');
    assert.equal((await world.turn({ 'a.txt': 'AA\n' }))?.state, 'committed');
    assert.equal(world.git('rev-list', '--count', `${start}..HEAD`).trim(), '3');
    world.app.projects.change(world.project, { status: 'paused' });
    assert.equal(await world.turn({ 'a.txt': 'AAA\n' }), undefined);
    world.app.projects.change(world.project, { status: 'active' });
    await world.app.idle();
    assert.equal(world.git('rev-list', '--count', `${start}..HEAD`).trim(), '3');
  });
});

describe('the user’s own work', () => {
  for (const [name, dirt] of Object.entries({
    tracked: (world: ProjectWorld) => world.put('b.txt', 'mine\n'),
    staged: (world: ProjectWorld) => {
      world.put('b.txt', 'mine\n');
      world.git('add', 'b.txt');
    },
    untracked: (world: ProjectWorld) => world.put('stray.txt', 'mine\n'),
    'intent to add': (world: ProjectWorld) => {
      world.put('stray.txt', 'mine\n');
      world.git('add', '-N', 'stray.txt');
    },
  })) {
    it(`${name}: whenClean commits nothing and says so once`, async () => {
      await using world = new ProjectWorld();
      dirt(world);
      const before = world.belongings(['a.txt']);
      const result = await world.turn({ 'a.txt': 'A\n' });
      assert.equal(result?.state, 'skipped');
      assert.equal(result.reason, name === 'staged' ? 'userStaged' : 'userChanges');
      assert.deepEqual(
        result.leftOut.map(({ path }) => path),
        [name === 'tracked' || name === 'staged' ? 'b.txt' : 'stray.txt'],
      );
      assert.deepEqual(world.belongings(['a.txt']), before);
      const { projects } = world.app;
      assert.equal(projects.notices(world.project).length, 1);
      projects.told(world.project, [result.reason]);
      await world.turn({ 'a.txt': 'AA\n' });
      assert.deepEqual(projects.notices(world.project), []);
    });

    it(`${name}: agentPathsOnly commits the agent’s paths and leaves the rest`, async () => {
      await using world = new ProjectWorld({ mode: 'agentPathsOnly' });
      dirt(world);
      const status = world.status();
      const before = world.belongings([...ofCommit, 'a.txt']);
      assert.equal((await world.turn({ 'a.txt': 'A\n' }))?.state, 'committed');
      assert.deepEqual(world.changed(), ['M a.txt']);
      assert.equal(world.status(), status);
      assert.deepEqual(world.belongings([...ofCommit, 'a.txt']), before);
    });
  }

  it('in the same file: before the turn, during it, and after it, that file is left out', async () => {
    await using world = new ProjectWorld({
      mode: 'agentPathsOnly',
      files: { 'a.txt': 'a\n', 'b.txt': 'b\n', 'c.txt': 'c\n', 'd.txt': 'd\n' },
    });
    world.put('b.txt', 'mine\n');
    const turn = world.begin({ 'a.txt': 'A\n', 'b.txt': 'B\n', 'd.txt': 'D\n' });
    world.put('c.txt', 'mine\n');
    world.put('d.txt', 'mine after\n');
    world.git('add', 'd.txt');
    const result = await world.end(turn);
    assert.deepEqual(world.changed(), ['M a.txt']);
    assert.deepEqual(result?.leftOut, [
      { path: 'b.txt', reason: 'changedBefore' },
      { path: 'd.txt', reason: 'userStaged' },
    ]);
    assert.match(world.git('diff', '--cached', '--name-only'), /^d\.txt\n$/);
  });

  it('a partly staged file stays as it is, and so does a stash', async () => {
    await using world = new ProjectWorld({ mode: 'agentPathsOnly' });
    world.put('b.txt', 'stashed\n');
    world.git('stash', '-q');
    world.put('b.txt', 'staged\n');
    world.git('add', 'b.txt');
    world.put('b.txt', 'staged and more\n');
    const kept = () => [
      world.git('diff'),
      world.git('diff', '--cached'),
      world.git('stash', 'show', '-p'),
      world.git('reflog', 'show', 'stash'),
    ];
    const before = kept();
    assert.equal((await world.turn({ 'a.txt': 'A\n' }))?.state, 'committed');
    assert.deepEqual(kept(), before);
  });

  it('separateHunks commits the agent’s part of a file and leaves the user’s where it was', async () => {
    const lines = (first: string, last: string) => `${first}\n2\n3\n4\n5\n6\n7\n8\n${last}\n`;
    for (const staged of [false, true]) {
      await using world = new ProjectWorld({
        mode: 'separateHunks',
        files: { 'a.txt': lines('1', '9'), 'b.txt': 'b\n' },
      });
      world.put('a.txt', lines('mine', '9'));
      if (staged) world.git('add', 'a.txt');
      world.put('b.txt', 'mine\n');
      const result = await world.turn({ 'a.txt': lines('mine', 'agent'), 'b.txt': 'agent\n' });
      assert.equal(result?.state, 'committed');
      assert.deepEqual(result.leftOut, [{ path: 'b.txt', reason: 'overlaps' }]);
      assert.equal(world.git('show', 'HEAD:a.txt'), lines('1', 'agent'));
      assert.equal(world.read('a.txt'), lines('mine', 'agent'));
      const diff = world.git('diff', ...(staged ? ['--cached'] : []), '--', 'a.txt');
      assert.match(diff, /-1\n\+mine\n/);
      assert.doesNotMatch(diff, /[-+]agent/);
      assert.equal(world.git('diff', ...(staged ? [] : ['--cached']), '--', 'a.txt'), '');
    }
  });
});

describe('what a turn had to leave', () => {
  it('joins the session’s next commit and does not count as the user’s', async () => {
    await using world = new ProjectWorld();
    world.put('stray.txt', 'mine\n');
    await world.turn({ 'a.txt': 'A\n', 'n.txt': 'n\n' });
    fs.rmSync(world.path('stray.txt'));
    const result = await world.turn({ 'a.txt': 'AA\n', 'b.txt': 'B\n' });
    assert.equal(result?.state, 'committed');
    assert.deepEqual(world.changed(), ['M a.txt', 'M b.txt', 'A n.txt']);
    assert.deepEqual(result.olderTurns, ['s1#1']);
    assert.match(world.git('log', '-1', '--format=%B'), /With what turn 1 had left uncommitted\./);
    assert.equal(world.status(), '');
  });

  it('is the user’s as soon as they edit it', async () => {
    await using world = new ProjectWorld();
    world.put('stray.txt', 'mine\n');
    await world.turn({ 'a.txt': 'A\n' });
    fs.rmSync(world.path('stray.txt'));
    world.put('a.txt', 'A and mine\n');
    const result = await world.turn({ 'b.txt': 'B\n' });
    assert.equal(result?.reason, 'userChanges');
    assert.deepEqual(result?.leftOut, [{ path: 'a.txt', reason: 'userChanges' }]);
    world.git('commit', '-qm', 'mine', '--', 'a.txt');
    assert.equal((await world.turn({ 'b.txt': 'BB\n' }))?.state, 'committed');
    assert.deepEqual(world.changed(), ['M b.txt']);
  });

  it('neither blocks nor joins the commit of another session', async () => {
    await using world = new ProjectWorld();
    world.put('stray.txt', 'mine\n');
    await world.turn({ 'a.txt': 'A\n' });
    fs.rmSync(world.path('stray.txt'));
    assert.equal((await world.turn({ 'b.txt': 'B\n' }, { session: 's2' }))?.state, 'committed');
    assert.deepEqual(world.changed(), ['M b.txt']);
    const running = world.begin({ 'c.txt': 'c\n' }, { session: 's3' });
    assert.equal((await world.turn({ 'd.txt': 'd\n' }, { session: 's2' }))?.state, 'committed');
    assert.deepEqual(world.changed(), ['A d.txt']);
    assert.equal((await world.end(running, 's3'))?.state, 'committed');
    assert.equal((await world.turn({ 'b.txt': 'BB\n' }))?.state, 'committed');
    assert.deepEqual(world.changed(), ['M a.txt', 'M b.txt']);
  });

  it('turns that wait while nobody looks become a commit each', async () => {
    await using world = new ProjectWorld();
    await world.turn({ 'a.txt': 'A\n' });
    let isTrusted = false;
    world.app.dispose();
    world.app = world.open({ mayCommit: () => isTrusted });
    await world.turn({ 'a.txt': 'AA\n', 'n.txt': 'n\n' });
    await world.turn({ 'a.txt': 'AAA\n' });
    await world.turn({ 'n.txt': null });
    assert.equal(world.git('log', '-1', '--format=%s').trim(), '[agent s1] turn 1: Do it');
    isTrusted = true;
    world.app.ingest();
    await world.app.idle();
    assert.deepEqual(world.git('log', '--format=%s').trim().split('\n').slice(0, 3), [
      '[agent s1] turn 4: Do it',
      '[agent s1] turn 3: Do it',
      '[agent s1] turn 2: Do it',
    ]);
    assert.equal(world.status(), '');
    assert.equal(world.git('show', 'HEAD^^:a.txt'), 'AA\n');
  });

  it('what a rewind took back is not committed', async () => {
    await using world = new ProjectWorld();
    world.put('stray.txt', 'mine\n');
    await world.turn({ 'a.txt': 'A\n' });
    const [turn] = world.app.turns(asSessionId('s1'));
    assert.ok(turn);
    await world.app.rewind(turn.id);
    fs.rmSync(world.path('stray.txt'));
    assert.equal((await world.turn({ 'b.txt': 'B\n' }))?.state, 'committed');
    assert.deepEqual(world.changed(), ['M b.txt']);
  });
});
