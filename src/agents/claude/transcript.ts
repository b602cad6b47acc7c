/**
 * Transcripts of Claude Code: `~/.claude/projects/<folder>/<session>.jsonl`. Records form a tree by `parentUuid`: a prompt
 * whose parent lies in an older turn is a branch. Subagents' records (`isSidechain`) are another conversation.
 */
import { type Fields, kindOf, listOf, recordAt, recordOf, textAt } from '../fields.ts';
import { tagText } from '../tagText.ts';
import type {
  TranscriptChange,
  TranscriptHead,
  TranscriptParent,
  TranscriptReader,
  TranscriptSource,
} from '../transcript.ts';
import { blockTexts, countOf, TurnCollector, textOf, timeOf } from '../turnCollector.ts';

export const claudeTranscripts: TranscriptSource = {
  agent: 'claude',
  form: () => 'lines',
  reader: () => new ClaudeReader(),
  isTranscript: (file) => /\/\.claude\/projects\/[^/]+\/[^/]+\.jsonl$/.test(file),
  places: [{ folder: '.claude/projects', depth: 1 }],
  nameOf: (session) => `${session}.jsonl`,
};

/** What a client writes for itself: no message of anybody. */
const noise = new Set(
  'attachment queue-operation atis-latch api-request api-request-shape api-request-blob tools-used last-prompt cost-state mode permission-mode file-history-snapshot progress agent-name custom-title ai-title tag pr-link'.split(
    ' ',
  ),
);
/** Output of the client's own commands, and what it tells the model about itself. */
const notPrompts =
  /^(?:<local-command-|<bash-(?:std|input)|<task-notification>|Caveat: The messages below|\[Request interrupted)/;

class ClaudeReader implements TranscriptReader {
  readonly #turns = new TurnCollector();
  /** Which turn a record belongs to. */
  readonly #turnOf = new Map<string, string>();
  readonly #usage = new Map<string, { readonly input: number; readonly output: number }>();
  #head: { -readonly [K in keyof TranscriptHead]: TranscriptHead[K] } = {};
  #isFirst = true;

  get head(): TranscriptHead {
    return this.#head;
  }

  take(record: Fields, position: number): void {
    this.#readHead(record);
    if (record['isSidechain'] === true) return;
    const at = timeOf(record['timestamp']);
    switch (record['type']) {
      case 'user':
        this.#user(record, at, position);
        break;
      case 'assistant':
        this.#assistant(record, at);
        break;
      case 'system':
        this.#system(record, at);
        break;
      case 'summary':
        break;
      default:
        if (!noise.has(kindOf(record))) this.#turns.keep(kindOf(record), record);
    }
    const id = textAt(record, 'uuid');
    const turn = this.#turns.current;
    if (id !== undefined && turn) this.#turnOf.set(id, turn.key);
  }

  finished = () => this.#turns.finished();
  last = () => this.#turns.last();

  #readHead(record: Fields): void {
    const session = textAt(record, 'sessionId');
    const cwd = textAt(record, 'cwd');
    const time = timeOf(record['timestamp']);
    if (session !== undefined) this.#head.session ??= session;
    if (cwd !== undefined) this.#head.cwd ??= cwd;
    if (time > 0) this.#head.startedAt ??= time;
  }

  #user(record: Fields, at: number, position: number): void {
    const content = recordAt(record, 'message')['content'];
    const results = listOf(content)
      .map(recordOf)
      .filter((block) => block?.['type'] === 'tool_result');
    if (results.length > 0) {
      for (const block of results) if (block) this.#result(record, block, at);
      return;
    }
    if (record['isMeta'] === true || record['isCompactSummary'] === true) return;
    const text = blockTexts(content).join('\n\n');
    if (text.startsWith('[Request interrupted')) this.#turns.end('interrupt', at);
    if (text.trim() === '' || notPrompts.test(text)) return;
    const promptId = textAt(record, 'promptId');
    const key = promptId ?? textAt(record, 'uuid') ?? `@${position}`;
    if (this.#turns.current?.key === key) return;
    this.#turns.begin({
      key,
      promptId,
      prompt: commandText(text),
      at,
      position,
      parent: this.#parentOf(record),
      isTentative: text.startsWith('<command-'),
    });
    this.#usage.clear();
  }

  /** Summaries of a compacted conversation stand at a root of their own: what follows them goes on from before. */
  #parentOf(record: Fields): TranscriptParent {
    const isFirst = this.#isFirst;
    this.#isFirst = false;
    const parent = textAt(record, 'parentUuid');
    if (parent === undefined) return { kind: isFirst ? 'none' : 'previous' };
    const key = this.#turnOf.get(parent);
    if (key === undefined) return { kind: 'record', id: parent };
    return key === this.#turns.current?.key ? { kind: 'previous' } : { kind: 'turn', key };
  }

  #result(record: Fields, block: Fields, at: number): void {
    const output = blockTexts(block['content']).join('\n') || textOf(block['content'] ?? '');
    const failed = block['is_error'] === true;
    this.#turns.answer(textAt(block, 'tool_use_id'), { output, failed, at });
    const result = recordOf(record['toolUseResult']);
    const path = result && textAt(result, 'filePath');
    if (failed || result === undefined || path === undefined) return;
    if (!('originalFile' in result) && !('structuredPatch' in result)) return;
    const lines = listOf(result['structuredPatch']).flatMap((hunk) =>
      listOf(recordOf(hunk)?.['lines']),
    );
    const isNew = result['originalFile'] === null;
    const written = textAt(result, 'content');
    const starting = (sign: string) =>
      lines.filter((line) => typeof line === 'string' && line.startsWith(sign)).length;
    this.#turns.changed({
      path,
      change: isNew ? 'added' : 'modified',
      added: isNew && written !== undefined ? lineCount(written) : starting('+'),
      removed: starting('-'),
      ...textsOf(result),
    });
  }

  #assistant(record: Fields, at: number): void {
    const message = recordAt(record, 'message');
    const model = textAt(message, 'model');
    if (model !== '<synthetic>') this.#turns.by(model);
    this.#spend(message);
    for (const block of listOf(message['content'])) {
      const fields = recordOf(block) ?? {};
      if (fields['type'] === 'text') this.#turns.say(textAt(fields, 'text') ?? '', at);
      else if (fields['type'] === 'tool_use')
        this.#turns.call({
          callId: textAt(fields, 'id'),
          name: textAt(fields, 'name') ?? 'tool',
          input: fields['input'],
          at,
        });
      else if (!/^(?:redacted_)?thinking$/.test(kindOf(fields)))
        this.#turns.keep(`assistant ${kindOf(fields)}`, fields);
    }
    const stop = textAt(message, 'stop_reason');
    if (record['isApiErrorMessage'] === true) this.#turns.end('failed', at);
    else if (stop !== undefined && stop !== 'tool_use' && stop !== 'pause_turn')
      this.#turns.end('stop', at);
  }

  /** The records of one message repeat its usage: the last one counts. */
  #spend(message: Fields): void {
    const id = textAt(message, 'id');
    const usage = recordOf(message['usage']);
    if (id === undefined || usage === undefined) return;
    const input =
      countOf(usage['input_tokens']) +
      countOf(usage['cache_creation_input_tokens']) +
      countOf(usage['cache_read_input_tokens']);
    const output = countOf(usage['output_tokens']);
    const before = this.#usage.get(id) ?? { input: 0, output: 0 };
    this.#turns.spend(input - before.input, output - before.output);
    this.#usage.set(id, { input, output });
  }

  #system(record: Fields, at: number): void {
    const kind = kindOf(record, 'subtype');
    if (kind === 'stop_hook_summary') this.#turns.end('stop', at);
    else if (kind === 'turn_duration')
      this.#turns.end('stop', at, countOf(record['durationMs']) || undefined);
    else if (!knownSystem.has(kind)) this.#turns.keep(`system ${kind}`, record);
  }
}

const knownSystem = new Set(
  'compact_boundary microcompact_boundary local_command informational api_error init away_summary bridge_status memory_saved agents_killed scheduled_task_fire'.split(
    ' ',
  ),
);

/** `/review src` for what the client wraps in tags. */
function commandText(text: string): string {
  const name = tagText(text, 'command-name')?.text.trim();
  if (name === undefined) return text;
  const args = tagText(text, 'command-args')?.text.trim();
  return args ? `${name} ${args}` : name;
}

/** The file before the call, and after it where the edit can be done again. */
function textsOf(result: Fields): Pick<TranscriptChange, 'before' | 'after' | 'isReplayed'> {
  const { originalFile: before, oldString, newString, content } = result;
  if (before !== null && typeof before !== 'string') return {};
  if (result['userModified'] === true) return { before };
  if (typeof content === 'string') return { before, after: content, isReplayed: before === null };
  if (before === null || typeof oldString !== 'string' || typeof newString !== 'string')
    return { before };
  if (oldString === '' || !before.includes(oldString)) return { before };
  const after =
    result['replaceAll'] === true
      ? before.replaceAll(oldString, () => newString)
      : before.replace(oldString, () => newString);
  return { before, after, isReplayed: true };
}

function lineCount(text: string): number {
  if (text === '') return 0;
  return text.split('\n').length - (text.endsWith('\n') ? 1 : 0);
}
