/** Readers of transcripts: what records mean, and that nothing in them can make a reader fail. */
import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { describe, it, test } from 'node:test';
import fc from 'fast-check';
import type { Fields } from '../../../src/agents/fields.ts';
import type { TranscriptTurn } from '../../../src/agents/transcript.ts';
import { sourceOf, sourceOfFile, transcriptSources } from '../../../src/agents/transcripts.ts';

function read(agent: string, records: readonly unknown[]): readonly TranscriptTurn[] {
  const reader = sourceOf(agent)?.reader();
  if (reader === undefined) throw new Error(agent);
  for (const [i, record] of records.entries()) reader.take(record as Fields, i * 100);
  const last = reader.last();
  return [...reader.finished(), ...(last ? [last] : [])];
}

const fixture = (name: string): unknown[] =>
  fs
    .readFileSync(
      path.join(import.meta.dirname, '..', '..', 'fixtures', 'transcripts', name),
      'utf8',
    )
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));

describe('Claude Code', () => {
  const prompt = (content: unknown, more: object = {}) => ({
    type: 'user',
    uuid: String(Math.random()),
    message: { role: 'user', content },
    ...more,
  });
  const answer = (text: string) => ({
    type: 'assistant',
    message: { id: text, content: [{ type: 'text', text }], stop_reason: 'end_turn' },
  });

  it('what the client writes for itself is no prompt', () => {
    const turns = read('claude', [
      prompt('one', { promptId: 'p1' }),
      prompt('meta', { isMeta: true }),
      prompt('summary', { isCompactSummary: true }),
      prompt('<local-command-stdout>x</local-command-stdout>'),
      prompt('<task-notification>done</task-notification>', { promptId: 'p9' }),
      prompt('of a subagent', { isSidechain: true }),
      prompt([{ type: 'text', text: '[Request interrupted by user]' }]),
      prompt('<command-name>/clear</command-name><command-args></command-args>'),
      prompt([{ type: 'text', text: 'two' }, { type: 'image' }]),
      answer('Two.'),
      prompt('<command-name>/review</command-name><command-args>src</command-args>'),
      answer('Reviewed.'),
    ]);
    assert.deepEqual(
      turns.map(({ prompt: text, reply, ending }) => [text, reply, ending]),
      [
        ['one', undefined, 'interrupt'],
        ['two', 'Two.', 'stop'],
        ['/review src', 'Reviewed.', 'stop'],
      ],
    );
  });

  it('what is said between tools is kept with the tools; usage counts once a message', () => {
    const part = (content: object, usage: number) => ({
      type: 'assistant',
      message: {
        id: 'm1',
        model: 'x',
        content: [content],
        usage: { output_tokens: usage },
        stop_reason: 'tool_use',
      },
    });
    const [turn] = read('claude', [
      prompt('go'),
      part({ type: 'text', text: 'Let me look.' }, 3),
      part({ type: 'tool_use', id: 't1', name: 'Read', input: {} }, 7),
      part({ type: 'thinking', thinking: 'hm' }, 7),
      answer('Seen.'),
    ]);
    assert.deepEqual(
      [turn?.tools[0]?.said, turn?.reply, turn?.outputTokens],
      ['Let me look.', 'Seen.', 7],
    );
  });
});

describe('Codex, older versions', () => {
  it('plain messages and calls', () => {
    const event = (payload: object) => ({
      timestamp: '2025-09-01T00:00:00Z',
      type: 'event_msg',
      payload,
    });
    const item = (payload: object) => ({
      timestamp: '2025-09-01T00:00:01Z',
      type: 'response_item',
      payload,
    });
    const turns = read('codex', [
      { type: 'session_meta', payload: { id: 's', cwd: '/repo' } },
      item({
        type: 'message',
        role: 'user',
        content: [{ type: 'input_text', text: '<environment_context>' }],
      }),
      event({ type: 'user_message', message: 'fix it' }),
      item({
        type: 'function_call',
        name: 'shell',
        call_id: 'c1',
        arguments: '{"command":["ls"]}',
      }),
      item({
        type: 'function_call_output',
        call_id: 'c1',
        output: '{"output":"a.js","metadata":{"exit_code":1}}',
      }),
      event({
        type: 'token_count',
        info: { last_token_usage: { input_tokens: 5, output_tokens: 2 } },
      }),
      event({ type: 'agent_message', message: 'Fixed.' }),
      item({
        type: 'message',
        role: 'assistant',
        content: [{ type: 'output_text', text: 'Fixed.' }],
      }),
      event({ type: 'turn_aborted' }),
      event({ type: 'user_message', message: 'and on' }),
    ]);
    assert.deepEqual(
      turns.map(({ prompt, reply, ending, tools, inputTokens }) => [
        prompt,
        reply,
        ending,
        tools.map(({ name, output, failed }) => [name, output, failed]),
        inputTokens,
      ]),
      [
        ['fix it', 'Fixed.', 'interrupt', [['shell', 'a.js', true]], 5],
        ['and on', undefined, 'stop', [], undefined],
      ],
    );
  });
});

describe('Gemini CLI', () => {
  it('a whole file of an older version; context of hooks is no part of the prompt', () => {
    const messages = [
      { id: '1', type: 'user', content: '<hook_context>x</hook_context>\nhello' },
      { id: '2', type: 'gemini', content: 'Hi.' },
    ];
    const [turn] = read('gemini', [{ sessionId: 's', messages }]);
    assert.deepEqual([turn?.prompt, turn?.reply, turn?.isComplete], ['hello', 'Hi.', true]);
  });

  it('going back', () => {
    const user = (id: string) => ({ id, type: 'user', content: [{ text: id }] });
    const turns = read('gemini', [user('a'), user('b'), user('c'), { $rewindTo: 'b' }, user('d')]);
    assert.deepEqual(turns.at(-1)?.parent, { kind: 'turn', key: 'a' });
  });
});

test('whose a file is, by its place', () => {
  assert.equal(sourceOfFile('C:\\Users\\me\\.claude\\projects\\x\\s.jsonl')?.agent, 'claude');
  assert.equal(sourceOfFile('/h/.claude/projects/x/s/subagents/agent-1.jsonl'), undefined);
  assert.equal(sourceOfFile('/h/.codex/sessions/2026/01/02/rollout-1.jsonl')?.agent, 'codex');
  assert.equal(sourceOfFile('/h/.gemini/tmp/x/chats/session-1.json')?.agent, 'gemini');
  assert.equal(sourceOfFile('/h/.copilot/session-state/x/events.jsonl')?.agent, 'copilot');
  assert.equal(sourceOfFile('/h/.cline/data/sessions/x/x.messages.json')?.agent, 'cline');
  assert.equal(sourceOfFile('/h/notes.jsonl'), undefined);
});

test('begun in the middle, the rest is read as from the start', () => {
  for (const agent of ['claude', 'codex', 'copilot']) {
    const records = fixture(`${agent}.jsonl`);
    const whole = read(agent, records);
    const at = Number(whole[1]?.position) / 100;
    const rest = read(agent, records.slice(at));
    assert.deepEqual(
      rest.map(({ key, reply, tools }) => [key, reply, tools.length]),
      whole.slice(1).map(({ key, reply, tools }) => [key, reply, tools.length]),
      agent,
    );
  }
});

test('a kind that cannot be made a text is unknown', () => {
  const odd = { toString: [], valueOf: null };
  for (const { agent } of transcriptSources)
    for (const name of ['type', 'subtype', 'role', 'kind'])
      read(agent, [{ [name]: odd }, { type: 'system', [name]: odd, payload: { [name]: odd } }]);
});

test('no record makes a reader fail', () => {
  const real = ['claude', 'codex', 'gemini', 'copilot'].flatMap((agent) =>
    fixture(`${agent}.jsonl`),
  );
  const broken = fc
    .constantFrom(...real)
    .chain((record) =>
      fc
        .tuple(fc.anything({ withNullPrototype: false }), fc.nat())
        .map(([value, at]) => spoil(record, value, at)),
    );
  for (const { agent } of transcriptSources)
    fc.assert(
      fc.property(
        fc.array(fc.oneof(fc.constantFrom(...real), broken), { maxLength: 12 }),
        (records) => {
          for (const turn of read(agent, records)) {
            assert.equal(typeof turn.prompt, 'string');
            assert.ok(Number.isFinite(turn.startedAt) && Number.isFinite(turn.endedAt));
          }
        },
      ),
      { numRuns: 150 },
    );
});

/** Replaces one value somewhere inside. */
function spoil(record: unknown, value: unknown, at: number): unknown {
  if (typeof record !== 'object' || record === null) return value;
  const keys = Object.keys(record);
  const key = keys[at % Math.max(1, keys.length)];
  if (key === undefined) return record;
  const inner = (record as Record<string, unknown>)[key];
  const changed = at % 3 === 0 ? value : spoil(inner, value, Math.floor(at / 3));
  return Array.isArray(record)
    ? record.map((each, i) => (String(i) === key ? changed : each))
    : { ...record, [key]: changed };
}
