import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { test } from 'node:test';
import { hookFile } from '../helpers/storeDriver.ts';

/** Public built-in modules a process has loaded when it ends. */
function loadedBy(folder: string, script: string, input: string): ReadonlySet<string> {
  const [probe, list] = [path.join(folder, 'probe.cjs'), path.join(folder, 'list.json')];
  const code = `process.on('exit', () => require('fs').writeFileSync(${JSON.stringify(list)}, JSON.stringify(process.moduleLoadList)));`;
  fs.writeFileSync(probe, code);
  const { status, stderr } = spawnSync(process.execPath, ['--require', probe, script, 'claude'], {
    cwd: folder,
    env: { HOME: folder, USERPROFILE: folder, MEMCODE_TIMELINE_HOME: path.join(folder, 'home') },
    input,
    encoding: 'utf8',
  });
  assert.deepEqual([status, stderr], [0, '']);
  const names: readonly string[] = JSON.parse(fs.readFileSync(list, 'utf8'));
  return new Set(
    names.flatMap((name) => /^NativeModule (?!internal\/)(.+)$/.exec(name)?.[1] ?? []),
  );
}

test('before an edit the hook loads no more of Node than it needs: crypto and streams cost milliseconds', () => {
  const folder = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), 'memcode-loads-')));
  try {
    const empty = path.join(folder, 'empty.cjs');
    fs.writeFileSync(empty, '');
    const file = path.join(folder, 'a.txt');
    fs.writeFileSync(file, 'a\n');
    const payload = (hook_event_name: string, more: object) =>
      JSON.stringify({
        session_id: 'session-1',
        transcript_path: `${folder}/.claude/projects/-p/session-1.jsonl`,
        cwd: folder,
        prompt_id: 'prompt-1',
        hook_event_name,
        ...more,
      });
    const always = loadedBy(folder, empty, '');
    loadedBy(folder, hookFile(), payload('UserPromptSubmit', { prompt: 'Edit a.txt.' }));
    const edit = { tool_name: 'Edit', tool_input: { file_path: file }, tool_use_id: 'call-1' };
    const loaded = loadedBy(folder, hookFile(), payload('PreToolUse', edit));
    const saved = path.join(folder, '.memcode', 'checkpoints', 'session-1', '1', 'files', 'a.txt');
    assert.ok(fs.existsSync(saved));
    assert.deepEqual(
      [...loaded].filter((name) => !always.has(name)),
      ['os'],
    );
  } finally {
    fs.rmSync(folder, { recursive: true, force: true });
  }
});
