import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import path from 'node:path';
import { describe, it } from 'node:test';
import { bundles, CliSession } from './cliSession.ts';

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
    check('rewind 1', 1);
    session.put('a.txt', 'mine\n');
    check('rewind 1 --yes', 3);
    assert.equal(session.read('a.txt'), 'mine\n');
    check('--version', 0);
  });

  it('a reader that goes away stops no rewind, and is no error', async () => {
    using session = oneTurn();
    const child = spawn(process.execPath, [bundles().cli, 'rewind', '1', '--yes'], {
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
    const { status, stderr } = spawnSync(process.execPath, [bundles().cli, 'list'], {
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
      for (const args of [['hook'], ['hook', 'nobody', 'nothing', 'more']]) {
        const { status, stdout, stderr } = spawnSync(process.execPath, [bundles().cli, ...args], {
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
  it('does what the sources do and starts by itself', async () => {
    using session = oneTurn();
    assert.match(fs.readFileSync(bundles().cli, 'utf8'), /^#!\/usr\/bin\/env node\n/);
    assert.deepEqual(session.spawn('list --json'), await session.run('list --json'));
    assert.equal(session.spawn('frob').status, 2);
    assert.match(session.spawn('help rewind').stdout, /--conflicts/);
  });

  it('says so when node:sqlite is missing', () => {
    using session = new CliSession();
    const old = path.join(session.folder, 'old.cjs');
    fs.writeFileSync(old, withoutSqlite);
    assert.deepEqual(session.spawn('list', ['--require', old]), {
      status: 1,
      stdout: '',
      stderr: `memcode-timeline: Memcode Timeline needs Node 22.13 or newer; this is Node ${process.versions.node}.\n`,
    });
    assert.equal(session.spawn('--help', ['--require', old]).status, 0);
  });
});

/** Makes a runtime look like one that has no `node:sqlite`. */
const withoutSqlite = `
const { getBuiltinModule } = process;
process.getBuiltinModule = (name) => (name === 'node:sqlite' ? undefined : getBuiltinModule(name));
`;
