/** Which turns wait for a decision whether and how they are committed. Plain queries. */
import {
  asProjectId,
  asSessionId,
  asTurnId,
  type ProjectId,
  type Root,
  type SessionId,
  type TurnId,
} from '../core/ids.ts';
import type { Database } from '../session/database.ts';
import { statement } from '../session/statements.ts';

export interface PendingTurn {
  readonly turn: TurnId;
  readonly project: ProjectId;
  readonly root: Root;
  /** It was tried before, and waits. */
  readonly isWaiting: boolean;
}

/**
 * Of a session in a project that commits, begun since, not decided yet; or its commit was reverted, and the turn stands
 * again. Whether it has ended is not asked.
 */
const undecided = `
  FROM turns t
  JOIN project_sessions m ON m.session = t.session
  JOIN projects p ON p.id = m.project
  LEFT JOIN turn_commits c ON c.turn = t.id
  WHERE p.status = 'active' AND p.auto_commit <> 'off'
    AND (c.turn IS NULL OR c.state = 'waiting' OR (c.reverted_by IS NOT NULL AND t.rewound_by IS NULL))
    AND t.started_at >= p.commit_since AND t.started_at >= m.joined_at AND t.imported_at IS NULL`;

/** Ended turns that changed files, in the order they ended. */
export function pendingTurns(database: Database): readonly PendingTurn[] {
  return statement(
    database,
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
  return statement(database, `SELECT 1 ${undecided} AND t.id = ?`).get(turn) !== undefined;
}

export interface LateTurn {
  readonly id: TurnId;
  readonly session: SessionId;
}

/** Turns that are decided, of which something was told since, and no later turn of their session is decided after that. */
export function lateTurns(database: Database, root: Root): readonly LateTurn[] {
  return statement(
    database,
    `SELECT t.id, t.session FROM turns t JOIN turn_commits c ON c.turn = t.id
       WHERE t.root = ? AND c.state <> 'waiting' AND t.last_at >= c.at AND NOT EXISTS (
         SELECT 1 FROM turn_commits d
         WHERE d.session = t.session AND d.turn <> t.id AND d.state <> 'waiting' AND d.at > t.last_at)
       ORDER BY t.seq`,
  )
    .all(root)
    .map((row) => ({
      id: asTurnId(String(row['id'])),
      session: asSessionId(String(row['session'])),
    }));
}

/** Turns in a root whose changes are nobody's but an agent's and not decided about: running ones too. */
export function openTurns(database: Database, root: Root): readonly TurnId[] {
  return statement(
    database,
    `SELECT t.id ${undecided} AND t.root = :root
       UNION SELECT id FROM turns WHERE root = :root AND ending = 'running'`,
  )
    .all({ root })
    .map((row) => asTurnId(String(row['id'])));
}
