/** Sessions to measure with: made of words that repeat as in real ones, the same at every run. */
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { type Database, inTransaction, openDatabase } from '../../../src/session/database.ts';
import { markRecorded, recordContent, recordPrompt } from '../../../src/session/recordNodes.ts';

export class SessionsWorld implements Disposable {
  readonly folder = fs.mkdtempSync(path.join(os.tmpdir(), 'memcode-bench-sessions-'));
  readonly home = path.join(this.folder, 'store');
  readonly userHome = path.join(this.folder, 'user');
  readonly root = path.join(this.folder, 'project');
  #seed = 12_345;

  constructor() {
    for (const folder of [this.home, this.userHome, this.root]) fs.mkdirSync(folder);
  }

  [Symbol.dispose](): void {
    fs.rmSync(this.folder, { recursive: true, force: true });
  }

  database(): Database {
    return openDatabase(path.join(this.home, 'timeline.db'));
  }

  random(below: number): number {
    this.#seed = (Math.imul(this.#seed, 1_103_515_245) + 12_345) >>> 0;
    return this.#seed % below;
  }

  /** About so many characters. Few words are frequent, most are rare. */
  text(length: number): string {
    const words: string[] = [];
    for (let size = 0; size < length; ) {
      const word = `w${Math.floor(this.random(30_000) / (1 + this.random(60)))}`;
      words.push(word);
      size += word.length + 1;
    }
    return words.join(' ');
  }
}

const start = Date.UTC(2026, 0, 1);

export function addSession(database: Database, session: string, root: string): void {
  database
    .prepare(
      "INSERT INTO sessions (id, agent, root, title, started_at, updated_at) VALUES (?, 'claude', ?, 'bench', ?, ?)",
    )
    .run(session, root, start, start);
}

/** A turn as hooks leave it: in the table, with nothing of it in the DAG. */
export function addTurn(
  world: SessionsWorld,
  database: Database,
  session: string,
  seq: number,
): void {
  const at = start + seq * 60_000;
  database
    .prepare(
      `INSERT INTO turns (id, session, parent, seq, number, root, agent, prompt, reply, started_at, last_at, ended_at, ending)
       VALUES (?, ?, ?, ?, ?, ?, 'claude', ?, ?, ?, ?, ?, 'stop')`,
    )
    .run(
      `${session}#${seq}`,
      session,
      seq === 1 ? null : `${session}#${seq - 1}`,
      seq,
      seq,
      world.root,
      world.text(200),
      world.text(600),
      at,
      at,
      at + 30_000,
    );
}

/** Six messages: prompt, reply, four tools; some five kilobytes as files. */
export function recordTurn(
  world: SessionsWorld,
  database: Database,
  session: string,
  seq: number,
  texts: readonly string[],
): void {
  const id = `${session}#${seq}`;
  const at = start + seq * 60_000;
  const parent = seq === 1 ? null : `${session}#${seq - 1}`;
  const prompt = texts[0] ?? world.text(200);
  recordPrompt(database, { id, session, seq, parent, prompt, model: 'model-x', startedAt: at });
  recordContent(
    database,
    { id, session, seq },
    {
      reply: texts[1],
      model: 'model-x',
      inputTokens: 1000,
      outputTokens: 200,
      duration: 30_000,
      endedAt: at + 30_000,
      tools: texts.slice(2).map((output, i) => ({
        callId: `call-${seq}-${i}`,
        name: 'Read',
        input: '{"file_path":"/repo/src/app.ts"}',
        output,
        failed: false,
        at: at + i,
        duration: 100,
        said: undefined,
      })),
    },
  );
  markRecorded(database, id, session, at);
}

export function turnTexts(world: SessionsWorld): readonly string[] {
  return [200, 600, 700, 700, 700, 700].map((length) => world.text(length));
}

/** Sessions of so many turns each, recorded and owed to their mirrors. */
export function fill(
  world: SessionsWorld,
  database: Database,
  sessions: number,
  turns: number,
): void {
  for (let s = 0; s < sessions; s++) {
    const session = `session-${s}`;
    inTransaction(database, () => {
      addSession(database, session, world.root);
      for (let seq = 1; seq <= turns; seq++) {
        addTurn(world, database, session, seq);
        recordTurn(world, database, session, seq, turnTexts(world));
      }
    });
  }
}
