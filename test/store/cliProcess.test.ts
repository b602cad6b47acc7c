import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import path from 'node:path';
import { describe, it } from 'node:test';
import { CliSession, entry } from './cliSession.ts';

function oneTurn(): CliSession {
  const session = new CliSession();
  session.put('a.txt', 'A0\n');
  session.turn('Task', () => session.edit('a.txt', 'A1\n'));
  return session;
}

describe('the process', () => {
  it('exits 0, 1, 2, 3 and warns of nothing', () => {
    using session = oneTurn();
    const check = (line: string, status: number) => {
      const run = session.spawn(line);
      assert.equal(run.status, status, `${line}: ${run.stderr}`);
      assert.doesNotMatch(run.stderr, /Warning/);
      return run;
    };
    assert.match(check('list', 0).stdout, /Task/);
    check('show 7', 1);
    check('frob', 2);
    check('rewind 1', 2);
    session.put('a.txt', 'mine\n');
    check('rewind 1 --yes', 3);
    assert.equal(session.read('a.txt'), 'mine\n');
    check('--version', 0);
  });

  it('a reader that goes away stops no rewind, and is no error', async () => {
    using session = oneTurn();
    const child = spawn(process.execPath, [entry, 'rewind', '1', '--yes'], {
      cwd: session.root,
      env: session.environment,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    child.stdout.destroy();
    let stderr = '';
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      stderr += text;
    });
    const [status] = await once(child, 'close');
    assert.deepEqual([status, stderr], [0, '']);
    assert.equal(session.read('a.txt'), 'A0\n');
  });

  it('output that cannot be written is told, with status 1', {
    skip: !fs.existsSync('/dev/full'),
  }, () => {
    using session = oneTurn();
    const full = fs.openSync('/dev/full', 'w');
    const { status, stderr } = spawnSync(process.execPath, [entry, 'list'], {
      cwd: session.root,
      env: session.environment,
      stdio: ['ignore', full, 'pipe'],
      encoding: 'utf8',
    });
    fs.closeSync(full);
    assert.match(stderr, /^memcode-timeline: the output could not be written: ENOSPC.*\n$/);
    assert.equal(status, 1);
  });

  it('a hook call with rubbish ends with 0 and prints nothing', () => {
    using session = new CliSession();
    for (const input of ['', '{', '[]', '{"hook_event_name":"Nothing"}', '\0'])
      for (const args of [['hook'], ['hook', 'claude'], ['hook', 'nobody', 'nothing', 'more']]) {
        const { status, stdout, stderr } = spawnSync(process.execPath, [entry, ...args], {
          cwd: session.root,
          env: session.environment,
          input,
          encoding: 'utf8',
        });
        assert.deepEqual([status, stdout, stderr], [0, '', ''], `${args} ${input}`);
      }
  });
});

describe('the bundle', () => {
  const repository = path.join(import.meta.dirname, '..', '..');

  function build(session: CliSession): string {
    const esbuild = path.join(repository, 'node_modules', '.bin', 'esbuild');
    const manifest = JSON.parse(fs.readFileSync(path.join(repository, 'package.json'), 'utf8'));
    const words: string[] = manifest.scripts['build:host'].split(' ').slice(1);
    const args = words.filter((word) => !word.startsWith('--outdir='));
    const { status, stderr } = spawnSync(esbuild, [...args, `--outdir=${session.folder}/dist`], {
      cwd: repository,
      encoding: 'utf8',
    });
    assert.equal(status, 0, stderr);
    return path.join(session.folder, 'dist', 'cli.cjs');
  }

  it('does what the sources do, starts by itself, and says so when node:sqlite is missing', () => {
    using session = oneTurn();
    const bundle = build(session);
    assert.match(fs.readFileSync(bundle, 'utf8'), /^#!\/usr\/bin\/env node\n/);
    const list = session.spawn('list --json', [], bundle);
    assert.deepEqual(list, session.spawn('list --json'));
    assert.equal(list.status, 0);
    assert.equal(session.spawn('frob', [], bundle).status, 2);
    assert.match(session.spawn('help rewind', [], bundle).stdout, /--conflicts/);

    const old = path.join(session.folder, 'old.cjs');
    fs.writeFileSync(old, withoutSqlite);
    const refused = session.spawn('list', ['--require', old], bundle);
    assert.deepEqual(refused, {
      status: 1,
      stdout: '',
      stderr: `memcode-timeline: Memcode Timeline needs Node 22.13 or newer; this is Node ${process.versions.node}.\n`,
    });
    assert.equal(session.spawn('--help', ['--require', old], bundle).status, 0);
  });
});

/** Makes a runtime look like one that has no `node:sqlite`. */
const withoutSqlite = `
const { getBuiltinModule } = process;
process.getBuiltinModule = (name) => (name === 'node:sqlite' ? undefined : getBuiltinModule(name));
`;
