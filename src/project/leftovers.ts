/** The table of what agents left uncommitted, path by path. Plain queries. */
import { asSessionId, asTurnId, type SessionId, type TurnId } from '../core/ids.ts';
import { type ProjectDatabase, textList } from './projectTypes.ts';

/** One path, from its state before one turn to its state after another, with nobody else's changes between. */
export interface Leftover {
  /** Relative to the root. */
  readonly path: string;
  readonly session: SessionId;
  readonly baseTurn: TurnId;
  readonly turn: TurnId;
  /** All turns that changed it, oldest first. */
  readonly turns: readonly TurnId[];
}

export function leftoversOf(database: ProjectDatabase, root: string): readonly Leftover[] {
  return database
    .prepare('SELECT * FROM commit_leftovers WHERE root = ? ORDER BY path')
    .all(root)
    .map((row) => ({
      path: String(row['path']),
      session: asSessionId(String(row['session'])),
      baseTurn: asTurnId(String(row['base_turn'])),
      turn: asTurnId(String(row['turn'])),
      turns: textList<TurnId>(row, 'turns'),
    }));
}

/** One entry a path: the newest word counts. */
export function keepLeftover(database: ProjectDatabase, root: string, leftover: Leftover): void {
  const { path, session, baseTurn, turn, turns } = leftover;
  database
    .prepare(
      'INSERT OR REPLACE INTO commit_leftovers (root, path, session, base_turn, turn, turns) VALUES (?, ?, ?, ?, ?, ?)',
    )
    .run(root, path, session, baseTurn, turn, JSON.stringify(turns));
}

/** All of one session. */
export function dropLeftovers(database: ProjectDatabase, root: string, session: SessionId): void {
  database
    .prepare('DELETE FROM commit_leftovers WHERE root = ? AND session = ?')
    .run(root, session);
}
