/**
 * Transcripts of Cline: `~/.cline/data/sessions/<id>/<id>.messages.json` beside `<id>.json`, which knows the folder; of its
 * VS Code extension: `tasks/<id>/api_conversation_history.json`. One JSON value each, written anew at every step.
 */
import fs from 'node:fs';
import path from 'node:path';
import { type Fields, kindOf, listOf, recordAt, recordOf, textAt } from '../fields.ts';
import { tagText } from '../tagText.ts';
import type { TranscriptHead, TranscriptReader, TranscriptSource } from '../transcript.ts';
import { blockTexts, countOf, TurnCollector, timeOf } from '../turnCollector.ts';

export const clineTranscripts: TranscriptSource = {
  agent: 'cline',
  form: () => 'whole',
  reader: (file) => new ClineReader(beside(file)),
  isTranscript: (file) =>
    /\.cline\/data\/sessions\/[^/]+\/[^/]+\.messages\.json$/.test(file) ||
    /\/tasks\/[^/]+\/api_conversation_history\.json$/.test(file),
  places: [{ folder: '.cline/data/sessions', depth: 1 }],
  nameOf: (session) => `${session}/${session}.messages.json`,
};

/** What the file beside the messages, or the folder's name, tells. */
function beside(file: string | undefined): TranscriptHead {
  if (file === undefined) return {};
  if (path.basename(file) === 'api_conversation_history.json')
    return { session: path.basename(path.dirname(file)) };
  try {
    const other = file.replace(/\.messages\.json$/, '.json');
    const facts = recordOf(JSON.parse(fs.readFileSync(other, 'utf8'))) ?? {};
    const cwd = textAt(facts, 'cwd', 'workspace_root');
    const startedAt = timeOf(facts['started_at']);
    return { ...(cwd !== undefined && { cwd }), ...(startedAt > 0 && { startedAt }) };
  } catch {
    // The messages count without it.
    return {};
  }
}

/** Tags around what a person typed. */
const wraps = ['user_input', 'task', 'user_message', 'feedback'];

class ClineReader implements TranscriptReader {
  readonly #turns = new TurnCollector();
  readonly #head: { -readonly [K in keyof TranscriptHead]: TranscriptHead[K] };

  constructor(head: TranscriptHead) {
    this.#head = { ...head };
  }

  get head(): TranscriptHead {
    return this.#head;
  }

  /** The whole file. */
  take(record: Fields): void {
    const session = textAt(record, 'sessionId');
    if (session !== undefined) this.#head.session ??= session;
    for (const [index, message] of listOf(record['messages']).entries())
      this.#message(recordOf(message) ?? {}, index);
  }

  finished = () => this.#turns.finished();
  last = () => this.#turns.last();

  #message(message: Fields, index: number): void {
    const at = timeOf(message['ts']);
    const blocks = listOf(message['content']).map((block) => recordOf(block) ?? {});
    if (message['role'] === 'assistant') this.#answer(message, blocks, at);
    else {
      for (const block of blocks) if (block['type'] === 'tool_result') this.#result(block, at);
      this.#prompt(message, at, index);
    }
  }

  #prompt(message: Fields, at: number, index: number): void {
    const text = blockTexts(message['content']).join('\n\n');
    const typed = wraps
      .flatMap((name) => tagText(text, name) ?? [])
      .toSorted((a, b) => a.at - b.at)[0]
      ?.text.trim();
    if (typed === undefined || typed === '') return;
    const key = textAt(message, 'id') ?? `#${index}`;
    this.#turns.begin({ key, prompt: typed, at, position: index });
  }

  #answer(message: Fields, blocks: readonly Fields[], at: number): void {
    const model = recordAt(message, 'modelInfo');
    this.#turns.by(textAt(model, 'id', 'modelId'));
    const metrics = recordAt(message, 'metrics');
    const read = countOf(metrics['cacheReadTokens']) + countOf(metrics['cacheWriteTokens']);
    this.#turns.spend(countOf(metrics['inputTokens']) + read, countOf(metrics['outputTokens']));
    let calls = 0;
    for (const block of blocks) {
      if (block['type'] === 'text') this.#turns.say(textAt(block, 'text') ?? '', at);
      else if (block['type'] === 'tool_use') {
        calls++;
        const { id, input } = block;
        const callId = typeof id === 'string' ? id : undefined;
        this.#turns.call({ callId, name: textAt(block, 'name') ?? 'tool', input, at });
      } else if (!/thinking|reasoning/.test(kindOf(block)))
        this.#turns.keep(`assistant ${kindOf(block)}`, block);
    }
    if (calls === 0) this.#turns.end('stop', at);
  }

  #result(block: Fields, at: number): void {
    const content = block['content'];
    const parts = listOf(typeof content === 'string' ? fromJson(content) : content)
      .concat(typeof content === 'string' ? (recordOf(fromJson(content)) ?? []) : [])
      .map((part) => recordOf(part) ?? {});
    const failed =
      block['is_error'] === true ||
      parts.some((part) => part['success'] === false || textAt(part, 'error') !== undefined);
    const texts = parts.map((part) => textAt(part, 'error', 'result', 'text') ?? '');
    const output =
      texts.join('\n').trim() === '' && typeof content === 'string' ? content : texts.join('\n');
    this.#turns.answer(textAt(block, 'tool_use_id'), { output, failed, at });
  }
}

function fromJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // A plain text.
    return undefined;
  }
}
