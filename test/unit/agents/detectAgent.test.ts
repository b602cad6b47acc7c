import assert from 'node:assert/strict';
import { test } from 'node:test';
import { detectAgent } from '../../../src/agents/detectAgent.ts';
import type { PayloadHint } from '../../../src/agents/reading.ts';

const shape = { session_id: 's', cwd: '/r', hook_event_name: 'PreToolUse' };

function check(
  agent: string,
  payload: Record<string, unknown>,
  hint: PayloadHint = { agent: 'claude' },
) {
  assert.equal(detectAgent(payload, hint), agent, JSON.stringify(payload));
}

test('each client by what only it sends', () => {
  check('cursor', { ...shape, cursor_version: '2' });
  check('cursor', { conversation_id: 'c', hook_event_name: 'stop' });
  check('cline', { hookName: 'tool_call', clineVersion: '', taskId: 't' });
  check('gemini', { ...shape, hook_event_name: 'BeforeTool' });
  check('gemini', { ...shape, transcript_path: '/home/user/.gemini/tmp/x.jsonl' });
  check('codex', { ...shape, turn_id: 't', model: 'gpt-5' });
  check('codex', { ...shape, transcript_path: '/home/user/.codex/sessions/x.jsonl' });
  check('claude', { ...shape, transcript_path: '/home/user/.claude/projects/-r/s.jsonl' });
  check('claude', { ...shape, transcript_path: 'C:\\Users\\u\\.claude\\projects\\r\\s.jsonl' });
  check('copilot', { sessionId: 's', toolName: 'edit' });
  check('copilot', { ...shape, timestamp: 1, tool_input: { path: '/r/a' } });
  check('copilot', { ...shape, timestamp: 1, tool_result: {} });
  check('opencode', { hook: 'event', directory: '/r', event: {} });
  check('opencode', { sessionID: 's' });
  check('vscode', { ...shape, timestamp: 1, tool_input: { filePath: '/r/a' } });
  check('vscode', {
    sessionId: 's',
    hookEventName: 'PreToolUse',
    timestamp: 1,
    tool_name: 'create_file',
  });
});

test('a copy of Claude Code is named after its own folder', () => {
  check('qwen', { ...shape, transcript_path: '/home/user/.qwen/tmp/x.jsonl', prompt_id: 'p' });
  check('factory', { ...shape, transcript_path: '/home/user/.config/.factory/x.jsonl' });
  check('unknown', {
    ...shape,
    transcript_path: '/home/user/.config/thing/x.jsonl',
    prompt_id: 'p',
  });
});

test('the name in the configuration is a last hint', () => {
  check('unknown', shape);
  check('unknown', { ...shape, timestamp: 1 }, { agent: 'claude', env: { CLAUDECODE: '1' } });
  check('claude', shape, { agent: 'claude', env: { CLAUDECODE: '1' } });
  check('codex', { ...shape, transcript_path: null }, { agent: 'codex' });
  check('gemini', { ...shape, hook_event_name: 'SessionEnd' }, { agent: 'gemini' });
  check(
    'claude',
    { ...shape, transcript_path: '/h/.claude/projects/r/s.jsonl' },
    { agent: 'gemini' },
  );
});
