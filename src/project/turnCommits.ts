/** The table of what became of each turn's changes. Plain queries. */
import type { LeftOut, SkipReason, TurnCommit, TurnCommitState } from '../core/autoCommit.ts';
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

/** Skipped or waiting, and nobody has been told. Newest first. */
export function untoldCommits(
  database: ProjectDatabase,
  project: ProjectId,
): readonly TurnCommit[] {
  return database
    .prepare(
      `SELECT * FROM turn_commits WHERE project = ? AND state <> 'committed' AND told = 0 ORDER BY at DESC, turn DESC`,
    )
    .all(project)
    .map(commitOf);
}

/** Reasons a person has been told of in this project. */
export function toldReasons(
  database: ProjectDatabase,
  project: ProjectId,
): ReadonlySet<SkipReason> {
  const rows = database
    .prepare('SELECT DISTINCT reason FROM turn_commits WHERE project = ? AND told = 1')
    .all(project);
  return new Set(rows.map((row) => String(row['reason']) as SkipReason));
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
    at: Number(row['at']),
  };
}
