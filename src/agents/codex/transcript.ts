/**
 * Transcripts of Codex: `~/.codex/sessions/YYYY/MM/DD/rollout-<time>-<id>.jsonl`. What was done stands there twice, as items
 * (`item_completed`) and as calls of the model (`response_item`); calls count where no item tells of them. Older versions
 * have only calls and plain messages.
 */
import { type Fields, kindOf, listOf, recordAt, recordOf, textAt } from '../fields.ts';
import type {
  TranscriptHead,
  TranscriptParent,
  TranscriptReader,
  TranscriptSource,
} from '../transcript.ts';
import { blockTexts, countOf, TurnCollector, textOf, timeOf } from '../turnCollector.ts';

export const codexTranscripts: TranscriptSource = {
  agent: 'codex',
  form: () => 'lines',
  reader: () => new CodexReader(),
  isTranscript: (file) => /\/rollout-[^/]+\.jsonl$/.test(file),
  places: [
    { folder: '.codex/sessions', depth: 3 },
    { folder: '.codex/archived_sessions', depth: 3 },
  ],
};

interface PendingCall {
  readonly name: string;
  readonly input: unknown;
  readonly at: number;
  readonly tools: number;
}

const noise = new Set(
  'turn_context world_state token_usage_record compacted thread_settings_applied additional_tools session_meta reasoning web_search_call ghost_snapshot exec_command_begin exec_command_output_delta agent_reasoning agent_reasoning_delta agent_reasoning_raw_content agent_reasoning_section_break patch_apply_begin mcp_tool_call_begin item_started agent_message_delta plan_update turn_diff entered_review_mode context_compacted'.split(
    ' ',
  ),
);

class CodexReader implements TranscriptReader {
  readonly #turns = new TurnCollector();
  readonly #pending = new Map<string, PendingCall>();
  readonly #keys: string[] = [];
  #head: { -readonly [K in keyof TranscriptHead]: TranscriptHead[K] } = {};
  /** Of the turn that is announced and has no prompt yet. */
  #turnId: string | undefined;
  #start = 0;
  #model: string | undefined;
  #tools = 0;
  #said = '';
  #back = 0;

  get head(): TranscriptHead {
    return this.#head;
  }

  take(record: Fields, position: number): void {
    const payload = recordAt(record, 'payload');
    const at = timeOf(record['timestamp']);
    switch (record['type']) {
      case 'session_meta':
        this.#meta(payload, at);
        break;
      case 'turn_context':
        this.#model = textAt(payload, 'model') ?? this.#model;
        this.#turns.by(this.#model);
        break;
      case 'event_msg':
        this.#event(payload, at, position);
        break;
      case 'response_item':
        this.#item(payload, at);
        break;
      default:
        if (!noise.has(kindOf(record))) this.#turns.keep(kindOf(record), record);
    }
  }

  finished = () => this.#turns.finished();
  last = () => this.#turns.last();

  #meta(payload: Fields, at: number): void {
    const session = textAt(payload, 'id', 'session_id');
    const cwd = textAt(payload, 'cwd');
    if (session !== undefined) this.#head.session ??= session;
    if (cwd !== undefined) this.#head.cwd ??= cwd;
    this.#head.startedAt ??= timeOf(payload['timestamp']) || at;
  }

  #event(event: Fields, at: number, position: number): void {
    switch (event['type']) {
      case 'task_started':
      case 'turn_started':
        this.#turnId = textAt(event, 'turn_id');
        this.#start = position;
        break;
      case 'user_message':
        this.#prompt(textAt(event, 'message') ?? '', at, position);
        break;
      case 'agent_message':
        this.#say(textAt(event, 'message') ?? '', at);
        break;
      case 'item_completed':
        this.#completed(recordAt(event, 'item'), at, position);
        break;
      case 'token_count':
        this.#spend(recordAt(recordAt(event, 'info'), 'last_token_usage'));
        break;
      case 'task_complete':
      case 'turn_complete':
        this.#say(textAt(event, 'last_agent_message') ?? '', at);
        this.#turns.end('stop', at, countOf(event['duration_ms']) || undefined);
        break;
      case 'turn_aborted':
        this.#turns.end('interrupt', at);
        break;
      case 'error':
      case 'stream_error':
        break;
      case 'thread_rolled_back':
        this.#back += countOf(event['num_turns']);
        break;
      default:
        if (!noise.has(kindOf(event)) && !/^exec_|_end$/.test(kindOf(event)))
          this.#turns.keep(`event ${kindOf(event)}`, event);
    }
  }

  #prompt(text: string, at: number, position: number): void {
    if (text.trim() === '') return;
    const key = this.#turnId ?? `@${position}`;
    // What the user adds while the agent works belongs to the turn.
    if (this.#turns.current?.key === key) return;
    this.#turns.begin({
      key,
      promptId: this.#turnId,
      prompt: text,
      at,
      position: this.#turnId === undefined ? position : this.#start,
      parent: this.#parent(),
    });
    this.#turns.by(this.#model);
    this.#keys.push(key);
    this.#turnId = undefined;
    this.#tools = 0;
    this.#said = '';
    this.#pending.clear();
  }

  #parent(): TranscriptParent {
    if (this.#back === 0) return { kind: 'previous' };
    this.#keys.splice(Math.max(0, this.#keys.length - this.#back));
    this.#back = 0;
    const key = this.#keys.at(-1);
    return key === undefined ? { kind: 'none' } : { kind: 'turn', key };
  }

  #say(text: string, at: number): void {
    if (text === this.#said) return;
    this.#said = text;
    this.#turns.say(text, at);
  }

  #completed(item: Fields, at: number, position: number): void {
    switch (item['type']) {
      case 'UserMessage':
        this.#prompt(blockTexts(item['content']).join('\n\n'), at, position);
        break;
      case 'AgentMessage':
        this.#say(blockTexts(item['content']).join('\n\n'), at);
        break;
      case 'CommandExecution':
        this.#tool('Bash', item, { command: commandOf(item['command']) }, at, {
          output: textAt(item, 'aggregated_output') ?? '',
          failed: countOf(item['exit_code']) > 0,
          duration: durationOf(item['duration']),
        });
        break;
      case 'FileChange':
        this.#fileChange(item, at);
        break;
      case 'McpToolCall':
        this.#tool(textAt(item, 'tool') ?? 'mcp', item, item['arguments'], at, {
          output: textOf(item['result'] ?? item['error'] ?? ''),
          failed: item['status'] === 'failed',
        });
        break;
      case 'Reasoning':
      case 'WebSearch':
      case 'Plan':
      case 'ContextCompaction':
        break;
      default:
        this.#turns.keep(`item ${kindOf(item)}`, item);
    }
  }

  #tool(
    name: string,
    item: Fields,
    input: unknown,
    at: number,
    result: { output: string; failed: boolean; duration?: number | undefined },
  ): void {
    const callId = textAt(item, 'id');
    this.#tools++;
    this.#turns.call({ callId, name, input, at });
    this.#turns.answer(callId, { ...result, at });
  }

  #fileChange(item: Fields, at: number): void {
    const changes = recordAt(item, 'changes');
    const failed = item['status'] !== 'completed';
    this.#tool('apply_patch', item, changes, at, {
      output: [textAt(item, 'stdout'), textAt(item, 'stderr')].filter(Boolean).join('\n'),
      failed,
    });
    if (failed) return;
    for (const [path, value] of Object.entries(changes)) {
      const change = recordOf(value) ?? {};
      const diff = textAt(change, 'unified_diff') ?? '';
      const text = textAt(change, 'content');
      const lines =
        text === undefined ? 0 : text.split('\n').length - (text.endsWith('\n') ? 1 : 0);
      const moved = textAt(change, 'move_path');
      if (change['type'] === 'add')
        this.#turns.changed({
          path,
          change: 'added',
          added: lines,
          removed: 0,
          before: null,
          after: text ?? '',
          isReplayed: true,
        });
      else if (change['type'] === 'delete')
        this.#turns.changed({
          path,
          change: 'deleted',
          added: 0,
          removed: lines,
          ...(text !== undefined && { before: text }),
          after: null,
        });
      else {
        const added = diff.match(/^\+(?!\+\+ )/gm)?.length ?? 0;
        const removed = diff.match(/^-(?!-- )/gm)?.length ?? 0;
        if (moved !== undefined)
          this.#turns.changed({ path, change: 'deleted', added: null, removed: null });
        this.#turns.changed({
          path: moved ?? path,
          change: moved === undefined ? 'modified' : 'added',
          added,
          removed,
          // Of a file that was moved the diff belongs to two names.
          ...(moved === undefined && diff !== '' && { patch: diff }),
        });
      }
    }
  }

  /** Calls of the model: they wait for their answer, since only then it shows whether an item told of them. */
  #item(item: Fields, at: number): void {
    const kind = kindOf(item);
    const callId = textAt(item, 'call_id', 'id');
    if (/^(?:function|custom_tool|local_shell)_call$/.test(kind)) {
      const input = item['arguments'] ?? item['input'] ?? item['action'];
      const name = textAt(item, 'name') ?? (kind === 'local_shell_call' ? 'shell' : 'tool');
      if (callId !== undefined) this.#pending.set(callId, { name, input, at, tools: this.#tools });
    } else if (/^(?:function|custom_tool)_call_output$/.test(kind)) {
      this.#output(callId, item['output'], at);
    } else if (kind === 'message') {
      if (item['role'] === 'assistant') this.#say(blockTexts(item['content']).join('\n\n'), at);
    } else if (!noise.has(kind)) this.#turns.keep(`response ${kind}`, item);
  }

  #output(callId: string | undefined, output: unknown, at: number): void {
    const call = callId === undefined ? undefined : this.#pending.get(callId);
    if (callId === undefined || call === undefined) return;
    this.#pending.delete(callId);
    if (this.#tools > call.tools) return;
    this.#turns.call({ callId, name: call.name, input: call.input, at: call.at });
    const inner = typeof output === 'string' ? fromJson(output) : recordOf(output);
    const text = inner
      ? (textAt(inner, 'output', 'content') ?? textOf(output))
      : blockTexts(output).join('') || textOf(output);
    const exit = countOf(recordAt(inner ?? {}, 'metadata')['exit_code']);
    const failed = exit > 0 || inner?.['success'] === false || text.startsWith('Script failed');
    this.#turns.answer(callId, { output: text, failed, at });
  }

  #spend(usage: Fields): void {
    this.#turns.spend(countOf(usage['input_tokens']), countOf(usage['output_tokens']));
  }
}

/** `bash -lc SCRIPT` is what the client makes of every command: the script is what was meant. */
function commandOf(value: unknown): string {
  const parts = listOf(value).filter((part) => typeof part === 'string');
  if (parts.length === 0) return textOf(value ?? '');
  return /^-l?c$/.test(parts[1] ?? '') ? (parts[2] ?? '') : parts.join(' ');
}

function durationOf(value: unknown): number | undefined {
  const { secs, nanos } = recordOf(value) ?? {};
  if (typeof secs !== 'number' || typeof nanos !== 'number') return undefined;
  return Math.round(secs * 1000 + nanos / 1e6);
}

function fromJson(text: string): Fields | undefined {
  if (!text.startsWith('{')) return undefined;
  try {
    return recordOf(JSON.parse(text));
  } catch {
    // A text that only begins like an object.
    return undefined;
  }
}
