/**
 * Scenarios in which other tools lost, missed or invented what shell commands did; numbers as in `peers.test.ts`. Real
 * files, real git, real hook processes where nothing has to be injected.
 */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { describe, it, test } from 'node:test';
import { rootFolder } from '../../src/base/home.ts';
import { type DriverOptions, resultsOf, StoreDriver } from '../helpers/storeDriver.ts';
import { stampsOf, treeOf } from '../helpers/storeTree.ts';

const files = { 'a.txt': 'A0', 'b.txt': 'B0' };
const start = (more: DriverOptions = {}) => new StoreDriver({ files, git: true, ...more });
const storeOf = (d: StoreDriver) => path.join(rootFolder(d.home, d.root), 'store.git');

async function onlyTurn(d: StoreDriver) {
  const [turn, ...others] = await d.turns();
  assert.ok(turn && others.length === 0);
  return turn;
}

describe('peers 11: a snapshot that fails is no snapshot', () => {
  it('an empty nested repository, at which git add fails, takes none away', async () => {
    using d = start();
    fs.mkdirSync(d.path('n'));
    spawnSync('git', ['init', '-q', d.path('n')]);
    await d.turn((s) => s.shell('printf A1 > a.txt'));
    await d.turn((s) => s.shell('printf B1 > b.txt'));
    const report = await d.rewind(2);
    assert.deepEqual([d.read('a.txt'), d.read('b.txt'), report.complete], ['A1', 'B0', true]);
    await d.rewind(1);
    assert.equal(d.read('a.txt'), 'A0');
  });

  it('a store that somebody else locks leaves the command uncaptured, and says so', async () => {
    using d = start();
    await d.turn((s) => s.shell('printf A1 > a.txt'));
    const lock = path.join(storeOf(d), 'refs', 'heads', 'main.lock');
    d.put('c.txt', 'so that there is something to record');
    // Of the future: old locks are taken for left behind.
    fs.writeFileSync(lock, '');
    fs.utimesSync(lock, new Date(), new Date(Date.now() + 3_600_000));
    await d.turn(async (s) => {
      await s.shell('printf B1 > b.txt');
      await s.edit('a.txt', 'A2');
    });
    fs.rmSync(lock);
    const [, second] = await d.turns();
    assert.equal(second?.uncapturedShell, true);
    assert.match(second.uncapturedWhy ?? '', /snapshot/);
    assert.deepEqual(
      second.files.map((f) => f.path),
      ['a.txt'],
    );
    const report = await d.rewind(2);
    assert.deepEqual([d.read('a.txt'), d.read('b.txt')], ['A1', 'B1']);
    assert.deepEqual(resultsOf(report), { 'a.txt': 'restored' });
  });
});

describe('peers 13: a store that is gone', () => {
  it('after the turn costs nothing: the pre-images are in the checkpoint', async () => {
    using d = start();
    const before = d.tree();
    await d.turn((s) => s.shell('printf A1 > a.txt; rm b.txt; printf n > n.txt'));
    fs.rmSync(storeOf(d), { recursive: true });
    await d.rewind(1);
    assert.deepEqual(d.tree(), before);
  });

  it('during a command leaves it uncaptured, and nothing is taken for deleted', async () => {
    using d = start();
    await d.turn((s) => s.edit('a.txt', 'A1'));
    await d.turn((s) => s.shell(`printf B1 > b.txt; rm -rf '${storeOf(d)}'`));
    const [, second] = await d.turns();
    assert.deepEqual([second?.uncapturedShell, second?.files], [true, []]);
    const { warnings } = await d.with((app) => app.preview(second!.id));
    assert.match(warnings.join(' '), /Turn 2 ran shell commands/);
    const tree = d.tree();
    await d.rewind(2);
    assert.deepEqual(d.tree(), tree);
  });
});

describe('peers 15: a file that is too large for snapshots', () => {
  const limits = { maxFileSize: 1_000_000 };
  const large = Buffer.alloc(2_000_000, 'x');

  it('stays, and is named as what cannot be put back', async () => {
    using d = start({ inProcess: true, limits });
    d.put('big.bin', large);
    await d.turn((s) => s.shell('echo x >> big.bin; printf A1 > a.txt'));
    const turn = await onlyTurn(d);
    assert.deepEqual(
      turn.unprotected.map((u) => u.path),
      ['big.bin'],
    );
    const report = await d.rewind(1);
    assert.equal(resultsOf(report)['big.bin'], 'notRestorable');
    assert.equal(fs.statSync(d.path('big.bin')).size, large.length + 2);
    assert.equal(d.read('a.txt'), 'A0');
  });

  it('that the command did not touch is not mentioned', async () => {
    using d = start({ inProcess: true, limits });
    d.put('big.bin', large);
    await d.turn((s) => s.shell('printf A1 > a.txt; cat big.bin > /dev/null'));
    assert.deepEqual((await onlyTurn(d)).unprotected, []);
    assert.deepEqual(resultsOf(await d.rewind(1)), { 'a.txt': 'restored' });
  });

  it('comes back when it was small before, and goes when it was not there', async () => {
    using d = start({ inProcess: true, limits });
    const before = d.tree();
    await d.turn((s) =>
      s.shell('head -c 2000000 /dev/zero > a.txt; head -c 2000000 /dev/zero > new.bin'),
    );
    const after = d.tree();
    const report = await d.rewind(1);
    assert.deepEqual(resultsOf(report), { 'a.txt': 'restored', 'new.bin': 'deleted' });
    assert.deepEqual(d.tree(), before);
    await d.redo();
    assert.deepEqual(d.tree(), after);
  });

  it('and one that the edit tool names is saved whatever its size', async () => {
    using d = start({ inProcess: true, limits });
    d.put('big.bin', large);
    await d.turn(async (s) => {
      await s.edit('big.bin', 'small');
      await s.shell('echo x >> big.bin');
    });
    await d.rewind(1);
    assert.deepEqual(fs.readFileSync(d.path('big.bin')), large);
  });
});

test('peers 17: what a command edits, makes, removes and renames is the turn’s, and goes back and forth', async () => {
  using d = start({ files: { ...files, 'd/x': 'X0', 'd/y': 'Y0' } });
  d.put('key', 'secret', 0o600);
  fs.symlinkSync('a.txt', d.path('link'));
  fs.mkdirSync(d.path('empty'));
  const before = d.tree();
  await d.turn((s) =>
    s.shell(
      'sed -i s/A0/A1/ a.txt; printf n > n.txt; rm b.txt; mv a.txt c.txt; rm -r d; mkdir -p e/f h; ' +
        'printf q > e/f/q; ln -sf c.txt link; chmod 640 key; rmdir empty; ln -s nowhere dangling',
    ),
  );
  const after = d.tree();
  const turn = await onlyTurn(d);
  assert.equal(turn.uncapturedShell, false);
  assert.deepEqual(
    turn.files.map((f) => `${f.change} ${f.path} ${f.cause}`),
    [
      'deleted a.txt shell',
      'deleted b.txt shell',
      'added c.txt shell',
      'deleted d/x shell',
      'deleted d/y shell',
      'added dangling shell',
      'added e/f/q shell',
      'deleted empty shell',
      'added h shell',
      'mode key shell',
      'modified link shell',
      'added n.txt shell',
    ],
  );
  const { paths, conflicts, notRestorable } = await d.with((app) => app.preview(turn.id));
  assert.deepEqual([paths.length, conflicts, notRestorable], [13, [], []]);
  await d.rewind(1);
  assert.deepEqual(d.tree(), before);
  await d.redo();
  assert.deepEqual(d.tree(), after);
  await d.rewind(1);
  assert.deepEqual(d.tree(), before);
  assert.deepEqual(await d.problems(), []);
});

test('a folder moved and a file in it edited by one command: both places are the turn’s, and go back and forth', async () => {
  using d = start({ files: { ...files, 'src/x': 'X0', 'src/y': 'Y0', 'src/deep/z': 'Z0' } });
  fs.chmodSync(d.path('src/deep'), 0o700);
  fs.chmodSync(d.path('src/y'), 0o755);
  const before = d.tree();
  await d.turn((s) =>
    s.shell('mv src lib && printf X1 > lib/x && mv lib/y lib/deep/y && printf n > lib/n'),
  );
  const after = d.tree();
  const turn = await onlyTurn(d);
  assert.deepEqual(
    turn.files.map((f) => `${f.change} ${f.path}`),
    [
      ...['added lib/deep/y', 'added lib/deep/z', 'added lib/n', 'added lib/x'],
      ...['deleted src/deep/z', 'deleted src/x', 'deleted src/y'],
    ],
  );
  const { paths, conflicts, notRestorable } = await d.with((app) => app.preview(turn.id));
  assert.deepEqual([conflicts, notRestorable], [[], []]);
  assert.ok(paths.length >= turn.files.length);
  // What a person does at the new place since is not lost with the old one's return.
  d.put('lib/x', 'X1 and mine');
  const report = await d.rewind(1);
  assert.equal(resultsOf(report)['lib/x'], 'kept');
  assert.deepEqual(
    [d.read('lib/x'), d.read('src/x'), d.read('lib/n')],
    ['X1 and mine', 'X0', undefined],
  );
  await d.redo();
  d.put('lib/x', 'X1');
  assert.deepEqual(d.tree(), after);
  await d.rewind(1);
  assert.deepEqual(d.tree(), before);
  assert.deepEqual(await d.problems(), []);
});

test('peers 22: going back writes no file that the command did not change', async () => {
  using d = start();
  fs.utimesSync(d.path('b.txt'), new Date('2020-01-01'), new Date('2020-01-01'));
  const before = stampsOf(d.root)['b.txt'];
  await d.turn((s) => s.shell('printf A1 > a.txt; cat b.txt'));
  await d.rewind(1);
  assert.deepEqual([d.read('a.txt'), stampsOf(d.root)['b.txt']], ['A0', before]);
});

describe('peers 28: changes that stat data hides', () => {
  it('the same size and times, in the same second', async () => {
    using d = start({ files: { ...files, 'g.txt': 'G0' } });
    const at = new Date(Math.floor(Date.now() / 1000) * 1000);
    for (const name of ['a.txt', 'g.txt']) fs.utimesSync(d.path(name), at, at);
    await d.turn((s) => s.shell('true > /dev/null; printf x > warm.txt'));
    for (const command of ['cp -p g.txt a.txt', 'printf A2 > a.txt; touch -r g.txt a.txt']) {
      const before = d.read('a.txt');
      const number = (await d.turns()).length + 1;
      await d.turn((s) => s.shell(command));
      assert.notEqual(d.read('a.txt'), before);
      const report = await d.rewind(number);
      assert.deepEqual([d.read('a.txt'), resultsOf(report)['a.txt']], [before, 'restored']);
      await d.redo();
    }
  });

  it('whatever the user’s git is told to ignore', async () => {
    using d = start();
    for (const setting of ['core.ignorestat', 'core.fsmonitor', 'core.untrackedCache'])
      d.git('config', setting, 'true');
    d.git('config', 'core.trustctime', 'false');
    d.git('update-index', '--assume-unchanged', 'a.txt');
    d.git('update-index', '--skip-worktree', 'b.txt');
    const before = d.tree();
    await d.turn((s) => s.shell('printf A1 > a.txt; printf B1 > b.txt'));
    assert.equal((await onlyTurn(d)).files.length, 2);
    await d.rewind(1);
    assert.deepEqual(d.tree(), before);
  });
});

test('peers 30: files of nested repositories are captured, and their own repositories stay untouched', async () => {
  using d = start();
  fs.mkdirSync(d.path('n'));
  d.put('n/f', 'F0');
  const inner = (...args: string[]) =>
    spawnSync('git', ['-c', 'user.name=T', '-c', 'user.email=t@example.org', ...args], {
      cwd: d.path('n'),
    });
  inner('init', '-q');
  inner('add', '-A');
  inner('commit', '-qm', 'inner');
  const repository = treeOf(d.path('n/.git'));
  const own = treeOf(d.path('.git'));
  await d.turn(async (s) => {
    await s.edit('n/f', 'N1');
    await s.shell('echo 2 > n/g');
  });
  assert.deepEqual(
    (await onlyTurn(d)).files.map((f) => `${f.path} ${f.cause}`),
    ['n/f edit', 'n/g shell'],
  );
  await d.rewind(1);
  assert.deepEqual([d.read('n/f'), d.read('n/g')], ['F0', undefined]);
  assert.deepEqual(treeOf(d.path('n/.git')), repository);
  assert.deepEqual(treeOf(d.path('.git')), own);
});

describe('bytes and modes', () => {
  it('line ends and keywords come back as they were, whatever .gitattributes says', async () => {
    const bytes = { 'w.txt': '1\r\n2\r\n$Id$\r\n', 'x.txt': 'no end' };
    using d = new StoreDriver({
      files: { ...bytes, '.gitattributes': '* text=auto eol=lf ident\n' },
      git: true,
    });
    const before = d.tree();
    await d.turn((s) =>
      s.shell("sed -i 's/2/3/' w.txt; printf '\\r\\n' >> x.txt; rm .gitattributes"),
    );
    await d.rewind(1);
    assert.deepEqual(d.tree(), before);
  });

  it('and so does the mode of a private key', async () => {
    using d = start();
    d.put('key', 'secret', 0o600);
    await d.turn((s) => s.shell('chmod 644 key; rm key; printf other > key'));
    await d.rewind(1);
    assert.deepEqual([d.read('key'), fs.statSync(d.path('key')).mode & 0o777], ['secret', 0o600]);
  });
});

test('variables of git that an agent sets do not reach the user’s index', async () => {
  using d = start();
  const own = treeOf(d.path('.git'));
  const env = {
    GIT_INDEX_FILE: d.path('.git/index'),
    GIT_DIR: d.path('.git'),
    GIT_WORK_TREE: d.root,
    GIT_CONFIG_COUNT: '1',
    GIT_CONFIG_KEY_0: 'core.bare',
    GIT_CONFIG_VALUE_0: 'true',
  };
  const s = d.main;
  await s.prompt();
  const send = (body: object) => d.hook(s.payload({ ...body }), { env });
  const { agentShapes } = await import('../helpers/storeAgents.ts');
  send(agentShapes.claude.shell('before', 'printf A1 > a.txt'));
  d.put('a.txt', 'A1');
  send(agentShapes.claude.shell('after', 'printf A1 > a.txt'));
  await s.stop();
  assert.deepEqual(treeOf(d.path('.git')), own);
  await d.rewind(1);
  assert.equal(d.read('a.txt'), 'A0');
});
