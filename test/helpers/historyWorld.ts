/**
 * A folder with a home store and the app, and an agent made of events: its hooks' words go into the spool, its transcript
 * is written as Claude Code does. The clock stands still until a test moves it.
 */
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { openTimelineApp, type TimelineAppOptions } from '../../src/app/openTimelineApp.ts';
import type { TimelineApp } from '../../src/app/timelineApp.ts';
import { databaseFile, mirrorFolder, spoolFolder } from '../../src/base/home.ts';
import { addToSpool, spoolName } from '../../src/base/spool.ts';
import { asSessionId, type Root, type SessionId } from '../../src/core/ids.ts';
import type { SpoolBody } from '../../src/core/spoolEvent.ts';
import { openDatabase } from '../../src/session/database.ts';

const start = Date.UTC(2026, 2, 5, 9, 30);

export interface TurnOptions {
  readonly tools?: readonly string[];
  readonly reply?: string;
  readonly end?: 'stop' | 'interrupt' | 'failed';
  /** Seconds. */
  readonly took?: number;
}

export class HistoryWorld implements Disposable {
  readonly folder = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), 'memcode-history-')));
  readonly root = path.join(this.folder, 'project') as Root;
  readonly home = path.join(this.folder, 'store');
  readonly userHome = path.join(this.folder, 'user');
  readonly log: string[] = [];
  readonly #seqs = new Map<string, number>();
  #app: TimelineApp | undefined;
  now = start;

  constructor() {
    fs.mkdirSync(this.root);
    fs.mkdirSync(this.userHome);
  }

  [Symbol.dispose](): void {
    this.close();
    fs.rmSync(this.folder, { recursive: true, force: true });
  }

  get app(): TimelineApp {
    this.#app ??= this.open();
    return this.#app;
  }

  open(options: Partial<TimelineAppOptions> = {}): TimelineApp {
    return openTimelineApp({
      home: this.home,
      userHome: this.userHome,
      now: () => this.now,
      log: (level, text) => this.log.push(`${level}: ${text}`),
      environment: { PATH: process.env['PATH'] },
      ...options,
    });
  }

  close(): void {
    this.#app?.dispose();
    this.#app = undefined;
  }

  event(session: string, body: SpoolBody): void {
    const name = spoolName(this.now);
    const base = { v: 1, id: name, at: this.now, session, agent: 'claude', root: this.root };
    addToSpool(spoolFolder(this.home), name, JSON.stringify({ ...base, ...body }));
  }

  /** As hooks tell it. @returns the id of the turn */
  begin(session: string, prompt: string, promptId?: string): string {
    const seq = (this.#seqs.get(session) ?? 0) + 1;
    this.#seqs.set(session, seq);
    const turn = `${session}#${seq}`;
    this.now += 1000;
    this.event(session, {
      kind: 'turn',
      turn,
      seq,
      number: seq,
      prompt,
      ...(promptId !== undefined && { promptId }),
    });
    return turn;
  }

  finish(session: string, turn: string, options: TurnOptions = {}): void {
    for (const [index, tool] of (options.tools ?? []).entries())
      this.event(session, {
        kind: 'tool',
        turn,
        tool,
        toolClass: 'other',
        callId: `${turn} ${index}`,
        summary: `what ${tool} was given`,
        saved: [],
        unprotected: [],
      });
    this.now += (options.took ?? 2) * 1000;
    const reply = options.reply ?? 'Done.';
    this.event(session, { kind: 'end', turn, end: options.end ?? 'stop', reply });
  }

  turn(session: string, prompt: string, options: TurnOptions = {}): string {
    const turn = this.begin(session, prompt);
    this.finish(session, turn, options);
    this.app.ingest();
    return turn;
  }

  mirror(session: string): string {
    return mirrorFolder(this.home, asSessionId(session));
  }

  /** Rows of the database, beside the app. */
  sql(text: string, ...values: (string | number)[]): Record<string, unknown>[] {
    const database = openDatabase(databaseFile(this.home));
    try {
      return database.prepare(text).all(...values);
    } finally {
      database.close();
    }
  }

  run(text: string): void {
    const database = openDatabase(databaseFile(this.home));
    database.exec(text);
    database.close();
  }
}

export const id = (session: string): SessionId => asSessionId(session);

/** A transcript as Claude Code writes it. */
export class ClaudeTranscript {
  readonly file: string;
  readonly session: string;
  readonly cwd: string;
  #last: string | null = null;
  #count = 0;
  #at = start;

  constructor(world: HistoryWorld, session: string, cwd: string = world.root) {
    this.session = session;
    this.cwd = cwd;
    this.file = path.join(world.userHome, '.claude', 'projects', '-repo', `${session}.jsonl`);
    fs.mkdirSync(path.dirname(this.file), { recursive: true });
  }

  get last(): string | null {
    return this.#last;
  }

  line(value: unknown): void {
    fs.appendFileSync(this.file, `${JSON.stringify(value)}\n`);
  }

  /** @param parent uuid of the record it goes on from; default the last one */
  prompt(text: string, promptId: string, parent: string | null = this.#last): string {
    return this.#record(
      { type: 'user', promptId, message: { role: 'user', content: text } },
      parent,
    );
  }

  tool(name: string, input: unknown, output: string): string {
    const callId = `call-${this.#count}`;
    this.#assistant([{ type: 'tool_use', id: callId, name, input }], 'tool_use');
    const content = [{ type: 'tool_result', tool_use_id: callId, content: output }];
    return this.#record({ type: 'user', message: { role: 'user', content } }, this.#last);
  }

  reply(text: string): string {
    return this.#assistant([{ type: 'text', text }], 'end_turn');
  }

  turn(text: string, promptId: string, reply = `Reply to ${text}`): string {
    this.prompt(text, promptId);
    this.tool('Read', { file_path: `${this.cwd}/src/app.js` }, `bytes for ${text}`);
    return this.reply(reply);
  }

  #assistant(content: readonly unknown[], stop: string): string {
    const message = {
      id: `msg-${this.#count}`,
      role: 'assistant',
      model: 'model-x',
      content,
      stop_reason: stop,
      usage: { input_tokens: 10, output_tokens: 5 },
    };
    return this.#record({ type: 'assistant', message }, this.#last);
  }

  #record(record: object, parentUuid: string | null): string {
    this.#at += 1000;
    const uuid = `uuid-${this.session}-${this.#count++}`;
    this.line({
      parentUuid,
      isSidechain: false,
      ...record,
      uuid,
      timestamp: new Date(this.#at).toISOString(),
      sessionId: this.session,
      cwd: this.cwd,
    });
    this.#last = uuid;
    return uuid;
  }
}
