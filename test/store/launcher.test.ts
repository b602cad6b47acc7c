/** The launcher, run by a real sh. */
import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import fs from 'node:fs';
import net from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { type TestContext, test } from 'node:test';
import { doorFolder, openDoor } from '../../src/app/helper/shellClient.ts';
import {
  batchFile,
  type LauncherOptions,
  launcherFile,
  writeLauncher,
} from '../../src/app/launcher.ts';

const hostile = 'a b\'c"d$HOME`id`\\e ünï %PATH%';

/** Bundles that print what they got; runtimes that are links to this Node and a script that tells its name. */
function world(t: TestContext) {
  const base = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), 'launcher-')));
  t.after(() => fs.rmSync(base, { recursive: true, force: true }));
  const folder = path.join(base, hostile);
  fs.mkdirSync(folder);
  const file = (name: string, text: string, mode = 0o644) => {
    fs.writeFileSync(path.join(folder, name), text, { mode });
    return path.join(folder, name);
  };
  const tell = (name: string) =>
    `process.stdin.resume().on('end', () => {
      const { MEMCODE_TIMELINE_HOME, NODE_OPTIONS, ELECTRON_RUN_AS_NODE } = process.env;
      const env = { MEMCODE_TIMELINE_HOME, NODE_OPTIONS, ELECTRON_RUN_AS_NODE };
      console.log(JSON.stringify({ bundle: '${name}', args: process.argv.slice(2), env, runtime: process.env.RUNTIME }));
    });`;
  const runtime = (name: string) =>
    file(name, `#!/bin/sh\nRUNTIME=${name} exec '${process.execPath}' "$@"\n`, 0o755);
  const options: LauncherOptions = {
    home: path.join(folder, 'home'),
    hookBundle: file('hook.cjs', tell('hook')),
    cliBundle: file('cli.cjs', tell('cli')),
    node: { path: runtime('node'), version: '24.1.0' },
    electron: runtime('electron'),
    platform: 'linux',
  };
  const write = (over: Partial<LauncherOptions> = {}) => writeLauncher({ ...options, ...over });
  const run = (args: readonly string[], env: Record<string, string> = {}) => {
    const result = spawnSync(launcherFile(options.home, 'linux'), args, {
      input: '{}',
      encoding: 'utf8',
      env: { PATH: '/usr/bin:/bin', ...env },
    });
    const { status, stderr } = result;
    const told = result.stdout === '' ? undefined : (JSON.parse(result.stdout) as Told);
    return { status, stderr, told };
  };
  return { folder, options, write, run };
}

interface Told {
  readonly bundle: string;
  readonly args: readonly string[];
  readonly env: Record<string, string>;
  readonly runtime: string;
}

test('hooks run with node, other verbs with the CLI; arguments and paths arrive as they are', (t) => {
  const { options, write, run } = world(t);
  const written = write();
  assert.equal(written.file, launcherFile(options.home, 'linux'));
  assert.equal(fs.statSync(written.file).mode & 0o777, 0o700);
  assert.equal(fs.statSync(path.dirname(written.file)).mode & 0o777, 0o700);
  const args = ['hook', 'claude', hostile, ''];
  const hook = run(args, { NODE_OPTIONS: '--require=/not/there' });
  assert.equal(hook.status, 0, hook.stderr);
  assert.deepEqual(hook.told, {
    bundle: 'hook',
    args,
    env: { MEMCODE_TIMELINE_HOME: options.home },
    runtime: 'node',
  });
  const cli = run(['rewind', '3', '--yes'], { MEMCODE_TIMELINE_HOME: '/other' });
  assert.deepEqual(cli.told, {
    bundle: 'cli',
    args: ['rewind', '3', '--yes'],
    env: { MEMCODE_TIMELINE_HOME: '/other' },
    runtime: 'node',
  });
  assert.equal(run([]).told?.bundle, 'cli');
});

test("VS Code's own runtime steps in: no node, a node that went away, one without a database", (t) => {
  const { options, write, run } = world(t);
  const check = (args: readonly string[], runtime: string) => {
    const { told } = run(args);
    assert.equal(told?.runtime, runtime);
    assert.equal(told?.env['ELECTRON_RUN_AS_NODE'], runtime === 'electron' ? '1' : undefined);
  };
  const old = { path: options.node?.path ?? '', version: '22.12.0' };
  assert.deepEqual(write({ node: old }).cliRuntime, options.electron);
  check(['hook', 'x'], 'node');
  check(['list'], 'electron');
  assert.equal(write({ node: null }).hookRuntime, options.electron);
  check(['hook', 'x'], 'electron');
  check(['list'], 'electron');
  write({ node: { path: '/not/there/node', version: '24.0.0' } });
  check(['hook', 'x'], 'electron');
  check(['list'], 'electron');
});

test('what is gone never fails a hook, and people are told', (t) => {
  const { options, write, run } = world(t);
  const check = (expected: RegExp) => {
    assert.deepEqual(run(['hook', 'claude']), { status: 0, stderr: '', told: undefined });
    const other = run(['list']);
    assert.equal(other.status, 1);
    assert.match(other.stderr, expected);
  };
  write({ node: null, electron: null });
  check(/needs Node 22\.13/);
  write({ node: { path: '/gone/node', version: '24.0.0' }, electron: '/gone/code' });
  check(/needs Node 22\.13/);
  write();
  fs.rmSync(options.hookBundle);
  fs.rmSync(options.cliBundle);
  check(/updated or removed/);
});

test('written again only when something changed', (t) => {
  const { write } = world(t);
  const { file } = write();
  const first = fs.statSync(file);
  write();
  assert.equal(fs.statSync(file).ino, first.ino);
  write({ electron: null });
  assert.notEqual(fs.statSync(file).ino, first.ino);
  fs.chmodSync(file, 0o600);
  write({ electron: null });
  assert.equal(fs.statSync(file).mode & 0o777, 0o700);
  assert.deepEqual(fs.readdirSync(path.dirname(file)), ['memcode-timeline']);
});

test('Windows gets a batch file as well', (t) => {
  const { options, write } = world(t);
  const { file } = write({ platform: 'win32' });
  assert.ok(file.endsWith('memcode-timeline.cmd'));
  const text = fs.readFileSync(file, 'utf8');
  assert.equal(text, batchFile({ ...options, platform: 'win32' }));
  assert.ok(!/[^\r]\n/.test(text));
  assert.ok(text.includes('%%PATH%%'));
  assert.ok(text.includes('chcp 65001'));
  const plain = {
    ...options,
    home: 'C:\\h',
    hookBundle: 'C:\\k',
    cliBundle: 'C:\\c',
    electron: null,
  };
  const simple = batchFile({ ...plain, node: { path: 'C:\\n.exe', version: '20.0.0' } });
  assert.ok(!simple.includes('chcp'));
  assert.ok(simple.includes('set "node=C:\\n.exe"'));
  assert.ok(simple.includes('rem Too old'));
});

test('where a helper has its door open, hooks go through it; when it does not answer, the runtime does', async (t) => {
  const { options, write, run } = world(t);
  write();
  const root = fs.realpathSync('.');
  const asked: string[] = [];
  const socket = path.join(fs.mkdtempSync(path.join(os.tmpdir(), 'door-')), 's');
  t.after(() => fs.rmSync(path.dirname(socket), { recursive: true, force: true }));
  const answers = ['ok\n{"bundle":"helper","args":[],"env":{},"runtime":"none"}', 'not that'];
  const server = net.createServer({ allowHalfOpen: true }, (client) => {
    let text = '';
    client.on('data', (chunk) => {
      text += chunk;
    });
    client.on('end', () => {
      asked.push(text);
      client.end(answers.shift() ?? '');
    });
  });
  await new Promise<void>((resolve) => server.listen(socket, resolve));
  openDoor(options.home, {
    root,
    address: socket,
    token: 'secret',
    pid: 1,
    version: '1',
    protocol: 1,
  });
  const environment = { PATH: '/usr/bin:/bin' };
  const hook = async () => {
    const child = spawn(launcherFile(options.home, 'linux'), ['hook', 'claude', 'PreToolUse'], {
      env: environment,
      cwd: root,
    });
    child.stdin.end('{"a":"ü"}');
    const chunks = await child.stdout.toArray();
    return JSON.parse(Buffer.concat(chunks).toString()) as Told;
  };
  assert.equal((await hook()).bundle, 'helper');
  const untimed = asked.map((text) => text.replace(/\t\d+\n/, '\tnow\n'));
  assert.deepEqual(untimed, [`hook\tsecret\tclaude\tPreToolUse\t${root}\t\tnow\n{"a":"ü"}`]);
  const other = await hook();
  assert.deepEqual([other.bundle, other.args], ['hook', ['hook', 'claude', 'PreToolUse']]);
  server.close();
  fs.rmSync(socket, { force: true });
  assert.equal((await hook()).bundle, 'hook', 'nobody is behind the door');
  fs.rmSync(doorFolder(options.home), { recursive: true });
  assert.equal(run(['hook', 'claude']).told?.bundle, 'hook', 'no door');
});
