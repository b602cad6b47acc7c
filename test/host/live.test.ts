/** What another process records arrives here by itself. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import * as vscode from 'vscode';
import { extensionId, memcode, secondHub, untilEvent, workspaceFolder } from './hostFixture.ts';
import { test } from './hostTest.ts';

/** One hook call of an agent, in a process of its own. */
async function hook(payload: object): Promise<void> {
  const folder = vscode.extensions.getExtension(extensionId)!.extensionPath;
  const child = spawn(process.execPath, [path.join(folder, 'dist/hook.cjs'), 'hook', 'claude'], {
    env: { ...process.env, ELECTRON_RUN_AS_NODE: '1' },
    stdio: ['pipe', 'ignore', 'ignore'],
  });
  child.stdin.end(JSON.stringify(payload));
  const [status] = await once(child, 'exit');
  assert.equal(status, 0);
}

test('a turn of an agent in another process shows up without a click', async (t) => {
  await memcode();
  const live = secondHub(t);
  const { model } = await live.opened();
  const session_id = 'live from another process';
  const common = {
    session_id,
    transcript_path: '/home/user/.claude/projects/x/live.jsonl',
    cwd: workspaceFolder().fsPath,
  };
  const seen = () => model.sessions.find(({ summary }) => summary.id === session_id);
  assert.equal(seen(), undefined);
  await hook({ ...common, hook_event_name: 'UserPromptSubmit', prompt: 'Say hello' });
  await untilEvent([live.onDidChange], () => seen()?.summary.turns === 1);
  assert.equal(model.session?.summary.id, session_id);
  assert.equal(model.currentTurn?.prompt, 'Say hello');
  assert.equal(model.currentTurn?.end, 'running');
  await hook({ ...common, hook_event_name: 'Stop', last_assistant_message: 'Hello.' });
  await untilEvent([live.onDidChange], () => model.currentTurn?.end === 'stop');
});
