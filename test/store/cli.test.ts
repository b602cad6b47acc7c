import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { describe, it } from 'node:test';
import { bundles, CliSession } from './cliSession.ts';

/** Two turns: `a.txt` A0 → A1 → A2, `made/new.txt` created in the first, `b.txt` removed in the second. */
function twoTurns(): CliSession {
  const session = new CliSession();
  session.put('a.txt', 'A0\n');
  session.put('b.txt', 'B0\n');
  session.turn('First task', () => {
    session.edit('a.txt', 'A1\n');
    session.edit('made/new.txt', 'N1\n');
  });
  session.turn('Second task', () => {
    session.edit('a.txt', 'A2\n');
    session.edit('b.txt', fs.unlinkSync);
  });
  return session;
}

const contents = (session: CliSession) =>
  ['a.txt', 'b.txt', 'made/new.txt'].map((name) => session.read(name));
const atStart = ['A0\n', 'B0\n', undefined];
const atEnd = ['A2\n', undefined, 'N1\n'];

describe('from hooks to a rewind and back', () => {
  it('lists, shows, compares, previews, rewinds, takes back', async () => {
    using session = twoTurns();
    const sessions = JSON.parse((await session.run('sessions --json')).stdout);
    assert.deepEqual(
      sessions.sessions.map(({ id, agent, turns }: Record<string, unknown>) => [id, agent, turns]),
      [['session-1', 'claude', 2]],
    );
    const list = await session.run('list');
    assert.match(list.stdout, /1 .* finished +2 files \+2 -1 +First task/);
    assert.match(list.stdout, /2 .* finished +2 files \+1 -2 +Second task/);
    const show = await session.run('show 2');
    assert.match(show.stdout, /deleted +b\.txt/);
    assert.match(show.stdout, /Did: Second task/);

    const diff = await session.run('diff 2 a.txt');
    assert.equal(diff.status, 0);
    assert.match(
      diff.stdout,
      /^diff --git a\/a\.txt b\/a\.txt\n--- a\/a\.txt\n\+\+\+ b\/a\.txt\n@@ -1 \+1 @@\n-A1\n\+A2\n$/,
    );

    const preview = await session.run('preview 1');
    assert.match(preview.stdout, /takes back 2 turns/);
    assert.deepEqual(contents(session), atEnd);
    const refused = await session.run('rewind 1');
    assert.equal(refused.status, 1);
    assert.deepEqual(contents(session), atEnd);

    const rewind = await session.run('rewind 1 --yes --json');
    assert.equal(rewind.status, 0, rewind.stderr + rewind.stdout);
    assert.deepEqual(contents(session), atStart);
    assert.equal(fs.existsSync(session.path('made')), false);
    const report = JSON.parse(rewind.stdout);
    assert.deepEqual(
      report.paths.map(({ path, result }: Record<string, unknown>) => [path, result]).toSorted(),
      [
        ['a.txt', 'restored'],
        ['b.txt', 'recreated'],
        ['made/new.txt', 'deleted'],
      ],
    );
    assert.match((await session.run('list')).stdout, /rewound/);

    const redo = await session.run('redo --yes');
    assert.equal(redo.status, 0, redo.stderr);
    assert.deepEqual(contents(session), atEnd);
    assert.equal((await session.run('redo --yes')).status, 1);
    assert.equal((await session.run('doctor')).status, 0);
  });

  it('only the later turn goes when that one is named', async () => {
    using session = twoTurns();
    assert.equal((await session.run('rewind 2 --yes')).status, 0);
    assert.deepEqual(contents(session), ['A1\n', 'B0\n', 'N1\n']);
  });
});

describe('conflicts', () => {
  const check = (choice: string, status: number, text: string) =>
    it(`--conflicts ${choice}: status ${status}`, async () => {
      using session = twoTurns();
      session.put('a.txt', 'mine\n');
      const { status: got, stdout } = await session.run(
        `rewind 1 --conflicts ${choice} --yes --json`,
      );
      assert.equal(got, status, stdout);
      assert.equal(session.read('a.txt'), text);
      if (status === 1) {
        assert.equal(JSON.parse(stdout).error.code, 'conflicts');
        assert.deepEqual(contents(session), ['mine\n', ...atEnd.slice(1)]);
      } else assert.deepEqual(contents(session).slice(1), atStart.slice(1));
    });

  check('keep', 3, 'mine\n');
  check('take', 0, 'A0\n');
  check('fail', 1, 'mine\n');
  check('merge', 3, 'mine\n');

  it('--conflicts merge: both changes where they fit, status 0', async () => {
    using session = new CliSession();
    const lines = (first: string, last: string) => `${first}\n2\n3\n4\n5\n6\n${last}\n`;
    session.put('a.txt', lines('old', 'end'));
    session.turn('Task', () => session.edit('a.txt', lines('new', 'end')));
    session.put('a.txt', lines('new', 'mine'));
    const run = await session.run('rewind 1 --conflicts merge --yes --json');
    assert.equal(run.status, 0, run.stdout);
    assert.equal(JSON.parse(run.stdout).paths[0].result, 'merged');
    assert.equal(session.read('a.txt'), lines('old', 'mine'));
  });
});

describe('a rewind that was cut short', () => {
  const check = (option: string, expected: readonly (string | undefined)[]) =>
    it(`doctor ${option}`, async () => {
      using session = twoTurns();
      killInTheMiddle(session);
      const looked = await session.run('doctor --json');
      assert.equal(looked.status, 1);
      assert.equal(JSON.parse(looked.stdout).pending.length, 1);
      assert.match((await session.run('doctor')).stdout, /Cut short: the rewind .*3 paths/);
      const refused = await session.run('rewind 2 --yes --json');
      assert.deepEqual([refused.status, JSON.parse(refused.stdout).error.code], [1, 'interrupted']);
      const settled = await session.run(`doctor ${option}`);
      assert.equal(settled.status, 0, settled.stdout);
      assert.deepEqual(contents(session), expected);
      assert.equal((await session.run('doctor')).status, 0);
    });

  check('--finish', atStart);
  check('--roll-back', atEnd);
});

describe('what cannot be done', () => {
  it('the agent is still at work: refused, unless forced', async () => {
    using session = new CliSession();
    session.begin('Never ends');
    session.edit('a.txt', 'A1\n');
    const refused = await session.run('rewind 1 --yes --json');
    assert.equal(refused.status, 1);
    assert.equal(JSON.parse(refused.stdout).error.code, 'running');
    assert.equal(session.read('a.txt'), 'A1\n');
    assert.equal((await session.run('rewind 1 --yes --force')).status, 0);
    assert.equal(session.read('a.txt'), undefined);
  });

  it('a damaged manifest is named, and nothing is changed', async () => {
    using session = twoTurns();
    assert.equal((await session.run('list')).status, 0);
    const manifest = session.path('.memcode/checkpoints/session-1/2/manifest.json');
    fs.writeFileSync(manifest, fs.readFileSync(manifest, 'utf8').slice(0, 40));
    assert.match((await session.run('list')).stdout, /2 .* damaged/);
    assert.match((await session.run('show 2')).stdout, /manifest\.json/);
    for (const turn of [1, 2]) {
      const run = await session.run(`rewind ${turn} --yes --json`);
      assert.equal(run.status, 1);
      const { error } = JSON.parse(run.stdout);
      assert.equal(error.code, 'damaged');
      assert.match(error.message, /manifest\.json/);
    }
    assert.deepEqual(contents(session), atEnd);
  });

  it('not a folder, unknown session, unknown turn', async () => {
    using session = twoTurns();
    const statuses = [];
    for (const line of ['list --root a.txt', 'list --session other', 'show 3', 'show none'])
      statuses.push((await session.run(line)).status);
    assert.deepEqual(statuses, [2, 1, 1, 1]);
  });
});

describe('patches', () => {
  it('what `diff` prints takes the tree from before to after and back, byte for byte', async () => {
    using session = new CliSession();
    const before: Record<string, string | Buffer> = {
      'plain.txt': 'one\ntwo\nthree\n',
      'no end.txt': 'no line end',
      'latin.txt': Buffer.from('caf\xe9\nx\n', 'latin1'),
      'crlf.txt': 'a\r\nb\r\n',
      'gone.txt': 'bye\n',
      'quo"te.txt': 'q\n',
    };
    for (const [name, content] of Object.entries(before)) session.put(name, content);
    session.put('run.sh', '#!/bin/sh\n');
    fs.symlinkSync('plain.txt', session.path('link'));
    const names = [...Object.keys(before), 'run.sh', 'empty', 'sub/ünï.txt'];
    const state = () => [
      ...names.map((name) => [name, session.read(name)]),
      fs.statSync(session.path('run.sh')).mode & 0o777,
      fs.readlinkSync(session.path('link')),
    ];
    const old = state();
    session.turn('Change everything', () => {
      session.edit('plain.txt', 'one\n2\nthree\nfour\n');
      session.edit('no end.txt', 'still none\nno line end');
      session.edit('latin.txt', (file) =>
        fs.writeFileSync(file, Buffer.from('caf\xe8\nx\n', 'latin1')),
      );
      session.edit('crlf.txt', 'a\r\nX\r\n');
      session.edit('gone.txt', fs.unlinkSync);
      session.edit('quo"te.txt', 'q2\n');
      session.edit('run.sh', (file) => fs.chmodSync(file, 0o755));
      session.edit('empty', '');
      session.edit('sub/ünï.txt', 'new\n');
      session.edit('link', (file) => {
        fs.unlinkSync(file);
        fs.symlinkSync('crlf.txt', file);
      });
    });
    const fresh = state();
    const { status, stdout, stderr } = session.spawn('diff 1');
    assert.deepEqual([status, stderr], [0, '']);
    assert.match(stdout, /new mode 100755/);
    const patch = spawnSync(process.execPath, [bundles().cli, 'diff', '1'], {
      cwd: session.root,
      env: session.environment,
    }).stdout;
    const apply = (...options: string[]) => {
      const git = spawnSync('git', ['apply', ...options, '-'], {
        cwd: session.root,
        env: { ...session.environment, GIT_CEILING_DIRECTORIES: session.folder },
        input: patch,
        encoding: 'utf8',
      });
      assert.equal(git.status, 0, git.stderr);
    };
    apply('-R');
    assert.deepEqual(state(), old);
    apply();
    assert.deepEqual(state(), fresh);
  });
});

/** A process that rewinds to before turn 1 and is killed when the files are changed and nothing is recorded yet. */
function killInTheMiddle(session: CliSession): void {
  const program = path.join(import.meta.dirname, '..', 'helpers', 'storeKilled.ts');
  const { signal } = spawnSync(
    process.execPath,
    [program, session.home, session.root, 'rewind', '1', 'applied'],
    { env: session.environment },
  );
  assert.equal(signal, 'SIGKILL');
}
