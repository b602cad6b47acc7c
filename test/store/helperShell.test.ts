/** Hooks that reach the helper by way of a few lines of Perl, and what happens when they do not. */
import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { describe, it } from 'node:test';
import { doorFolder, perlClient } from '../../src/app/helper/shellClient.ts';
import { HelperWorld, kill, until } from '../helpers/helperWorld.ts';
import { shell } from '../helpers/snapshotWorld.ts';

const hasPerl = spawnSync('perl', ['-e', '1']).status === 0;
const options = { skip: hasPerl ? false : 'there is no perl' };

/** What a hook call prints. Instead of the helper `cat` answers, after a word of its own. */
async function hook(
  w: HelperWorld,
  payload: string,
  cwd: string = w.root,
  program = perlClient,
): Promise<string> {
  const other = ['/bin/sh', '-c', 'printf instead:; cat'];
  const child = spawn('perl', ['-e', program, w.home, 'claude', '', ...other], {
    cwd,
    env: { ...process.env, PWD: cwd },
  });
  let output = '';
  child.stdout.setEncoding('utf8');
  child.stdout.on('data', (chunk) => {
    output += String(chunk);
  });
  child.stderr.on('data', (chunk) => {
    output += `stderr: ${chunk}`;
  });
  child.stdin.end(payload);
  await new Promise((resolve) => child.on('close', resolve));
  return output;
}

function editOf(w: HelperWorld, name: string, event = 'PreToolUse'): string {
  return JSON.stringify({
    session_id: 's1',
    transcript_path: path.join(w.folder, 'none.jsonl'),
    cwd: w.root,
    hook_event_name: event,
    tool_name: 'Write',
    tool_input: { file_path: w.path(name), content: 'ü'.repeat(100_000) },
    tool_use_id: 't1',
  });
}

describe('a hook by way of the shell', options, () => {
  it('has the helper save what an edit is about to change', async () => {
    await using w = new HelperWorld({ a: 'before' });
    await w.client().create(shell);
    assert.equal(await hook(w, editOf(w, 'a')), '');
    const saved = w.path('.memcode/checkpoints/s1/1/files/a');
    assert.equal(fs.readFileSync(saved, 'utf8'), 'before');
    fs.mkdirSync(w.path('inner/deep'), { recursive: true });
    w.put('b', 'before too');
    assert.equal(await hook(w, editOf(w, 'b'), w.path('inner/deep')), '');
    assert.equal(
      fs.readFileSync(w.path('.memcode/checkpoints/s1/1/files/b'), 'utf8'),
      'before too',
    );
  });

  it('is answered with what the agent is to read', async () => {
    await using w = new HelperWorld();
    await w.serve({ onText: async ({ payload }) => `read ${payload.length}\n` });
    assert.equal(await hook(w, '{"a": 1}'), 'read 8\n');
    assert.equal(await hook(w, ''), 'read 0\n');
  });

  it('becomes the other program, payload and all, wherever no helper answers', async () => {
    await using w = new HelperWorld();
    const payload = JSON.stringify({ text: 'ä\n'.repeat(50_000) });
    const instead = `instead:${payload}`;
    assert.equal(await hook(w, payload), instead);
    const server = await w.serve({ onText: () => Promise.reject(new Error('no')) });
    assert.equal(await hook(w, payload), instead);
    assert.equal(await hook(w, payload, w.folder), instead);
    const [door = ''] = fs.readdirSync(doorFolder(w.home)).filter((name) => name.endsWith('door'));
    fs.writeFileSync(path.join(doorFolder(w.home), 'half.door'), `${w.root}\n`);
    const text = fs.readFileSync(path.join(doorFolder(w.home), door), 'utf8');
    fs.writeFileSync(path.join(doorFolder(w.home), door), text.replace(/.\n$/, '\n'));
    assert.equal(await hook(w, payload), instead);
    await server?.leave('the test says so');
    assert.equal(await hook(w, payload), instead);
    assert.deepEqual(
      fs.readdirSync(doorFolder(w.home)).filter((name) => name.startsWith('payload')),
      [],
    );
  });

  it('becomes the other program when the helper dies', async () => {
    await using w = new HelperWorld({ a: '1' });
    await w.client().create(shell);
    const pid = w.record?.pid ?? 0;
    process.kill(pid, 'SIGSTOP');
    const payload = editOf(w, 'a');
    const running = hook(w, payload);
    const address = w.record?.address ?? '';
    const sockets = '/proc/net/unix';
    await until(
      () => !fs.existsSync(sockets) || fs.readFileSync(sockets, 'utf8').split(address).length > 2,
    );
    await kill(pid);
    assert.equal(await running, `instead:${payload}`);
    assert.equal(await hook(w, payload), `instead:${payload}`);
  });

  it('waits for work that takes long, as long as the helper says that it works', async () => {
    await using w = new HelperWorld();
    const hasty = perlClient.replaceAll('alarm 3', 'alarm 1');
    // Gone after all alarms that were set before it began.
    const alarm = () =>
      new Promise((resolve) => spawn('perl', ['-e', 'alarm 2; sleep 60']).on('close', resolve));
    let asked = 0;
    const onText = async () => {
      asked++;
      await alarm();
      return 'late\n';
    };
    await w.serve({ beat: 100, onText });
    assert.equal(await hook(w, '{}', w.root, hasty), 'late\n');
    assert.equal(asked, 1);
  });

  it('is not done once more by a helper that was stopped until its sender had given up', async () => {
    await using w = new HelperWorld({ a: '1' });
    await w.client().create(shell);
    const pid = w.record?.pid ?? 0;
    process.kill(pid, 'SIGSTOP');
    try {
      const payload = editOf(w, 'a');
      assert.equal(await hook(w, payload), `instead:${payload}`);
    } finally {
      process.kill(pid, 'SIGCONT');
    }
    w.put('b', '2');
    assert.equal(await hook(w, editOf(w, 'b')), '');
    assert.deepEqual(fs.readdirSync(w.path('.memcode/checkpoints/s1/1/files')), ['b']);
  });
});
