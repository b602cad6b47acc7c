/** Enters a turn that only the checkpoints on disk know: memcode's, or ours after the database was lost. */
import type { Database } from './database.ts';

export interface AdoptedTurn {
  readonly session: string;
  readonly root: string;
  readonly agent: string;
  readonly seq: number;
  /** The turn's number where the manifest has one. */
  readonly number: number | undefined;
  readonly label: string;
  readonly at: number;
}

/** Call inside a transaction. Leaves a turn that is known already as it is. */
export function adoptTurn(database: Database, turn: AdoptedTurn): void {
  const { session, root, agent, seq, label, at } = turn;
  database
    .prepare(
      'INSERT OR IGNORE INTO sessions (id, agent, root, title, started_at, updated_at) VALUES (?, ?, ?, ?, ?, ?)',
    )
    .run(session, agent, root, label || null, at, at);
  database
    .prepare(
      'UPDATE sessions SET updated_at = max(updated_at, ?), started_at = min(started_at, ?) WHERE id = ?',
    )
    .run(at, at, session);
  database
    .prepare(
      `INSERT OR IGNORE INTO turns (id, session, parent, seq, number, root, agent, prompt, started_at, last_at, ended_at, ending)
       VALUES (:id, :session, (SELECT id FROM turns WHERE session = :session AND seq < :seq ORDER BY seq DESC LIMIT 1), :seq,
         coalesce(:number, 1 + (SELECT count(*) FROM turns WHERE session = :session AND seq < :seq)),
         :root, :agent, :label, :at, :at, :at, 'stop')`,
    )
    .run({
      id: `${session}#${seq}`,
      session,
      seq,
      number: turn.number ?? null,
      root,
      agent,
      label,
      at,
    });
}
