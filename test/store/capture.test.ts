/** What is saved before an edit, whatever is at the path, and what comes back. */
import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { describe, it, test } from 'node:test';
import { hashFile } from '../../src/base/hash.ts';
import { hookFile, resultsOf, StoreDriver } from '../helpers/storeDriver.ts';
import { modesOf, stampsOf } from '../helpers/storeTree.ts';

const pathsIn = (d: StoreDriver, seq = 1) => d.manifest(seq).files.map((row) => row['path']);

describe('folders the turn made', () => {
  it('stay when a person put something in', async () => {
    using d = new StoreDriver();
    await d.turn((s) => s.edit('x/y/new', 'n'));
    d.put('x/mine', 'mine');
    await d.rewind(1);
    assert.deepEqual(Object.keys(d.tree()), ['x', 'x/mine']);
  });

  it('go also when the file that made them was undone within the turn', async () => {
    using d = new StoreDriver();
    await d.turn(async (s) => {
      await s.edit('x/first', 'n');
      await s.edit('x/second', 'n');
      await s.edit('x/first', fs.unlinkSync);
    });
    assert.deepEqual(pathsIn(d), ['x/second']);
    await d.rewind(1);
    assert.deepEqual(Object.keys(d.tree()), []);
  });

  it('that a person replaced by something else are left alone by a redo', async () => {
    using d = new StoreDriver({ files: { 'd/x': 'X', other: 'O' } });
    await d.turn(async (s) => {
      await s.edit('d/x', (file) => {
        fs.unlinkSync(file);
        fs.rmdirSync(path.dirname(file));
      });
      await s.edit('new', 'N');
    });
    await d.rewind(1);
    fs.rmSync(d.path('d'), { recursive: true });
    fs.mkdirSync(d.path('e'));
    fs.symlinkSync('e', d.path('d'));
    const report = await d.redo({ partial: true });
    assert.equal(resultsOf(report)['new'], 'recreated');
    assert.equal(fs.readlinkSync(d.path('d')), 'e');
  });
});

describe('what cannot be saved is said, and never stops the edit', () => {
  const check = (what: string, name: string, start: (d: StoreDriver) => void, reason: RegExp) =>
    it(what, async () => {
      using d = new StoreDriver();
      start(d);
      await d.main.prompt();
      await d.main.before(name);
      await d.main.stop();
      const [turn] = await d.turns();
      assert.equal(turn?.unprotected.length, 1);
      assert.match(turn?.unprotected[0]?.reason ?? '', reason);
      assert.match(d.hookLog(), /Not protected/);
    });

  check('a FIFO', 'pipe', (d) => execFileSync('mkfifo', [d.path('pipe')]), /neither a file/);
  check('outside the project', '../other', () => undefined, /outside/);
  check(
    'through a link to outside',
    'link',
    (d) => {
      fs.writeFileSync(path.join(d.folder, 'out'), 'O');
      fs.symlinkSync('../out', d.path('link'));
    },
    /outside/,
  );
  check('git’s own files', '.git/config', (d) => d.put('.git/config', ''), /git repository/);
  check(
    'a loop of links',
    'loop/x',
    (d) => fs.symlinkSync('loop', d.path('loop')),
    /cannot be read/,
  );
  check('a store that is no folder', 'a', (d) => d.put('.memcode', 'a file'), /link or a file/);
  check(
    'a store that is a link',
    'a',
    (d) => {
      fs.mkdirSync(path.join(d.folder, 'elsewhere'));
      fs.symlinkSync('../elsewhere', d.path('.memcode'));
    },
    /link or a file/,
  );
});

test('a failure to save is tried again at the next call, and then the path is protected (W17)', async () => {
  using d = new StoreDriver({ files: { a: 'A0' } });
  await d.main.prompt();
  d.put('.memcode', 'in the way');
  await d.main.before('a');
  assert.deepEqual(
    (await d.turns())[0]?.unprotected.map((u) => u.path),
    ['a'],
  );
  fs.rmSync(d.path('.memcode'));
  await d.main.edit('a', 'A1');
  await d.main.stop();
  assert.deepEqual((await d.turns())[0]?.unprotected, []);
  await d.rewind(1);
  assert.equal(d.read('a'), 'A0');
});

test('a special file that took the place is never opened, replaced or deleted', async () => {
  using d = new StoreDriver({ files: { a: 'A0', b: 'B0' } });
  await d.turn(async (s) => {
    await s.edit('a', 'A1');
    await s.edit('b', 'B1');
  });
  fs.rmSync(d.path('a'));
  execFileSync('mkfifo', [d.path('a')]);
  for (const conflicts of ['keep', 'take', 'merge'] as const) {
    await assert.rejects(d.rewind(1, { conflicts }), /a: .*special file/);
    assert.deepEqual([d.tree()['a'], d.read('b')], ['special', 'B1']);
  }
  const report = await d.rewind(1, { conflicts: 'take', partial: true });
  assert.deepEqual(resultsOf(report), { a: 'notRestorable', b: 'restored' });
  assert.equal(d.tree()['a'], 'special');
});

describe('payloads that mean harm', () => {
  it('nothing outside the root is read into the store, written or deleted', async () => {
    using d = new StoreDriver({ files: { 'a.txt': 'A0' } });
    const secret = path.join(d.folder, 'secret');
    fs.writeFileSync(secret, 'SECRET-BYTES');
    fs.mkdirSync(path.join(d.folder, 'beside'));
    fs.symlinkSync('../beside', d.path('out'));
    fs.symlinkSync('../secret', d.path('pointer'));
    const before = stampsOf(d.folder, ['project', 'store', '.memcode']);
    await d.main.prompt('x');
    for (const name of [
      '../secret',
      secret,
      'out/new',
      'out/../secret',
      'pointer',
      '/etc/passwd',
      '.memcode/../../secret',
      '.memcode/checkpoints/session-1/1/../../../../../secret',
      '.memcode/checkpoints/session-1/1/manifest.json',
      '.git/hooks/pre-commit',
      `${'../'.repeat(40)}etc/passwd`,
    ]) {
      await d.main.send(
        {
          ...d.main.payload({}),
          hook_event_name: 'PreToolUse',
          tool_name: 'Write',
          tool_input: { file_path: name },
          tool_use_id: name,
        },
        { callId: name },
      );
    }
    await d.main.edit('a.txt', 'A1');
    await d.main.stop();
    assert.deepEqual(pathsIn(d), ['a.txt']);
    await d.rewind(1);
    assert.deepEqual(stampsOf(d.folder, ['project', 'store', '.memcode']), before);
    const found = spawnSync('grep', ['-rl', 'SECRET-BYTES', d.folder], { encoding: 'utf8' });
    assert.deepEqual(
      found.stdout.trim().split('\n'),
      [secret, d.path('pointer')].filter((f) => !fs.lstatSync(f).isSymbolicLink()),
    );
  });

  it('a session id is never a path', async () => {
    for (const id of [
      '../../../x',
      '/abs',
      '.',
      '..',
      '.rewound',
      'a/b',
      'a\\b',
      'x'.repeat(600),
      'NUL',
      'ü',
      'a\nb',
    ]) {
      using d = new StoreDriver({ files: { 'a.txt': 'A0' } });
      const session = d.session(id);
      await session.turn((s) => s.edit('a.txt', 'A1'));
      const [name, ...others] = fs.readdirSync(d.path('.memcode/checkpoints'));
      assert.match(name ?? '', /^~[0-9a-f]{16}$/, id);
      assert.deepEqual(others, []);
      assert.deepEqual(fs.readdirSync(d.folder).sort(), ['project', 'store']);
      assert.equal(d.manifest(1, name)['session'], id);
      await d.rewind(1, { session: id });
      assert.equal(d.read('a.txt'), 'A0');
    }
  });

  it('a planted .gitignore link is not written through', async () => {
    using d = new StoreDriver({ files: { 'a.txt': 'A0' } });
    fs.mkdirSync(d.path('.memcode'));
    fs.symlinkSync('../../planted', d.path('.memcode/.gitignore'));
    await d.main.edit('a.txt', 'A1');
    assert.equal(fs.existsSync(path.join(d.folder, 'planted')), false);
    assert.deepEqual(pathsIn(d), ['a.txt']);
  });
});

test('a manifest that gained a link on the way is refused for that path before any write', async () => {
  using d = new StoreDriver({ files: { 'sub/a': 'A0', b: 'B0' } });
  await d.turn(async (s) => {
    await s.edit('sub/a', 'A1');
    await s.edit('b', 'B1');
  });
  fs.mkdirSync(path.join(d.folder, 'outside'));
  fs.writeFileSync(path.join(d.folder, 'outside', 'a'), 'A1');
  fs.rmSync(d.path('sub'), { recursive: true });
  fs.symlinkSync('../outside', d.path('sub'));
  await assert.rejects(d.rewind(1, { conflicts: 'take' }), /sub\/a: .*link/);
  assert.deepEqual(
    [fs.readFileSync(path.join(d.folder, 'outside', 'a'), 'utf8'), d.read('b')],
    ['A1', 'B1'],
  );
});

test('the stores are for their user only', async () => {
  using d = new StoreDriver({ files: { 'sub/a': 'A0', '.env': 'SECRET=1' } });
  const old = process.umask(0o000);
  try {
    await d.turn(async (s) => {
      await s.edit('sub/a', 'A1');
      await s.edit('.env', 'SECRET=2');
      await s.edit('big', (file) => fs.writeFileSync(file, 'x'.repeat(400_000)));
    });
    await d.turn((s) => s.edit('big', 'small'));
    await d.rewind(2);
    await d.redo();
    await d.rewind(1);
  } finally {
    process.umask(old);
  }
  for (const store of [d.home, d.path('.memcode/checkpoints')]) {
    for (const [name, mode] of Object.entries(modesOf(store))) {
      const folder = fs.statSync(path.join(store, name)).isDirectory();
      // Packs are for nobody to write, as git's own.
      const expected = folder ? '700' : /\.(?:pack|idx)$/.test(name) ? '400' : '600';
      assert.equal(mode, expected, path.join(store, name));
    }
  }
  assert.equal(fs.readFileSync(d.path('.memcode/.gitignore'), 'utf8'), '*\n');
});

test('a file of 300 MB is saved, sealed and brought back in little memory', async () => {
  using d = new StoreDriver();
  const big = d.path('big');
  fs.writeFileSync(big, 'start');
  fs.truncateSync(big, 300 * 1024 * 1024);
  fs.chmodSync(big, 0o640);
  const { sha256 } = hashFile(big);
  await d.main.prompt();
  const peak = (payload: Record<string, unknown>) => {
    const report = path.join(d.folder, 'peak');
    const { status } = d.hook(payload, {
      nodeOptions: ['--max-old-space-size=64', '--require', peakReporter(d.folder, report)],
    });
    assert.equal(status, 0);
    return Number(fs.readFileSync(report, 'utf8'));
  };
  const event = (hook_event_name: string, tool: object) =>
    d.main.payload({ ...tool, hook_event_name, transcript_path: '' });
  const tool = { tool_name: 'Write', tool_input: { file_path: big } };
  const before = peak(event('PreToolUse', tool));
  fs.writeFileSync(big, 'small now');
  const after = peak(event('PostToolUse', tool));
  const end = peak(event('Stop', {}));
  for (const kilobytes of [before, after, end])
    assert.ok(kilobytes < 150 * 1024, `${kilobytes} kB at the most`);
  assert.equal(hashFile(d.stored('1', 'files', 'big')).sha256, sha256);
  await d.rewind(1);
  assert.deepEqual([hashFile(big).sha256, fs.statSync(big).mode & 0o7777], [sha256, 0o640]);
});

/** A module that leaves the process's peak memory, in kB, in a file. */
function peakReporter(folder: string, report: string): string {
  const file = path.join(folder, 'peakReporter.cjs');
  fs.writeFileSync(
    file,
    `process.on('exit', () => require('node:fs').writeFileSync(${JSON.stringify(report)}, String(process.resourceUsage().maxRSS)));`,
  );
  return file;
}

test('a blob that is there already, from a hook that was killed, is nobody’s pre-image', async () => {
  using d = new StoreDriver({ files: { a: 'A0' } });
  await d.main.prompt();
  fs.mkdirSync(d.stored('1', 'files'), { recursive: true });
  fs.writeFileSync(d.stored('1', 'files', 'a'), 'half written');
  await d.main.edit('a', 'A1');
  await d.main.stop();
  await d.rewind(1);
  assert.equal(d.read('a'), 'A0');
});

test('bytes kept apart never take each other’s place', async () => {
  using d = new StoreDriver({ inProcess: true });
  await d.main.prompt();
  // Each of these cannot have its usual place, because it is taken.
  for (const name of ['p', 'q', 'r']) {
    d.put(name, `${name}0`);
    fs.mkdirSync(d.stored('1', 'files', name, 'taken'), { recursive: true });
  }
  await d.main.before('p');
  await d.main.edit('q', 'q1');
  // p is dropped at the end of the turn; then a late edit comes.
  await d.main.stop();
  await d.main.edit('r', 'r1');
  assert.deepEqual(
    d.manifest(1).files.map((row) => row['path']),
    ['q', 'r'],
  );
  await d.main.stop();
  await d.rewind(1);
  assert.deepEqual([d.read('p'), d.read('q'), d.read('r')], ['p0', 'q0', 'r0']);
});

test('the built hook is what runs', () => {
  assert.ok(fs.statSync(hookFile()).size > 1_000);
});
