/** Mirrors that are damaged, cannot be written, or are pushed to remotes that fail. */
import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { describe, it } from 'node:test';
import { HistoryWorld, id } from '../helpers/historyWorld.ts';
import { assertSound, git, subjects, sync } from '../helpers/mirrorGit.ts';

describe('damage', () => {
  const damages: readonly (readonly [string, (git: string) => void])[] = [
    ['a pack cut short', (at) => truncate(packs(at, '.pack')[0] ?? '')],
    ['an index cut short', (at) => truncate(packs(at, '.idx')[0] ?? '')],
    ['packs that are gone', (at) => fs.rmSync(path.join(at, 'objects'), { recursive: true })],
    [
      'a ref of nonsense',
      (at) => fs.writeFileSync(path.join(at, 'refs', 'heads', 'main'), 'nonsense\n'),
    ],
    [
      'a ref to nothing',
      (at) => fs.writeFileSync(path.join(at, 'refs', 'heads', 'main'), `${'1'.repeat(40)}\n`),
    ],
    ['no HEAD', (at) => fs.rmSync(path.join(at, 'HEAD'))],
  ];
  for (const [name, damage] of damages)
    it(name, async () => {
      using world = new HistoryWorld();
      for (const prompt of ['one', 'two', 'three']) world.turn('S', prompt);
      await sync(world);
      const whole = git(world, 'S', 'rev-parse', 'main');
      world.close();
      damage(path.join(world.mirror('S'), '.git'));
      const messages = world.sql('SELECT * FROM nodes');
      const report = await world.app.history.syncMirrors({ check: true });
      assert.deepEqual(report.failures, []);
      assert.equal(git(world, 'S', 'rev-parse', 'main'), whole);
      assert.equal(git(world, 'S', 'fsck', '--full'), '');
      assert.deepEqual(world.sql('SELECT * FROM nodes'), messages);
      assert.equal((await world.app.history.syncMirrors({ check: true })).commits, 0);
    });

  it('a message that is not what was said is found by a check', async () => {
    using world = new HistoryWorld();
    world.turn('S', 'one');
    await sync(world);
    world.run("UPDATE nodes SET content = 'otherwise' WHERE role = 'user'");
    assert.deepEqual((await world.app.history.syncMirrors()).repairs, []);
    const report = await world.app.history.syncMirrors({ check: true });
    assert.match(report.repairs.join(), /is not what was said.*set aside: .*\.diverged-/);
    assert.ok(
      fs
        .readdirSync(path.dirname(world.mirror('S')))
        .some((name) => name.startsWith('S.diverged-')),
    );
    assertSound(world);
  });

  it('no place to write: the messages are kept, the failure is told and healed', async () => {
    using world = new HistoryWorld();
    fs.mkdirSync(world.home, { recursive: true });
    fs.writeFileSync(path.join(world.home, 'sessions'), 'in the way');
    world.turn('S', 'one');
    const report = await world.app.history.syncMirrors();
    assert.equal(report.failures.length, 1);
    assert.deepEqual(
      world.app.history.mirrorsBehind().map(({ session, behind }) => [session, behind]),
      [['S', 1]],
    );
    assert.ok(
      (await world.app.doctor(world.root)).some(({ text }) =>
        /mirror of this session is behind/.test(text),
      ),
    );
    assert.equal(world.app.history.nodes('S#1' as never).length, 2);
    fs.rmSync(path.join(world.home, 'sessions'));
    assert.equal((await world.app.history.syncMirrors()).commits, 1);
    assert.deepEqual(world.app.history.mirrorsBehind(), []);
  });

  for (const at of ['pack', 'refs', 'done'])
    it(`a crash before ${at} leaves no turn twice and none out`, async () => {
      using world = new HistoryWorld();
      world.turn('S', 'one');
      await sync(world);
      for (const prompt of ['two', 'three']) world.turn('S', prompt);
      world.close();
      let isArmed = true;
      const app = world.open({
        probe: (step) => {
          if (step === at && isArmed) throw new Error('crash');
        },
      });
      assert.equal((await app.history.syncMirrors()).failures.length, 1);
      isArmed = false;
      app.dispose();
      const report = await world.app.history.syncMirrors();
      assert.deepEqual(report.failures, []);
      assert.deepEqual(subjects(world), [
        'turn 3: three',
        'turn 2: two',
        'turn 1: one',
        'session begins',
      ]);
      assertSound(world);
    });
});

describe('a remote', () => {
  const bare = (world: HistoryWorld, name = 'remote.git') => {
    const folder = path.join(world.folder, name);
    execFileSync('git', ['init', '-q', '--bare', folder]);
    return folder;
  };
  const at = (folder: string, ref: string) =>
    spawnSync('git', ['--git-dir', folder, 'rev-parse', '-q', '--verify', ref], {
      encoding: 'utf8',
    }).stdout.trim();

  it('gets every branch after a turn, only when named', async () => {
    using world = new HistoryWorld();
    const remote = bare(world);
    world.turn('S', 'one');
    assert.equal((await sync(world)).pushed, 0);
    world.app.history.setRemote(id('S'), remote);
    assert.equal((await sync(world)).pushed, 1);
    assert.equal(at(remote, 'main'), git(world, 'S', 'rev-parse', 'main'));
    assert.equal((await sync(world)).pushed, 0);
    assert.equal(world.app.history.mirrorState(id('S')).isPushed, true);
    world.app.history.goTo(id('S'), null);
    world.turn('S', 'anew');
    await sync(world);
    assert.equal(
      execFileSync('git', ['--git-dir', remote, 'for-each-ref', '--format=x'], {
        encoding: 'utf8',
      }).trim(),
      'x\nx',
    );
    world.app.history.setRemote(id('S'), null);
    world.turn('S', 'quiet');
    assert.equal((await sync(world)).pushed, 0);
  });

  it('is pushed to by one at a time', async () => {
    using world = new HistoryWorld();
    world.app.history.setRemote(id('S'), bare(world));
    world.turn('S', 'one');
    await world.app.history.syncMirrors();
    for (const word of ['two', 'three', 'four']) {
      world.turn('S', word);
      const reports = await Promise.all([1, 2, 3].map(() => sync(world)));
      assert.deepEqual(
        reports.map(({ pushed }) => pushed),
        [1, 0, 0],
      );
      assert.deepEqual(
        reports.flatMap(({ failures }) => failures),
        [],
      );
    }
  });

  it('that cannot be reached is told, tried again, and loses nothing', async () => {
    using world = new HistoryWorld();
    world.app.history.setRemote(id('S'), path.join(world.folder, 'later.git'));
    world.turn('S', 'one');
    const report = await sync(world);
    assert.equal(report.commits, 1);
    assert.equal(report.failures.length, 1);
    const state = world.app.history.mirrorState(id('S'));
    assert.deepEqual([state.behind, state.failure, state.isPushed], [0, null, false]);
    assert.match(state.pushFailure ?? '', /later\.git/);
    const remote = bare(world, 'later.git');
    assert.equal((await sync(world)).pushed, 1);
    assert.equal(at(remote, 'main'), git(world, 'S', 'rev-parse', 'main'));
    assert.equal(world.app.history.mirrorState(id('S')).pushFailure, null);
  });

  it('is never overwritten, never a command', async () => {
    using world = new HistoryWorld();
    const remote = bare(world);
    const marker = path.join(world.folder, 'ran');
    world.turn('S', 'one');
    for (const hostile of [`ext::sh -c "touch ${marker}"`, `--upload-pack=touch ${marker}`, '-x']) {
      world.app.history.setRemote(id('S'), hostile);
      assert.equal((await sync(world)).failures.length, 1, hostile);
    }
    assert.equal(fs.existsSync(marker), false);
    world.app.history.setRemote(id('S'), remote);
    await sync(world);
    const theirs = execFileSync(
      'git',
      [
        '--git-dir',
        remote,
        '-c',
        'user.name=x',
        '-c',
        'user.email=x',
        'commit-tree',
        'main^{tree}',
        '-m',
        'theirs',
      ],
      { encoding: 'utf8' },
    ).trim();
    execFileSync('git', ['--git-dir', remote, 'update-ref', 'refs/heads/main', theirs]);
    world.turn('S', 'two');
    assert.equal((await sync(world)).failures.length, 1);
    assert.equal(at(remote, 'main'), theirs);
  });
});

function packs(at: string, suffix: string): string[] {
  const folder = path.join(at, 'objects', 'pack');
  return fs
    .readdirSync(folder)
    .filter((name) => name.endsWith(suffix))
    .map((name) => path.join(folder, name));
}

function truncate(file: string): void {
  fs.chmodSync(file, 0o600);
  fs.truncateSync(file, Math.floor(fs.statSync(file).size / 2));
}
