/**
 * Sessions of opencode: rows of its database, `~/.local/share/opencode/opencode.db`, opened for reading where it lies. A
 * session, then its messages with their parts, each as one record.
 */
import type { DatabaseSync } from 'node:sqlite';
import { type Fields, kindOf, listOf, recordAt, recordOf, textAt } from '../fields.ts';
import type { TranscriptHead, TranscriptReader, TranscriptSource } from '../transcript.ts';
import { countOf, TurnCollector, textOf, timeOf } from '../turnCollector.ts';

export const opencodeTranscripts: TranscriptSource = {
  agent: 'opencode',
  form: () => 'whole',
  reader: () => new OpencodeReader(),
  isTranscript: (file) => /\/opencode\/opencode[^/]*\.db$/.test(file),
  places: [{ folder: '.local/share/opencode', depth: 0 }],
  sessionsIn: (file) =>
    reading(file, (database) =>
      database
        .prepare(
          'SELECT id, time_updated FROM session WHERE parent_id IS NULL ORDER BY time_updated',
        )
        .all()
        .map((row) => ({ session: String(row['id']), version: Number(row['time_updated']) })),
    ),
  recordsIn: (file, session) => reading(file, (database) => recordsOf(database, session)),
};

/** @throws Error when it cannot be opened, or has other tables than are known. */
function reading<T>(file: string, work: (database: DatabaseSync) => T): T {
  const sqlite = process.getBuiltinModule('node:sqlite');
  if (sqlite === undefined) throw new Error('This runtime cannot read SQLite databases.');
  const database = new sqlite.DatabaseSync(file, { readOnly: true });
  try {
    return work(database);
  } finally {
    database.close();
  }
}

function recordsOf(database: DatabaseSync, session: string): readonly Fields[] {
  const parts = Map.groupBy(
    database
      .prepare(
        'SELECT message_id, time_created, time_updated, data FROM part WHERE session_id = ? ORDER BY id',
      )
      .all(session),
    (row) => String(row['message_id']),
  );
  const messages = database
    .prepare('SELECT id, time_created, data FROM message WHERE session_id = ? ORDER BY id')
    .all(session)
    .map((row) => ({
      type: 'message',
      id: row['id'],
      at: row['time_created'],
      data: fromJson(row['data']),
      parts: (parts.get(String(row['id'])) ?? []).map((part) => ({
        at: part['time_created'],
        done: part['time_updated'],
        data: fromJson(part['data']),
      })),
    }));
  const head = database.prepare('SELECT * FROM session WHERE id = ?').get(session);
  return [{ ...head, type: 'session' }, ...messages];
}

function fromJson(value: unknown): unknown {
  try {
    return JSON.parse(String(value));
  } catch {
    // A row that is no JSON tells nothing.
    return {};
  }
}

class OpencodeReader implements TranscriptReader {
  readonly #turns = new TurnCollector();
  #head: { -readonly [K in keyof TranscriptHead]: TranscriptHead[K] } = {};

  get head(): TranscriptHead {
    return this.#head;
  }

  take(record: Fields, position: number): void {
    if (record['type'] === 'session') {
      const session = textAt(record, 'id');
      const cwd = textAt(record, 'directory');
      if (session !== undefined) this.#head.session = session;
      if (cwd !== undefined) this.#head.cwd = cwd;
      this.#head.startedAt = timeOf(record['time_created']);
      return;
    }
    const data = recordAt(record, 'data');
    const parts = listOf(record['parts']).map((part) => recordOf(part) ?? {});
    if (data['role'] === 'user') this.#prompt(record, parts, position);
    else if (data['role'] === 'assistant') this.#answer(record, data, parts);
    else this.#turns.keep(kindOf(data, 'role'), record);
  }

  finished = () => this.#turns.finished();
  last = () => this.#turns.last();

  #prompt(record: Fields, parts: readonly Fields[], position: number): void {
    const texts = parts
      .map((part) => recordAt(part, 'data'))
      .filter((data) => data['type'] === 'text' && data['synthetic'] !== true)
      .map((data) => textAt(data, 'text') ?? '');
    const key = textAt(record, 'id') ?? `@${position}`;
    const prompt = texts.join('\n\n');
    if (prompt.trim() !== '')
      this.#turns.begin({ key, promptId: key, prompt, at: timeOf(record['at']), position });
  }

  #answer(record: Fields, data: Fields, parts: readonly Fields[]): void {
    const at = timeOf(record['at']);
    const tokens = recordAt(data, 'tokens');
    const cache = recordAt(tokens, 'cache');
    this.#turns.by(textAt(data, 'modelID'));
    this.#turns.spend(
      countOf(tokens['input']) + countOf(cache['read']) + countOf(cache['write']),
      countOf(tokens['output']) + countOf(tokens['reasoning']),
    );
    for (const part of parts) this.#part(recordAt(part, 'data'), part);
    if (data['error'] !== undefined) this.#turns.end('failed', at);
    else if (data['finish'] !== undefined && data['finish'] !== 'tool-calls')
      this.#turns.end('stop', timeOf(recordAt(data, 'time')['completed']) || at);
  }

  #part(data: Fields, part: Fields): void {
    const at = timeOf(part['at']);
    switch (data['type']) {
      case 'text':
        this.#turns.say(textAt(data, 'text') ?? '', at);
        break;
      case 'tool':
        this.#tool(data, at, timeOf(part['done']));
        break;
      case 'step-start':
      case 'step-finish':
      case 'reasoning':
      case 'snapshot':
      case 'patch':
      case 'file':
      case 'agent':
      case 'compaction':
      case 'retry':
      case 'subtask':
        break;
      default:
        this.#turns.keep(`part ${kindOf(data)}`, data);
    }
  }

  #tool(data: Fields, at: number, done: number): void {
    const state = recordAt(data, 'state');
    const callId = textAt(data, 'callID');
    const failed = state['status'] === 'error';
    const output = textAt(state, 'output', 'error') ?? textOf(state['output']);
    this.#turns.call({ callId, name: textAt(data, 'tool') ?? 'tool', input: state['input'], at });
    this.#turns.answer(callId, { output, failed, at: done });
    const file = recordOf(recordAt(state, 'metadata')['filediff']);
    const path = file && textAt(file, 'file');
    if (failed || file === undefined || path === undefined) return;
    const { before, after } = file;
    this.#turns.changed({
      path,
      change: before === '' ? 'added' : 'modified',
      added: countOf(file['additions']),
      removed: countOf(file['deletions']),
      ...(typeof before === 'string' && before !== '' && { before }),
      ...(typeof after === 'string' && { after }),
    });
  }
}
