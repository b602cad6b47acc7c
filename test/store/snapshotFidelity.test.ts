/** What a snapshot holds and what it leaves out, whatever the user's git settings say. */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import net from 'node:net';
import path from 'node:path';
import { describe, it } from 'node:test';
import { SnapshotWorld, shell, shortly } from '../helpers/snapshotWorld.ts';

const notWindows = { skip: process.platform === 'win32' };

describe('bytes', () => {
  const lines = 'one\r\ntwo\nthree\r\n$Id$\n';
  for (const [what, attributes, settings] of [
    ['text=auto and eol', '* text=auto eol=lf\n', {}],
    ['ident', '* ident\n', {}],
    ['autocrlf', '', { 'core.autocrlf': 'true' }],
    ['a filter', '* filter=up\n', { 'filter.up.clean': 'tr a-z A-Z', 'filter.up.smudge': 'cat' }],
    ['an encoding', '*.txt working-tree-encoding=UTF-16\n', {}],
  ] as const)
    it(`are exact under ${what}`, async () => {
      await using w = new SnapshotWorld();
      w.git('init', '-q');
      for (const [key, value] of Object.entries(settings)) w.git('config', key, value);
      if (attributes) w.put('.gitattributes', attributes);
      const text = what === 'an encoding' ? Buffer.from(`\ufeff${lines}`, 'utf16le') : lines;
      w.put('a.txt', text);
      w.git('add', '-A');
      w.git('commit', '-qm', 'start');
      const store = w.open();
      const { snapshot } = await store.create(shell);
      const state = store.stateAt(snapshot, 'a.txt');
      assert.ok(state.kind === 'file');
      assert.ok(store.read(state.blob).equals(fs.readFileSync(w.path('a.txt'))));
    });

  it('of a changed file are seen whatever its times say', async () => {
    await using w = new SnapshotWorld({ a: 'AAAA', g: 'GGGG' });
    w.git('init', '-q');
    w.git('config', 'core.trustctime', 'false');
    w.git('config', 'core.ignorestat', 'true');
    const store = w.open();
    const blobOf = async () => {
      const { snapshot } = await store.create(shell);
      const state = store.stateAt(snapshot, 'a');
      return state.kind === 'file' ? store.read(state.blob).toString() : state.kind;
    };
    assert.equal(await blobOf(), 'AAAA');
    const { atime, mtime } = fs.statSync(w.path('a'));
    w.put('a', 'BBBB');
    fs.utimesSync(w.path('a'), atime, mtime);
    assert.equal(await blobOf(), 'BBBB');
    fs.copyFileSync(w.path('g'), w.path('a'));
    fs.utimesSync(w.path('a'), atime, mtime);
    assert.equal(await blobOf(), 'GGGG');
    fs.writeFileSync(w.path('b'), 'CCCC');
    fs.utimesSync(w.path('b'), atime, mtime);
    fs.renameSync(w.path('b'), w.path('a'));
    assert.equal(await blobOf(), 'CCCC');
  });

  it('of a file written right after a snapshot are seen even within one tick of the clock', async () => {
    await using w = new SnapshotWorld({ a: '0' });
    const store = w.open();
    for (let i = 1; i < 40; i++) {
      w.put('a', String(i % 10));
      const { snapshot } = await store.create(shell);
      const state = store.stateAt(snapshot, 'a');
      assert.ok(state.kind === 'file');
      assert.equal(store.read(state.blob).toString(), String(i % 10));
    }
  });
});

describe('modes, folders and links', notWindows, () => {
  it('keep every permission bit, empty folders and links as links', async () => {
    await using w = new SnapshotWorld();
    for (const mode of [0o644, 0o600, 0o755, 0o444, 0o700, 0o640, 0o2755, 0o4755, 0o400])
      w.put(`f${mode.toString(8)}`, 'x', mode);
    fs.mkdirSync(w.path('empty/deeper'), { recursive: true });
    fs.mkdirSync(w.path('private'), { mode: 0o700 });
    fs.symlinkSync('/etc/hostname', w.path('outside'));
    const store = w.open();
    const { snapshot } = await store.create(shell);
    for (const name of fs.readdirSync(w.root)) {
      const stat = fs.lstatSync(w.path(name));
      const state = store.stateAt(snapshot, name);
      if (stat.isSymbolicLink()) assert.deepEqual(state.kind, 'symlink');
      else assert.ok('mode' in state && state.mode === (stat.mode & 0o7777), name);
    }
    assert.deepEqual(store.stateAt(snapshot, 'empty/deeper').kind, 'directory');
    w.checkStore();
    w.storeGit('gc', '-q', '--prune=now');
    w.checkStore();
    const later = w.open();
    assert.deepEqual(later.stateAt(snapshot, 'f600'), store.stateAt(snapshot, 'f600'));
    assert.deepEqual(shortly(later.diff(snapshot, snapshot)), []);
  });

  it('a change of permission bits alone is a snapshot of its own', async () => {
    await using w = new SnapshotWorld();
    w.put('key', 'k', 0o644);
    const store = w.open();
    const a = await store.create(shell);
    fs.chmodSync(w.path('key'), 0o600);
    const b = await store.create(shell);
    assert.equal(b.isNew, true);
    assert.deepEqual(shortly(store.diff(a.snapshot, b.snapshot)), ['key: 644 => 600']);
  });
});

describe('names', notWindows, () => {
  it('of any bytes are kept and sorted as git sorts them', async () => {
    await using w = new SnapshotWorld();
    const odd = [
      ' leading and trailing ',
      'new\nline',
      '-rf',
      '"quoted"\\',
      'tab\there',
      'é',
      'e\u0301',
      '日本',
      '😀',
      '\uffee',
      'a',
      'a.b',
      'a0',
      'con',
      '..cfg',
      '#x',
      '!y',
    ];
    for (const name of odd) w.put(name === 'a' ? 'a/inner' : name, name);
    const invalid = [Buffer.from([0x66, 0xff, 0xfe]), Buffer.from([0xc3, 0x28])];
    for (const name of invalid)
      fs.writeFileSync(Buffer.concat([Buffer.from(`${w.root}/`), name]), 'raw');
    fs.mkdirSync(Buffer.concat([Buffer.from(`${w.root}/dir-`), Buffer.of(0x80)]));
    fs.writeFileSync(
      Buffer.concat([Buffer.from(`${w.root}/dir-`), Buffer.from([0x80, 0x2f, 0x66])]),
      'f',
    );
    const store = w.open();
    const { snapshot } = await store.create(shell);
    w.checkStore();
    w.git('init', '-q');
    w.git('add', '-A');
    assert.equal(snapshot.tree, w.git('write-tree').trim());
    fs.appendFileSync(
      Buffer.concat([Buffer.from(`${w.root}/dir-`), Buffer.from([0x80, 0x2f, 0x66])]),
      'more',
    );
    const next = await w.open().create(shell);
    w.git('add', '-A');
    assert.equal(next.snapshot.tree, w.git('write-tree').trim());
  });
});

describe('left out', () => {
  it('are ignored files, excluded folders, large and special files; each with its reason', async () => {
    await using w = new SnapshotWorld({
      '.gitignore': '*.log\n/secret\n!keep.log\ncache/\n',
      'a.log': 'x',
      'keep.log': 'x',
      secret: 'x',
      'sub/secret': 'kept',
      'sub/.gitignore': 'local\n',
      'sub/local': 'x',
      'cache/x': 'x',
      'node_modules/m/index.js': 'x',
      'deep/er/dist/x': 'x',
      bin: 'a file of that name is kept',
      '.memcode/checkpoints/x': 'x',
    });
    w.put('large', Buffer.alloc(2000));
    let server: net.Server | undefined;
    if (process.platform !== 'win32') {
      execFileSync('mkfifo', [w.path('pipe')]);
      server = net.createServer().listen(path.join(w.root, 'sock'));
      await new Promise((resolve) => server?.once('listening', resolve));
    }
    const store = w.open({ limits: { maxFileSize: 1000 } });
    const { snapshot, skipped } = await store.create(shell);
    server?.close();
    assert.deepEqual(Object.keys(w.listed(snapshot.id)).sort(), [
      '.gitignore',
      'bin',
      'deep',
      'deep/er',
      'keep.log',
      'sub',
      'sub/.gitignore',
      'sub/secret',
    ]);
    assert.deepEqual(skipped.counts, {
      ignored: 4,
      excluded: 2,
      tooLarge: 1,
      ...(server && { special: 2 }),
    });
    assert.deepEqual(
      skipped.list
        .filter((row) => row.reason === 'excluded')
        .map((row) => row.path)
        .sort(),
      ['deep/er/dist', 'node_modules'],
    );
  });

  it('is nothing that the user tracks', async () => {
    await using w = new SnapshotWorld({
      '.gitignore': '*.log\nout/\n',
      'tracked.log': 'x',
      'other.log': 'x',
      'out/tracked': 'x',
      'out/other': 'x',
      'bin/tool': 'x',
      'vendor/lib/x': 'x',
      'build/x': 'x',
    });
    w.git('init', '-q');
    w.git('add', '-f', 'tracked.log', 'out/tracked', 'bin/tool', 'vendor/lib/x', '.gitignore');
    w.put('bin/new', 'beside a tracked file');
    const store = w.open();
    const names = async () => {
      const { snapshot } = await store.create(shell);
      return Object.keys(w.listed(snapshot.id))
        .filter((name) => !/^(\.gitignore)$/.test(name))
        .sort();
    };
    const tracked = ['bin', 'bin/new', 'bin/tool', 'out', 'out/tracked', 'tracked.log'];
    const vendor = ['vendor', 'vendor/lib', 'vendor/lib/x'];
    assert.deepEqual(await names(), [...tracked, ...vendor]);
    w.git('add', '-f', 'build/x', 'other.log');
    w.git('rm', '-q', '--cached', '-r', 'vendor', 'tracked.log');
    const now = [
      'bin',
      'bin/new',
      'bin/tool',
      'build',
      'build/x',
      'other.log',
      'out',
      'out/tracked',
    ];
    assert.deepEqual(await names(), now);
    for (const version of ['2', '4']) {
      w.git('update-index', '--index-version', version);
      assert.deepEqual(await names(), now);
    }
  });

  it('follows changes of the rules, and what comes or goes by them was neither created nor deleted', async () => {
    await using w = new SnapshotWorld({ '.gitignore': 'data/\n', 'data/d': 'P', 'x/y.tmp': 'x' });
    const store = w.open();
    const a = (await store.create(shell)).snapshot;
    w.put('.gitignore', '*.tmp\n');
    w.put('new', 'n');
    const b = (await store.create(shell)).snapshot;
    assert.deepEqual(shortly(store.diff(a, b)), [
      '.gitignore: 644 => 644',
      'data: (ignored) => directory',
      'data/d: (ignored) => 644',
      'new: absent => 644',
      'x/y.tmp: 644 => (ignored)',
    ]);
    fs.rmSync(w.path('.gitignore'));
    const c = (await store.create(shell)).snapshot;
    assert.deepEqual(shortly(store.diff(b, c)), [
      '.gitignore: 644 => absent',
      'x/y.tmp: (ignored) => 644',
    ]);
    w.git('init', '-q');
    fs.writeFileSync(w.path('.git/info/exclude'), 'new\n');
    const d = (await store.create(shell)).snapshot;
    assert.deepEqual(shortly(store.diff(c, d)), ['new: 644 => (ignored)']);
  });

  it('a file that grows over the limit and shrinks again', async () => {
    await using w = new SnapshotWorld({ big: 'small' });
    const store = w.open({ limits: { maxFileSize: 100 } });
    const a = (await store.create(shell)).snapshot;
    fs.appendFileSync(w.path('big'), 'x'.repeat(200));
    const b = await store.create(shell);
    assert.deepEqual(shortly(store.diff(a, b.snapshot)), ['big: 644 => (tooLarge)']);
    fs.truncateSync(w.path('big'), 3);
    const c = await store.create(shell);
    assert.deepEqual(shortly(store.diff(b.snapshot, c.snapshot)), ['big: (tooLarge) => 644']);
    assert.deepEqual(c.skipped.counts, {});
  });
});

describe('the repositories of the user', () => {
  it('nested ones are captured without their .git, which stays as it is', async () => {
    await using w = new SnapshotWorld({ 'n/f': 'f', 'n/sub/g': 'g', top: 't' });
    w.git('init', '-q');
    w.git('init', '-q', 'n');
    w.git('-C', 'n', 'add', '-A');
    w.git('-C', 'n', 'commit', '-qm', 'nested');
    w.git('init', '-q', 'unborn');
    const before = execFileSync('find', ['.', '-path', '*.git*', '-printf', '%p %i %s %T@ %C@\n'], {
      cwd: w.root,
      encoding: 'utf8',
    });
    const store = w.open();
    const { snapshot } = await store.create(shell);
    assert.deepEqual(Object.keys(w.listed(snapshot.id)), [
      'n',
      'n/f',
      'n/sub',
      'n/sub/g',
      'top',
      'unborn',
    ]);
    const after = execFileSync('find', ['.', '-path', '*.git*', '-printf', '%p %i %s %T@ %C@\n'], {
      cwd: w.root,
      encoding: 'utf8',
    });
    assert.equal(after, before);
    w.checkStore();
  });

  it('names that some disks take for .git are not captured', async () => {
    await using w = new SnapshotWorld({
      'a/.GIT/x': 'x',
      'git~1': 'x',
      '.git ': 'x',
      '.gi\u200ct': 'x',
      ok: 'x',
    });
    const { snapshot } = await w.open().create(shell);
    assert.deepEqual(Object.keys(w.listed(snapshot.id)), ['a', 'ok']);
    w.checkStore();
  });

  it('is not written whatever the environment points git at', async () => {
    await using w = new SnapshotWorld({ a: 'A' });
    w.git('init', '-q');
    w.git('add', '-A');
    const index = fs.readFileSync(w.path('.git/index'));
    const store = w.open({
      environment: {
        ...process.env,
        GIT_INDEX_FILE: w.path('.git/index'),
        GIT_DIR: w.path('.git'),
        GIT_OBJECT_DIRECTORY: w.path('.git/objects'),
      },
    });
    const objects = () =>
      execFileSync('find', [w.path('.git'), '-type', 'f'], { encoding: 'utf8' });
    const before = objects();
    w.put('b', 'B');
    await store.create(shell);
    assert.equal(objects(), before);
    assert.ok(fs.readFileSync(w.path('.git/index')).equals(index));
  });
});
