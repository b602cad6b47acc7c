/** The table of what became of each turn's changes. Plain queries. */
import type {
  LeftOut,
  RevertedCommit,
  SkipReason,
  TurnCommit,
  TurnCommitState,
} from '../core/autoCommit.ts';
import {
  asProjectId,
  asSessionId,
  asTurnId,
  type ProjectId,
  type SessionId,
  type TurnId,
} from '../core/ids.ts';
import { type ProjectDatabase, type Row, textList } from './projectTypes.ts';

/** Replaces what was decided before: a turn that waited. */
export function recordTurnCommit(database: ProjectDatabase, commit: TurnCommit): void {
  database
    .prepare(
      `INSERT OR REPLACE INTO turn_commits
         (turn, session, project, state, commit_id, branch, reason, detail, paths, left_out, older_turns, at)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    )
    .run(
      commit.turn,
      commit.session,
      commit.project,
      commit.state,
      commit.commit,
      commit.branch,
      commit.reason,
      commit.detail,
      JSON.stringify(commit.paths),
      JSON.stringify(commit.leftOut),
      JSON.stringify(commit.olderTurns),
      commit.at,
    );
}

export function turnCommitOf(database: ProjectDatabase, turn: TurnId): TurnCommit | undefined {
  const row = database.prepare('SELECT * FROM turn_commits WHERE turn = ?').get(turn);
  return row && commitOf(row);
}

/** By turn. */
export function turnCommitsOf(
  database: ProjectDatabase,
  session: SessionId,
): ReadonlyMap<TurnId, TurnCommit> {
  const rows = database.prepare('SELECT * FROM turn_commits WHERE session = ?').all(session);
  return new Map(rows.map((row) => [asTurnId(String(row['turn'])), commitOf(row)]));
}

/** Newest first. */
export function projectCommits(
  database: ProjectDatabase,
  project: ProjectId,
  limit: number,
): readonly TurnCommit[] {
  return database
    .prepare('SELECT * FROM turn_commits WHERE project = ? ORDER BY at DESC, turn DESC LIMIT ?')
    .all(project, limit)
    .map(commitOf);
}

/** Not committed, and no turn of the project was since: one that was took along what there was to take. */
const standing = `project = :project AND state <> 'committed'
  AND at >= (SELECT coalesce(max(c.at), 0) FROM turn_commits c WHERE c.project = :project AND c.state = 'committed')`;

/** Skipped or waiting since the newest commit, and nobody has been told. Newest first. */
export function untoldCommits(
  database: ProjectDatabase,
  project: ProjectId,
): readonly TurnCommit[] {
  return database
    .prepare(
      `SELECT * FROM turn_commits WHERE ${standing} AND told = 0 ORDER BY at DESC, turn DESC`,
    )
    .all({ project })
    .map(commitOf);
}

/** Reasons a person has been told of in this project since its newest commit. */
export function toldReasons(
  database: ProjectDatabase,
  project: ProjectId,
): ReadonlySet<SkipReason> {
  const rows = database
    .prepare(`SELECT DISTINCT reason FROM turn_commits WHERE ${standing} AND told = 1`)
    .all({ project });
  return new Set(rows.map((row) => String(row['reason']) as SkipReason));
}

/** Commits in a root of turns that are taken back, all of them, which nobody reverted. In no order. */
export function takenBackCommits(database: ProjectDatabase, root: string): readonly TurnCommit[] {
  const isTakenBack = database.prepare(
    'SELECT 1 FROM turns WHERE id = ? AND rewound_by IS NOT NULL',
  );
  return database
    .prepare(
      `SELECT c.* FROM turn_commits c JOIN turns t ON t.id = c.turn
       WHERE t.root = ? AND c.state = 'committed' AND c.reverted_by IS NULL AND t.rewound_by IS NOT NULL`,
    )
    .all(root)
    .map(commitOf)
    .filter(({ olderTurns }) => olderTurns.every((turn) => isTakenBack.get(turn) !== undefined));
}

export function markReverted(
  database: ProjectDatabase,
  { turn, commit, by }: RevertedCommit,
): void {
  database
    .prepare('UPDATE turn_commits SET reverted_by = ? WHERE turn = ? AND commit_id = ?')
    .run(by, turn, commit);
}

/** Nothing is decided about the turn any more: it is due again. */
export function forgetTurnCommit(database: ProjectDatabase, turn: TurnId): void {
  database.prepare('DELETE FROM turn_commits WHERE turn = ?').run(turn);
}

export function markTold(database: ProjectDatabase, project: ProjectId, reason: SkipReason): void {
  database
    .prepare('UPDATE turn_commits SET told = 1 WHERE project = ? AND reason = ?')
    .run(project, reason);
}

function commitOf(row: Row): TurnCommit {
  const optional = (name: string) => (row[name] === null ? null : String(row[name]));
  return {
    turn: asTurnId(String(row['turn'])),
    session: asSessionId(String(row['session'])),
    project: asProjectId(String(row['project'])),
    state: String(row['state']) as TurnCommitState,
    commit: optional('commit_id'),
    branch: optional('branch'),
    reason: optional('reason') as SkipReason | null,
    detail: optional('detail'),
    paths: textList(row, 'paths'),
    leftOut: JSON.parse(String(row['left_out'])) as readonly LeftOut[],
    olderTurns: textList<TurnId>(row, 'older_turns'),
    ...(row['reverted_by'] !== null && { revertedBy: String(row['reverted_by']) }),
    at: Number(row['at']),
  };
}
