/** Which turns wait for a decision whether and how they are committed. Plain queries. */
import { asProjectId, asTurnId, type ProjectId, type Root, type TurnId } from '../core/ids.ts';
import type { Database } from '../session/database.ts';

export interface PendingTurn {
  readonly turn: TurnId;
  readonly project: ProjectId;
  readonly root: Root;
  /** It was tried before, and waits. */
  readonly isWaiting: boolean;
}

/** Of a session in a project that commits, begun since, not decided yet. Whether it has ended is not asked. */
const undecided = `
  FROM turns t
  JOIN project_sessions m ON m.session = t.session
  JOIN projects p ON p.id = m.project
  LEFT JOIN turn_commits c ON c.turn = t.id
  WHERE p.status = 'active' AND p.auto_commit <> 'off' AND (c.turn IS NULL OR c.state = 'waiting')
    AND t.started_at >= p.commit_since AND t.started_at >= m.joined_at AND t.imported_at IS NULL`;

/** Ended turns that changed files, in the order they ended. */
export function pendingTurns(database: Database): readonly PendingTurn[] {
  return database
    .prepare(
      `SELECT t.id, t.root, p.id AS project, c.state ${undecided} AND t.ending <> 'running'
         AND EXISTS (SELECT 1 FROM touches x WHERE x.turn = t.id)
       ORDER BY t.ended_at, t.session, t.seq`,
    )
    .all()
    .map((row) => ({
      turn: asTurnId(String(row['id'])),
      root: String(row['root']) as Root,
      project: asProjectId(String(row['project'])),
      isWaiting: row['state'] === 'waiting',
    }));
}

/** Whether a turn is still to be decided: another process may have done it meanwhile. */
export function isPending(database: Database, turn: TurnId): boolean {
  return database.prepare(`SELECT 1 ${undecided} AND t.id = ?`).get(turn) !== undefined;
}

/** Turns in a root whose changes are nobody's but an agent's and not decided about: running ones too. */
export function openTurns(database: Database, root: Root): readonly TurnId[] {
  return database
    .prepare(
      `SELECT t.id ${undecided} AND t.root = :root
       UNION SELECT id FROM turns WHERE root = :root AND ending = 'running'`,
    )
    .all({ root })
    .map((row) => asTurnId(String(row['id'])));
}
