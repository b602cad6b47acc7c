/** Situations of a repository in which a commit of the agent's work is not made, or made differently. */
import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { describe, it } from 'node:test';
import { asSessionId } from '../../src/core/ids.ts';
import { ofCommit, ProjectWorld, type WorldOptions } from '../helpers/projectWorld.ts';

/** Two branches that change `c.txt` differently; `main` is checked out. */
function forked(options: WorldOptions = {}): ProjectWorld {
  const world = new ProjectWorld({
    files: { 'a.txt': 'a\n', 'c.txt': '1\n' },
    mode: 'agentPathsOnly',
    ...options,
  });
  world.git('checkout', '-q', '-b', 'side');
  world.put('c.txt', 'side\n');
  world.git('commit', '-qam', 'side');
  world.git('checkout', '-q', 'main');
  world.put('c.txt', 'main\n');
  world.git('commit', '-qam', 'main');
  return world;
}

describe('something is going on in the repository', () => {
  for (const [reason, begin] of Object.entries({
    merge: ['merge', 'side'],
    rebase: ['rebase', 'side'],
    cherryPick: ['cherry-pick', 'side'],
    revert: ['revert', '--no-edit', 'main~1'],
  })) {
    it(`${reason}: no commit, and its state stays`, async () => {
      await using world = forked();
      assert.notEqual(world.tryGit(...begin), 0);
      const before = world.belongings(['a.txt']);
      const result = await world.turn({ 'a.txt': 'A\n' });
      assert.deepEqual([result?.state, result?.reason], ['skipped', reason]);
      assert.deepEqual(world.belongings(['a.txt']), before);
      assert.equal(world.app.projects.notices(world.project).length, 1);
    });
  }

  it('bisect, am, and a merge that the agent itself began in its turn', async () => {
    await using world = forked();
    world.git('bisect', 'start');
    const first = await world.turn({ 'a.txt': 'A\n' });
    assert.equal(first?.reason, 'bisect');
    world.git('bisect', 'reset');
    const patch = world.git('format-patch', '-1', '--stdout', 'side');
    fs.writeFileSync(path.join(world.folder, 'p.patch'), patch);
    assert.notEqual(world.tryGit('am', path.join(world.folder, 'p.patch')), 0);
    assert.equal((await world.turn({ 'a.txt': 'AA\n' }))?.reason, 'applyMailbox');
    world.git('am', '--abort');
    const third = await world.turn(
      { 'b.txt': 'b\n' },
      { during: () => world.tryGit('merge', 'side') },
    );
    assert.equal(third?.reason, 'merge');
    world.git('merge', '--abort');
    assert.equal((await world.turn({ 'b.txt': 'bb\n' }))?.state, 'committed');
    assert.deepEqual(world.changed(), ['M a.txt', 'A b.txt']);
  });

  it('files that are not merged, without a merge', async () => {
    await using world = forked();
    world.put('c.txt', 'mine\n');
    world.git('stash', '-q');
    world.put('c.txt', 'other\n');
    world.git('commit', '-qam', 'other');
    assert.notEqual(world.tryGit('stash', 'pop'), 0);
    assert.equal((await world.turn({ 'a.txt': 'A\n' }))?.reason, 'unmerged');
  });
});

describe('where HEAD is', () => {
  it('detached: no commit that would be lost', async () => {
    await using world = forked();
    world.git('checkout', '-q', '--detach');
    const objects = world.git('count-objects');
    assert.equal((await world.turn({ 'a.txt': 'A\n' }))?.reason, 'detachedHead');
    assert.equal(world.git('count-objects'), objects);
    world.git('checkout', '-q', 'main');
    assert.equal((await world.turn({ 'n.txt': 'n\n' }))?.state, 'committed');
    assert.deepEqual(world.changed(), ['M a.txt', 'A n.txt']);
  });

  it('another branch than at the start, and a branch that was rewritten', async () => {
    await using world = forked();
    const first = await world.turn(
      { 'a.txt': 'A\n' },
      { during: () => world.git('checkout', '-q', '-b', 'new') },
    );
    assert.equal(first?.reason, 'branchMoved');
    const second = await world.turn(
      { 'b.txt': 'b\n' },
      { during: () => world.git('commit', '-q', '--amend', '-m', 'rewritten') },
    );
    assert.equal(second?.reason, 'historyRewritten');
  });

  it('commits that the agent made itself: only what it left goes on top', async () => {
    await using world = new ProjectWorld();
    const turn = world.begin({ 'a.txt': 'A\n', 'b.txt': 'B\n' });
    world.git('commit', '-qm', 'agent', '--', 'a.txt');
    const result = await world.end(turn);
    assert.deepEqual(result?.paths, ['b.txt']);
    assert.deepEqual(world.changed(), ['M b.txt']);
    assert.equal(world.status(), '');
  });

  it('an unborn branch gets a first commit of the agent’s paths alone', async () => {
    await using world = new ProjectWorld({ git: 'unborn', mode: 'agentPathsOnly' });
    const result = await world.turn({ 'n.txt': 'n\n', 'a.txt': 'A\n' });
    assert.equal(result?.state, 'committed');
    assert.deepEqual(result.leftOut, [{ path: 'a.txt', reason: 'changedBefore' }]);
    assert.equal(world.git('ls-tree', '--name-only', 'HEAD'), 'n.txt\n');
    assert.equal(world.git('rev-list', '--count', 'HEAD').trim(), '1');
    assert.match(world.status(), /^\? a\.txt\n\? b\.txt\n$/);
  });

  it('no repository: none is made; one that a person makes later is used', async () => {
    await using world = new ProjectWorld({ git: 'none', mode: 'agentPathsOnly' });
    const result = await world.turn({ 'a.txt': 'A\n' });
    assert.equal(result?.reason, 'noRepository');
    assert.equal(fs.existsSync(world.path('.git')), false);
    assert.deepEqual(world.app.projects.notices(world.project), []);
    world.app.projects.initRepository(world.project);
    assert.notEqual(world.tryGit('rev-parse', '-q', '--verify', 'HEAD'), 0);
    assert.equal((await world.turn({ 'n.txt': 'n\n' }))?.state, 'committed');
    assert.equal(world.git('ls-tree', '--name-only', 'HEAD'), 'n.txt\n');
  });
});

describe('where the files are', () => {
  it('a project in a part of a repository uses that and keeps to its part', async () => {
    await using world = new ProjectWorld({
      files: { 'a.txt': 'a\n', 'part/b.txt': 'b\n' },
      below: 'part',
    });
    world.app.projects.attach(world.project, asSessionId(await joined(world)));
    world.put('stray.txt', 'mine\n');
    const result = await world.turn({ 'a.txt': 'A\n', 'part/b.txt': 'B\n' });
    assert.deepEqual(result?.leftOut, [{ path: 'a.txt', reason: 'outsideProject' }]);
    assert.deepEqual(world.changed(), ['M part/b.txt']);
    assert.equal(fs.existsSync(world.path('part/.git')), false);
  });

  it('a linked work tree commits on its own branch; the main one does not notice', async () => {
    await using main = new ProjectWorld();
    const linked = path.join(main.folder, 'linked');
    main.git('worktree', 'add', '-q', '-b', 'other', linked);
    const before = main.belongings([
      '.git/refs/heads/other',
      '.git/logs/refs/heads/other',
      '.git/worktrees',
    ]);
    const { app } = main;
    const project = app.projects.create({ workdir: linked });
    app.projects.change(project.id, { autoCommit: 'whenClean' });
    const recorder = app.recorder(app.rootOf(linked), asSessionId('s9'), 'claude');
    const { turn } = recorder.begin('In a work tree');
    recorder.snapshot('a.txt');
    fs.writeFileSync(path.join(linked, 'a.txt'), 'A\n');
    recorder.end();
    await app.idle();
    assert.equal(app.projects.commitOf(turn)?.branch, 'other');
    assert.equal(main.git('show', 'other:a.txt'), 'A\n');
    assert.equal(main.git('-C', linked, 'status', '--porcelain'), '');
    assert.deepEqual(
      main.belongings(['.git/refs/heads/other', '.git/logs/refs/heads/other', '.git/worktrees']),
      before,
    );
  });

  it('in submodules and nested repositories nothing is committed, and they are not either', async () => {
    await using world = new ProjectWorld();
    const inner = path.join(world.folder, 'inner');
    fs.mkdirSync(inner);
    for (const args of [
      ['init', '-q'],
      ['commit', '-q', '--allow-empty', '-m', 'inner'],
    ])
      world.git('-C', inner, ...args);
    world.git('-c', 'protocol.file.allow=always', 'submodule', '--quiet', 'add', inner, 'sub');
    world.git('commit', '-qm', 'submodule');
    fs.mkdirSync(world.path('nested'));
    world.git('-C', world.path('nested'), 'init', '-q');
    const result = await world.turn({ 'sub/x.txt': 'x\n', 'nested/y.txt': 'y\n', 'a.txt': 'A\n' });
    assert.deepEqual(result?.leftOut, [
      { path: 'sub/x.txt', reason: 'submodule' },
      { path: 'nested/y.txt', reason: 'nestedRepository' },
    ]);
    assert.deepEqual(world.changed(), ['M a.txt']);
    const only = await world.turn({ 'sub/x.txt': 'xx\n' });
    assert.equal(only?.reason, 'submodule');
  });

  it('sparse, assume-unchanged, ignored and too large: left out by name', async () => {
    await using world = new ProjectWorld({
      mode: 'agentPathsOnly',
      files: { 'a.txt': 'a\n', 'u.txt': 'u\n', 'out/s.txt': 's\n', '.gitignore': '*.log\n' },
    });
    world.git('sparse-checkout', 'set', '--no-cone', '/*', '!/out/');
    world.git('update-index', '--assume-unchanged', 'u.txt');
    const flags = world.git('ls-files', '-v', 'u.txt');
    const result = await world.turn({
      'a.txt': 'A\n',
      'out/s.txt': 'S\n',
      'u.txt': 'U\n',
      'x.log': 'x\n',
      'large.bin': (file) => fs.writeFileSync(file, Buffer.alloc(51 * 1024 * 1024)),
    });
    assert.deepEqual(
      Object.fromEntries(result?.leftOut.map(({ path: at, reason }) => [at, reason]) ?? []),
      {
        'large.bin': 'tooLarge',
        'out/s.txt': 'sparse',
        'u.txt': 'assumeUnchanged',
        'x.log': 'ignored',
      },
    );
    assert.deepEqual(world.changed(), ['M a.txt']);
    assert.equal(world.git('ls-files', '-v', 'u.txt'), flags);
  });

  it('names: dashes, magic, globs, quotes, line ends, other scripts', async () => {
    await using world = new ProjectWorld();
    const names = [
      '-x',
      ':(top)y',
      '[a]*',
      'q"\\q',
      'line\nend',
      '名前.txt',
      'é.txt',
      ' sp ace ',
      'd ir/-f\n',
    ];
    await world.turn(Object.fromEntries(names.map((name) => [name, 'one\n'])));
    assert.deepEqual(world.changed().toSorted(), names.map((name) => `A ${name}`).toSorted());
    assert.equal(world.status(), '');
    await world.turn(Object.fromEntries(names.map((name) => [name, null])));
    assert.equal(world.git('ls-tree', '-r', '--name-only', 'HEAD'), 'a.txt\nb.txt\n');
  });

  it('a folder where a file was, a file where a folder was, and a link', async () => {
    await using world = new ProjectWorld({
      files: { swap: 'f\n', 'dir/x': 'x\n', 'dir/y': 'y\n', 'l.txt': 'l\n' },
    });
    await world.turn({
      swap: null,
      'swap/in': 'in\n',
      'l.txt': null,
      link: (file) => fs.symlinkSync('swap/in', file),
    });
    assert.deepEqual(world.changed().toSorted(), ['A link', 'A swap/in', 'D l.txt', 'D swap']);
    const second = await world.turn({
      'dir/x': null,
      'dir/y': null,
      dir: (file) => {
        fs.rmdirSync(file);
        fs.writeFileSync(file, 'now\n');
      },
    });
    assert.equal(second?.state, 'committed');
    assert.deepEqual(world.changed().toSorted(), ['A dir', 'D dir/x', 'D dir/y']);
    assert.equal(world.status(), '');
    assert.match(world.git('ls-tree', 'HEAD', 'link'), /^120000/);
  });

  it('a file that comes where the user’s staged folder is, is left out', async () => {
    await using world = new ProjectWorld({ mode: 'agentPathsOnly' });
    world.put('dir/mine.txt', 'mine\n');
    world.git('add', 'dir/mine.txt');
    fs.rmSync(world.path('dir'), { recursive: true });
    const result = await world.turn({ dir: 'file\n', 'a.txt': 'A\n' });
    assert.deepEqual(result?.leftOut, [{ path: 'dir', reason: 'inTheWay' }]);
    assert.match(world.git('ls-files', 'dir'), /dir\/mine\.txt/);
  });
});

async function joined(world: ProjectWorld): Promise<string> {
  await world.turn({ 'part/first.txt': '1\n' });
  world.git('add', '-A');
  world.tryGit('commit', '-qm', 'first');
  return 's1';
}

describe('settings of the user', () => {
  it('failing hooks, signing without a key and no identity are without effect', async () => {
    await using world = new ProjectWorld();
    for (const hook of [
      'pre-commit',
      'commit-msg',
      'prepare-commit-msg',
      'post-commit',
      'reference-transaction',
      'post-index-change',
    ])
      fs.writeFileSync(
        world.path(`.git/hooks/${hook}`),
        `#!/bin/sh\necho ran >> "${world.folder}/ran"\nexit 1\n`,
        { mode: 0o755 },
      );
    world.git('config', 'commit.gpgsign', 'true');
    world.git('config', 'user.signingkey', 'nobody');
    world.git('config', 'user.useConfigOnly', 'true');
    fs.writeFileSync(
      path.join(world.folder, '.gitconfig'),
      '[core]\n\texcludesFile = x\n\tlogAllRefUpdates = false\n[i18n]\n\tcommitEncoding = latin1\n',
    );
    const before = world.belongings(ofCommit);
    const result = await world.turn({ 'a.txt': 'A\n' }, { prompt: 'Größe' });
    assert.equal(result?.state, 'committed');
    assert.equal(fs.existsSync(path.join(world.folder, 'ran')), false);
    assert.match(
      world.git('-c', 'i18n.logOutputEncoding=UTF-8', 'log', '-1', '--format=%s %G?'),
      /Größe N/,
    );
    const { 'a.txt': _a, ...rest } = world.belongings(ofCommit);
    const { 'a.txt': _b, ...was } = before;
    assert.deepEqual(rest, was);
  });

  it('line ends, attributes and filters: as git itself would commit it', async () => {
    await using world = new ProjectWorld({
      files: {
        '.gitattributes': '*.up filter=up\n*.raw -text\n*.id ident\n',
        'a.txt': 'a\n',
        'b.up': 'B\n',
        'c.raw': 'c\r\n',
        'd.id': '$Id$\n',
      },
    });
    world.git('config', 'core.autocrlf', 'true');
    world.git('config', 'filter.up.clean', 'tr a-z A-Z');
    world.git('config', 'filter.up.smudge', 'tr A-Z a-z');
    fs.rmSync(world.path('.git/index'));
    for (const name of ['a.txt', 'b.up', 'c.raw', 'd.id']) fs.rmSync(world.path(name));
    world.git('checkout', '-q', '-f', 'HEAD', '--', '.');
    assert.equal(world.read('a.txt'), 'a\r\n');
    const result = await world.turn({
      'a.txt': 'aa\r\n',
      'b.up': 'bb\r\n',
      'c.raw': 'cc\r\n',
      'd.id': '$Id: 123 $\r\nd\r\n',
      'n.txt': 'n\r\n',
    });
    assert.deepEqual([result?.state, result?.leftOut], ['committed', []]);
    const blob = (name: string) => world.git('cat-file', 'blob', `HEAD:${name}`);
    assert.deepEqual(['a.txt', 'b.up', 'c.raw', 'd.id', 'n.txt'].map(blob), [
      'aa\n',
      'BB\n',
      'cc\r\n',
      '$Id$\nd\n',
      'n\n',
    ]);
    assert.equal(world.status(), '');
  });

  it('a filter that fails leaves its file out', async () => {
    await using world = new ProjectWorld({ mode: 'agentPathsOnly' });
    world.put('.gitattributes', '*.big filter=big\n');
    world.git('add', '.gitattributes');
    world.git('commit', '-qm', 'attributes');
    world.git('config', 'filter.big.clean', 'false');
    world.git('config', 'filter.big.required', 'true');
    const result = await world.turn({ 'x.big': 'x\n', 'a.txt': 'A\n' });
    assert.deepEqual(result?.leftOut, [{ path: 'x.big', reason: 'filterFailed' }]);
    assert.deepEqual(world.changed(), ['M a.txt']);
  });

  it('split index, untracked cache, fileMode off, SHA-256', async () => {
    await using world = new ProjectWorld();
    world.git('update-index', '--split-index', '--untracked-cache');
    world.git('config', 'core.fileMode', 'false');
    await world.turn({
      'a.txt': (file) => {
        fs.writeFileSync(file, 'A\n');
        fs.chmodSync(file, 0o755);
      },
    });
    assert.match(world.git('ls-tree', 'HEAD', 'a.txt'), /^100644/);
    assert.equal(world.status(), '');
    fs.rmSync(world.path('.git'), { recursive: true });
    world.git('init', '-q', '-b', 'main', '--object-format=sha256');
    world.git('add', '-A');
    world.git('commit', '-qm', 'again');
    const result = await world.turn({ 'a.txt': 'AA\n', 'b.txt': null, 'n.txt': 'n\n' });
    assert.equal(result?.commit?.length, 64);
    assert.equal(world.status(), '');
  });

  it('git that is missing is a reason, not a failure', async () => {
    await using world = new ProjectWorld({ app: { environment: { PATH: '/nowhere' } } });
    assert.equal((await world.turn({ 'a.txt': 'A\n' }))?.reason, 'gitMissing');
  });

  it('an index that another git holds: waits, keeps its lock alone, and is made later', async () => {
    await using world = new ProjectWorld();
    fs.writeFileSync(world.path('.git/index.lock'), '');
    const before = world.belongings(['a.txt']);
    const result = await world.turn({ 'a.txt': 'A\n' });
    assert.deepEqual([result?.state, result?.reason], ['waiting', 'indexLocked']);
    assert.deepEqual(world.belongings(['a.txt']), before);
    fs.rmSync(world.path('.git/index.lock'));
    world.app.ingest();
    await world.app.idle();
    assert.deepEqual(world.changed(), ['M a.txt']);
  });
});
