/** What the samples do not show: special prompts, missing fields, hostile payloads. */
import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { parsePayload } from '../../../src/agents/parsePayload.ts';
import type { PayloadHint } from '../../../src/agents/reading.ts';
import type { AgentEvent } from '../../../src/core/agentEvent.ts';

const claude = {
  session_id: 's',
  transcript_path: '/home/user/.claude/projects/-r/s.jsonl',
  cwd: '/r',
};
const gemini = { session_id: 's', cwd: '/r', hook_event_name: 'BeforeAgent' };

function eventOf(payload: unknown, hint: PayloadHint = {}): AgentEvent {
  const parsed = parsePayload(payload, hint);
  assert.ok('event' in parsed, JSON.stringify(parsed));
  return parsed.event;
}

function promptOf(payload: unknown): string {
  const event = eventOf(payload);
  assert.ok(event.kind === 'prompt');
  return event.prompt;
}

test('Gemini: context that hooks injected is not part of the prompt', () => {
  const check = (prompt: string, expected: string) =>
    assert.equal(promptOf({ ...gemini, prompt }), expected);
  check('<hook_context>a</hook_context>\n\nDo it', 'Do it');
  check('<hook_context>a</hook_context>\n<hook_context>b</hook_context> Do it', 'Do it');
  check('Explain <hook_context>x</hook_context>', 'Explain <hook_context>x</hook_context>');
  check('<hook_context>never closed', '<hook_context>never closed');
  check('  plain  ', '  plain  ');
});

test('prompts: empty, of the client itself, very long', () => {
  const base = { ...claude, hook_event_name: 'UserPromptSubmit' };
  assert.equal(promptOf({ ...base, prompt: '' }), '');
  assert.equal(promptOf(base), '');
  const note = eventOf({ ...base, prompt: '<task-notification>\n…' });
  assert.equal(note.kind === 'prompt' && note.notification, true);
  const long = promptOf({ ...base, prompt: 'x'.repeat(10_000_000) });
  assert.equal(long.length, 100_000);
  assert.ok(long.endsWith('…'));
});

test('ends of turns', () => {
  const check = (payload: object, expected: object) => {
    const { kind, how, reply } = eventOf({ ...claude, ...payload }) as AgentEvent & {
      kind: 'turnEnd';
    };
    assert.deepEqual({ kind, how, reply }, { kind: 'turnEnd', reply: undefined, ...expected });
  };
  check({ hook_event_name: 'Stop', last_assistant_message: 'ok' }, { how: 'stop', reply: 'ok' });
  check({ hook_event_name: 'StopFailure', error: 'rate limit' }, { how: 'failed' });
  check({ hook_event_name: 'Interrupt' }, { how: 'interrupt' });
  assert.deepEqual(parsePayload({ ...claude, hook_event_name: 'Stop', agent_id: 'a' }, {}), {
    ignored: 'the end of a subagent',
  });
});

test('a payload without a session is recorded for its folder', () => {
  const payload = { cwd: '/r', hook_event_name: 'UserPromptSubmit', prompt: 'x' };
  assert.equal(eventOf(payload).session, 'unknown:/r');
  assert.ok('ignored' in parsePayload({ hook_event_name: 'Stop' }, {}));
  assert.ok('ignored' in parsePayload({ ...payload, cwd: 'relative' }, {}));
});

test('an event name beside the payload counts only when there is none inside', () => {
  assert.equal(
    eventOf({ sessionId: 's', source: 'new' }, { event: 'sessionStart' }).kind,
    'sessionStart',
  );
  assert.equal(
    eventOf({ ...claude, hook_event_name: 'Stop' }, { event: 'PreToolUse' }).kind,
    'turnEnd',
  );
  assert.ok('ignored' in parsePayload({ ...claude, hook_event_name: 'constructor' }, {}));
});

test('the environment is never part of an event', () => {
  const hint = { agent: 'claude', env: { CLAUDECODE: '1', ANTHROPIC_API_KEY: 'secret-value' } };
  const event = eventOf({ session_id: 's', cwd: '/r', hook_event_name: 'Stop' }, hint);
  assert.ok(!JSON.stringify(event).includes('secret-value'));
});

test('nothing makes it throw: every sample with every field replaced by every odd value', () => {
  let deep: unknown = 'x';
  for (let i = 0; i < 5000; i++) deep = i % 2 ? [deep] : { path: deep };
  const odd = [
    undefined,
    null,
    true,
    0,
    '',
    'x',
    [],
    {},
    [[]],
    [null],
    { a: 1 },
    deep,
    'y'.repeat(100_000),
  ];
  const folder = path.resolve(import.meta.dirname, '../../fixtures/payloads');
  let tried = 0;
  for (const client of fs.readdirSync(folder).filter((name) => name !== 'golden')) {
    for (const file of fs.readdirSync(path.join(folder, client))) {
      const text = fs.readFileSync(path.join(folder, client, file), 'utf8');
      for (const mutant of mutants(JSON.parse(text) as Record<string, unknown>, odd)) {
        const parsed = parsePayload(mutant, { agent: client });
        assert.ok('event' in parsed || parsed.ignored.length < 200);
        tried++;
      }
    }
  }
  assert.ok(tried > 1000);
  for (const payload of [...odd, 'text', 1n, Symbol('s'), () => 1]) parsePayload(payload, {});
});

test('a payload of 50 MB', () => {
  const big = 'z'.repeat(50_000_000);
  const event = eventOf({
    ...claude,
    hook_event_name: 'PreToolUse',
    tool_name: 'Write',
    tool_input: { file_path: '/r/a', content: big },
  });
  assert.ok(JSON.stringify(event).length < 1000);
  const lines = '*** Update File: a\n'.repeat(100_000);
  const patch = eventOf({
    ...claude,
    hook_event_name: 'PreToolUse',
    tool_name: 'apply_patch',
    tool_input: { command: lines },
  });
  assert.deepEqual(patch.kind === 'beforeTool' && patch.paths, ['a']);
});

/** One mutant for every field (also of the nested input and response) and every odd value. */
function* mutants(payload: Record<string, unknown>, odd: readonly unknown[]) {
  for (const name of Object.keys(payload)) {
    for (const value of odd) yield { ...payload, [name]: value };
    const inner = payload[name];
    if (typeof inner !== 'object' || inner === null) continue;
    for (const key of Object.keys(inner)) {
      for (const value of odd) yield { ...payload, [name]: { ...inner, [key]: value } };
    }
  }
}
