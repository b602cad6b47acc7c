/**
 * Transcripts of Gemini CLI: `~/.gemini/tmp/<project>/chats/session-*.jsonl` (older versions: one JSON value, `.json`). The
 * same id again replaces a record; a resumed session repeats all messages, poorer than they were.
 */
import { type Fields, kindOf, listOf, recordAt, recordOf, textAt } from '../fields.ts';
import type { TranscriptHead, TranscriptReader, TranscriptSource } from '../transcript.ts';
import { blockTexts, countOf, TurnCollector, textOf, timeOf } from '../turnCollector.ts';
import { withoutContext } from './readGemini.ts';

export const geminiTranscripts: TranscriptSource = {
  agent: 'gemini',
  form: (file) => (file.endsWith('.json') ? 'whole' : 'lines'),
  reader: () => new GeminiReader(),
  isTranscript: (file) => /\/chats\/session-[^/]+\.jsonl?$/.test(file),
  places: [{ folder: '.gemini/tmp', depth: 2 }],
};

class GeminiReader implements TranscriptReader {
  readonly #turns = new TurnCollector();
  /** Records that were told before, and whether their tokens were counted. */
  readonly #seen = new Set<string>();
  readonly #keys: string[] = [];
  readonly #turnOf = new Map<string, string>();
  #head: { -readonly [K in keyof TranscriptHead]: TranscriptHead[K] } = {};
  #rewound = false;

  get head(): TranscriptHead {
    return this.#head;
  }

  take(record: Fields, position: number): void {
    const patch = recordOf(record['$set']);
    if (patch) {
      this.#replay(listOf(patch['messages']), position);
      return;
    }
    const rewind = textAt(record, '$rewindTo');
    if (rewind !== undefined) this.#rewindTo(rewind);
    else if (textAt(record, 'sessionId') !== undefined) this.#header(record, position);
    else this.#message(record, position, false);
  }

  finished = () => this.#turns.finished();
  last = () => this.#turns.last();

  #header(record: Fields, position: number): void {
    const session = textAt(record, 'sessionId');
    if (session !== undefined) this.#head.session ??= session;
    const hash = textAt(record, 'projectHash');
    if (hash !== undefined) this.#head.cwdHash ??= hash;
    this.#head.startedAt ??= timeOf(record['startTime']);
    for (const message of listOf(record['messages']))
      this.#message(recordOf(message) ?? {}, position, false);
  }

  /** Only what is new in it counts. */
  #replay(messages: readonly unknown[], position: number): void {
    for (const message of messages) {
      const fields = recordOf(message) ?? {};
      const id = textAt(fields, 'id');
      if (id === undefined || this.#seen.has(id)) continue;
      this.#message(fields, position, true);
    }
  }

  #rewindTo(id: string): void {
    const key = this.#turnOf.get(id);
    const at = key === undefined ? -1 : this.#keys.indexOf(key);
    if (at < 0) return;
    this.#keys.splice(at);
    this.#rewound = true;
  }

  #message(record: Fields, position: number, isReplay: boolean): void {
    const id = textAt(record, 'id') ?? `@${position}`;
    const at = timeOf(record['timestamp']);
    switch (record['type']) {
      case 'user':
        this.#user(record, id, at, position, isReplay);
        break;
      case 'gemini':
        // A record of a turn that was told before comes again while another one is open.
        if (!isReplay || !this.#seen.has(id)) this.#answer(record, id, at);
        break;
      case 'info':
      case 'warning':
      case 'error':
        if (record['type'] === 'error') this.#turns.end('failed', at);
        break;
      default:
        this.#turns.keep(kindOf(record), record);
    }
    this.#seen.add(id);
    const turn = this.#turns.current;
    if (turn) this.#turnOf.set(id, turn.key);
  }

  #user(record: Fields, id: string, at: number, position: number, isReplay: boolean): void {
    if (this.#seen.has(id)) return;
    const text = withoutContext(blockTexts(record['content']).join('\n')) ?? '';
    if (text.trim() === '' || text.startsWith('<session_context>')) return;
    const previous = this.#keys.at(-1);
    const wasRewound = this.#rewound;
    this.#turns.begin({
      key: id,
      prompt: text,
      at,
      position,
      isReplay,
      parent: !wasRewound
        ? { kind: 'previous' }
        : previous === undefined
          ? { kind: 'none' }
          : { kind: 'turn', key: previous },
    });
    this.#rewound = false;
    this.#keys.push(id);
  }

  #answer(record: Fields, id: string, at: number): void {
    const isFirst = !this.#seen.has(id);
    this.#turns.by(textAt(record, 'model'));
    if (isFirst) {
      const tokens = recordAt(record, 'tokens');
      this.#turns.spend(
        countOf(tokens['input']),
        countOf(tokens['output']) + countOf(tokens['thoughts']),
      );
      this.#turns.say(blockTexts(record['content']).join('\n'), at);
    }
    const calls = listOf(record['toolCalls']).map((call) => recordOf(call) ?? {});
    for (const call of calls) this.#call(call, at);
    if (calls.length === 0 && blockTexts(record['content']).join('').trim() !== '')
      this.#turns.end('stop', at);
  }

  #call(call: Fields, at: number): void {
    const callId = textAt(call, 'id');
    const done = timeOf(call['timestamp']) || at;
    this.#turns.call({ callId, name: textAt(call, 'name') ?? 'tool', input: call['args'], at });
    const status = textAt(call, 'status');
    const failed = status === 'error' || status === 'cancelled';
    this.#turns.answer(callId, { output: outputOf(call), failed, at: done });
    const shown = recordOf(call['resultDisplay']);
    const path = shown && textAt(shown, 'filePath');
    if (failed || !shown || path === undefined || !('newContent' in shown)) return;
    const diff = textAt(shown, 'fileDiff') ?? '';
    this.#turns.changed({
      path,
      change: shown['isNewFile'] === true ? 'added' : 'modified',
      added: diff.match(/^\+(?!\+\+)/gm)?.length ?? 0,
      removed: diff.match(/^-(?!--)/gm)?.length ?? 0,
      ...(shown['isNewFile'] === true
        ? { before: null, isReplayed: true }
        : typeof shown['originalContent'] === 'string' && {
            before: shown['originalContent'],
            isReplayed: textAt(call, 'name') === 'replace',
          }),
      ...(typeof shown['newContent'] === 'string' && { after: shown['newContent'] }),
    });
  }
}

function outputOf(call: Fields): string {
  const responses = listOf(call['result']).map((part) =>
    recordAt(recordAt(recordOf(part) ?? {}, 'functionResponse'), 'response'),
  );
  const texts = responses.map(
    (response) => textAt(response, 'output', 'error') ?? textOf(response),
  );
  return texts.length > 0 ? texts.join('\n') : textOf(call['resultDisplay'] ?? '');
}
