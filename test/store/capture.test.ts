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

describe('one turn, rewound and taken back, is the identity', () => {
  interface Case {
    readonly start: (d: StoreDriver) => void;
    readonly paths: readonly string[];
    /** What the agent's tools do; the paths are announced before and told after. */
    readonly act: (d: StoreDriver) => void;
  }

  const check = (what: string, { start, paths, act }: Case) =>
    it(what, async () => {
      using d = new StoreDriver({ inProcess: true });
      start(d);
      const before = d.tree();
      await d.main.prompt();
      for (const name of paths) await d.main.before(name);
      act(d);
      for (const name of paths) await d.main.after(name);
      await d.main.stop();
      const after = d.tree();
      assert.notDeepEqual(after, before);
      const report = await d.rewind(1);
      assert.equal(report.complete, true, JSON.stringify(report.paths));
      assert.deepEqual(d.tree(), before);
      await d.redo();
      assert.deepEqual(d.tree(), after);
      await d.rewind(1);
      assert.deepEqual(d.tree(), before);
      assert.deepEqual(await d.problems(), []);
    });

  const file = (d: StoreDriver, name: string, mode = 0o644, text = 'old') =>
    d.put(name, text, mode);
  for (const mode of [0o644, 0o600, 0o755, 0o444, 0o700, 0o640, 0o2755, 0o4755, 0o000, 0o200]) {
    check(`a file of mode ${mode.toString(8)} is rewritten`, {
      start: (d) => file(d, 'f', mode),
      paths: ['f'],
      act: (d) => {
        fs.rmSync(d.path('f'));
        d.put('f', 'new', 0o644);
      },
    });
  }
  check('the executable bit is set', {
    start: (d) => file(d, 'f'),
    paths: ['f'],
    act: (d) => fs.chmodSync(d.path('f'), 0o755),
  });
  check('a file is deleted', {
    start: (d) => file(d, 'sub/f', 0o755),
    paths: ['sub/f'],
    act: (d) => fs.rmSync(d.path('sub/f')),
  });
  check('a file is deleted with its folder', {
    start: (d) => file(d, 'sub/deep/f'),
    paths: ['sub/deep/f'],
    act: (d) => fs.rmSync(d.path('sub'), { recursive: true }),
  });
  check('a file becomes empty', {
    start: (d) => file(d, 'f'),
    paths: ['f'],
    act: (d) => d.put('f', ''),
  });
  check('an empty file is filled', {
    start: (d) => file(d, 'f', 0o644, ''),
    paths: ['f'],
    act: (d) => d.put('f', 'new'),
  });
  check('a file is made in new folders', {
    start: (d) => file(d, 'f'),
    paths: ['x/y/z/new', 'x/other'],
    act: (d) => {
      d.put('x/y/z/new', 'n');
      d.put('x/other', 'n');
    },
  });
  check('a file is renamed', {
    start: (d) => file(d, 'from', 0o755),
    paths: ['from', 'to'],
    act: (d) => fs.renameSync(d.path('from'), d.path('to')),
  });
  check('two files change places', {
    start: (d) => {
      file(d, 'a', 0o644, 'A');
      file(d, 'b', 0o755, 'B');
    },
    paths: ['a', 'b'],
    act: (d) => {
      fs.renameSync(d.path('a'), d.path('t'));
      fs.renameSync(d.path('b'), d.path('a'));
      fs.renameSync(d.path('t'), d.path('b'));
    },
  });
  check('a link becomes a file', {
    start: (d) => {
      file(d, 'target');
      fs.symlinkSync('target', d.path('link'));
    },
    paths: ['link'],
    act: (d) => {
      fs.rmSync(d.path('link'));
      d.put('link', 'no link any more');
    },
  });
  check('a file is written through a link', {
    start: (d) => {
      file(d, 'sub/target', 0o600);
      fs.symlinkSync('sub/target', d.path('link'));
      fs.symlinkSync('link', d.path('second'));
    },
    paths: ['second'],
    act: (d) => fs.writeFileSync(d.path('second'), 'through'),
  });
  check('a file is made through a dangling link', {
    start: (d) => {
      fs.mkdirSync(d.path('sub'));
      fs.symlinkSync('sub/new', d.path('link'));
    },
    paths: ['link'],
    act: (d) => fs.writeFileSync(d.path('link'), 'through'),
  });
  check('a link is pointed elsewhere', {
    start: (d) => fs.symlinkSync('/nowhere/a', d.path('link')),
    paths: ['link'],
    act: (d) => {
      fs.rmSync(d.path('link'));
      fs.symlinkSync('b', d.path('link'));
    },
  });
  check('a dangling link goes', {
    start: (d) => fs.symlinkSync('nowhere', d.path('link')),
    paths: ['link'],
    act: (d) => fs.rmSync(d.path('link')),
  });
  check('a link to a folder becomes a folder', {
    start: (d) => {
      file(d, 'real/f');
      fs.symlinkSync('real', d.path('link'));
    },
    paths: ['link', 'link/g'],
    act: (d) => {
      fs.rmSync(d.path('link'));
      fs.mkdirSync(d.path('link'));
    },
  });
  check('a file becomes a folder with files', {
    start: (d) => file(d, 'thing', 0o755),
    paths: ['thing', 'thing/a', 'thing/b/c'],
    act: (d) => {
      fs.rmSync(d.path('thing'));
      d.put('thing/a', 'a');
      d.put('thing/b/c', 'c');
    },
  });
  check('a folder with files becomes a file', {
    start: (d) => {
      d.put('thing/a', 'a');
      d.put('thing/b/c', 'c', 0o600);
    },
    paths: ['thing', 'thing/a', 'thing/b/c'],
    act: (d) => {
      fs.rmSync(d.path('thing'), { recursive: true });
      d.put('thing', 'file');
    },
  });
  check('a folder becomes a link', {
    start: (d) => d.put('thing/a', 'a'),
    paths: ['thing', 'thing/a'],
    act: (d) => {
      fs.rmSync(d.path('thing'), { recursive: true });
      fs.symlinkSync('elsewhere', d.path('thing'));
    },
  });
  check('an empty folder is made and another goes', {
    start: (d) => fs.mkdirSync(d.path('gone'), { mode: 0o750 }),
    paths: ['made', 'gone'],
    act: (d) => {
      fs.mkdirSync(d.path('made'));
      fs.rmdirSync(d.path('gone'));
    },
  });
  for (const name of [
    'line\nbreak',
    'quote"\'`$(x)',
    '\u{1F9EA} emoji \u00e9',
    ' spaces ',
    '-dash',
    'b\\ack',
    'n'.repeat(250),
    '.hidden',
    '..cfg',
    'files',
    'manifest.json',
    'con',
    'more/1',
  ]) {
    check(`a name: ${JSON.stringify(name.slice(0, 20))}`, {
      start: (d) => file(d, name),
      paths: [name],
      act: (d) => d.put(name, 'new'),
    });
  }
  check('deeper than the store’s own path can be', {
    start: (d) => {
      const folders = Array.from({ length: 15 }, () => 'd'.repeat(240)).join('/');
      execFileSync('sh', ['-c', 'mkdir -p "$1" && cd "$1" && printf old > f', '-', folders], {
        cwd: d.root,
      });
    },
    paths: [`${Array.from({ length: 15 }, () => 'd'.repeat(240)).join('/')}/f`],
    act: (d) => d.put(`${Array.from({ length: 15 }, () => 'd'.repeat(240)).join('/')}/f`, 'new'),
  });
});

test('a file and a folder take turns at one path, three times over', async () => {
  using d = new StoreDriver({ files: { thing: 'file 0', keep: 'k' }, inProcess: true });
  const trees = [d.tree()];
  for (let n = 1; n <= 3; n++) {
    await d.turn(async (s) => {
      if (n % 2 === 1) {
        await s.edit('thing', fs.unlinkSync);
        await s.edit('thing/a', `a ${n}`);
        await s.edit('thing/deep/b', `b ${n}`);
      } else {
        await s.edit('thing/a', fs.unlinkSync);
        await s.edit('thing/deep/b', (file) => {
          fs.unlinkSync(file);
          fs.rmdirSync(path.dirname(file));
          fs.rmdirSync(d.path('thing'));
        });
        await s.edit('thing', `file ${n}`);
      }
    });
    trees.push(d.tree());
  }
  for (const number of [3, 2, 1]) {
    await d.rewind(number);
    assert.deepEqual(d.tree(), trees[number - 1], `before turn ${number}`);
  }
  for (const number of [1, 2, 3]) {
    await d.redo();
    assert.deepEqual(d.tree(), trees[number], `after turn ${number}`);
  }
  await d.rewind(1);
  assert.deepEqual(d.tree(), trees[0]);
  await d.redo();
  assert.deepEqual(d.tree(), trees[3]);
});

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
      assert.equal(mode, folder ? '700' : '600', path.join(store, name));
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
