/** Transcripts of Copilot CLI: `~/.copilot/session-state/<id>/events.jsonl`. VS Code's chat writes the same events. */
import { type Fields, kindOf, listOf, recordAt, recordOf, textAt } from '../fields.ts';
import type {
  TranscriptChange,
  TranscriptHead,
  TranscriptReader,
  TranscriptSource,
} from '../transcript.ts';
import { countOf, TurnCollector, textOf, timeOf } from '../turnCollector.ts';
import { type BackedUp, backupsBeside } from './backups.ts';

export const copilotTranscripts: TranscriptSource = {
  agent: 'copilot',
  form: () => 'lines',
  reader: (file) => new CopilotReader(file),
  isTranscript: (file) => /\/session-state\/[^/]+\/events\.jsonl$/.test(file),
  places: [{ folder: '.copilot/session-state', depth: 1 }],
  nameOf: (session) => `${session}/events.jsonl`,
};

const noise =
  /^(?:hook\.|session\.|system\.|assistant\.(?:turn_start|turn_end|reasoning|intent|usage|message_delta|streaming)|tool\.(?:user_requested|execution_(?:partial|progress))|permission\.|pending_messages)/;

class CopilotReader implements TranscriptReader {
  readonly #turns = new TurnCollector();
  readonly #file: string | undefined;
  /** Read at the first prompt. */
  #backups: ReadonlyMap<string, BackedUp> | undefined;
  /** Of the prompt that is worked on: files that no edit has been told of yet. */
  #found = new Map<string, string | null>();
  #head: { -readonly [K in keyof TranscriptHead]: TranscriptHead[K] } = {};

  /** @param file the transcript, where its backups lie beside it */
  constructor(file?: string) {
    this.#file = file;
  }

  get head(): TranscriptHead {
    return this.#head;
  }

  take(record: Fields, position: number): void {
    const data = recordAt(record, 'data');
    const at = timeOf(record['timestamp']);
    const kind = kindOf(record);
    switch (kind) {
      case 'session.start':
        this.#start(data, at);
        break;
      case 'user.message':
        this.#prompt(record, data, at, position);
        break;
      case 'assistant.message':
        this.#message(data, at);
        break;
      case 'tool.execution_start':
        this.#turns.call({
          callId: textAt(data, 'toolCallId'),
          name: textAt(data, 'toolName') ?? 'tool',
          input: data['arguments'],
          at,
        });
        break;
      case 'tool.execution_complete':
        this.#answer(data, at);
        break;
      case 'abort':
        this.#turns.end('interrupt', at);
        break;
      case 'session.error':
        this.#turns.end('failed', at);
        break;
      default:
        if (!noise.test(kind)) this.#turns.keep(kind, record);
    }
  }

  finished = () => this.#turns.finished();
  last = () => this.#turns.last();

  #start(data: Fields, at: number): void {
    const session = textAt(data, 'sessionId');
    const cwd = textAt(recordAt(data, 'context'), 'cwd');
    if (session !== undefined) this.#head.session ??= session;
    if (cwd !== undefined) this.#head.cwd ??= cwd;
    this.#head.startedAt ??= timeOf(data['startTime']) || at;
  }

  #prompt(record: Fields, data: Fields, at: number, position: number): void {
    const prompt = textAt(data, 'content');
    // What a client adds by itself has a source.
    if (prompt === undefined || textAt(data, 'source') !== undefined) return;
    const key = textAt(data, 'messageId') ?? textAt(record, 'id') ?? `@${position}`;
    this.#turns.begin({ key, prompt, at, position });
    if (this.#file === undefined) return;
    this.#backups ??= backupsBeside(this.#file);
    this.#found = new Map(this.#backups.get(textAt(record, 'id') ?? ''));
  }

  #message(data: Fields, at: number): void {
    this.#turns.by(textAt(data, 'model'));
    this.#turns.say(textAt(data, 'content') ?? '', at);
    this.#turns.spend(0, countOf(data['outputTokens']));
    const requests = listOf(data['toolRequests']);
    for (const request of requests) {
      const call = recordOf(request) ?? {};
      this.#turns.call({
        callId: textAt(call, 'toolCallId'),
        name: textAt(call, 'name') ?? 'tool',
        input: call['arguments'],
        at,
      });
    }
    if (requests.length === 0 && textAt(data, 'content') !== undefined) this.#turns.end('stop', at);
  }

  /** The first edit of a file begins with what the prompt found; each one leads on by its diff. */
  #textsOf(path: string, kind: unknown, diff: string): Partial<TranscriptChange> {
    const found = this.#found.get(path);
    this.#found.delete(path);
    const before = kind === 'create' ? null : found;
    return {
      ...(before !== undefined && { before }),
      ...(kind === 'delete' && { after: null }),
      ...(kind === 'create' && { after: createdBy(diff), isReplayed: true }),
      ...(kind !== 'create' && kind !== 'delete' && diff !== '' && { patch: diff }),
    };
  }

  #answer(data: Fields, at: number): void {
    const result = recordAt(data, 'result');
    const failed = data['success'] === false;
    const output = failed
      ? (textAt(recordAt(data, 'error'), 'message') ?? textOf(data['error'] ?? ''))
      : (textAt(result, 'content') ?? '');
    this.#turns.answer(textAt(data, 'toolCallId'), { output, failed, at });
    if (failed) return;
    const diff = textAt(result, 'detailedContent') ?? '';
    for (const edit of listOf(data['fileEdits'])) {
      const { path, kind } = recordOf(edit) ?? {};
      if (typeof path !== 'string') continue;
      this.#turns.changed({
        path,
        change: kind === 'create' ? 'added' : kind === 'delete' ? 'deleted' : 'modified',
        added: diff.match(/^\+(?!\+\+ )/gm)?.length ?? 0,
        removed: diff.match(/^-(?!-- )/gm)?.length ?? 0,
        ...this.#textsOf(path, kind, diff),
      });
    }
  }
}

/** A diff of a new file is all of it. */
function createdBy(diff: string): string {
  const lines = diff.split('\n');
  const added = lines.filter((line) => line.startsWith('+') && !line.startsWith('+++ '));
  const isOpen = lines.includes('\\ No newline at end of file');
  const text = added.map((line) => line.slice(1)).join('\n');
  return added.length === 0 || isOpen ? text : `${text}\n`;
}
