/** Where a person looks in a session. No entry: at the end of the newest branch. */
import type { Database } from './database.ts';
import { statement } from './statements.ts';

export interface Cursor {
  /** Null: before the first turn. */
  readonly turn: string | null;
  /** The branch that was left, and that going on leads along. */
  readonly branch: string;
}

export function cursorOf(database: Database, session: string): Cursor | undefined {
  const row = statement(database, 'SELECT turn, branch FROM cursors WHERE session = ?').get(
    session,
  );
  return (
    row && {
      turn: row['turn'] === null ? null : String(row['turn']),
      branch: String(row['branch']),
    }
  );
}

export function setCursor(database: Database, session: string, { turn, branch }: Cursor): void {
  statement(
    database,
    'INSERT OR REPLACE INTO cursors (session, turn, branch) VALUES (?, ?, ?)',
  ).run(session, turn, branch);
}

export function dropCursor(database: Database, session: string): void {
  statement(database, 'DELETE FROM cursors WHERE session = ?').run(session);
}
