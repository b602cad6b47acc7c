/** The table of projects, and which session belongs to which. Plain queries; no files. */

import type { AutoCommitMode, SkipReason } from '../core/autoCommit.ts';
import { UserError } from '../core/errors.ts';
import { asProjectId, asSessionId, type ProjectId, type SessionId } from '../core/ids.ts';
import type { ProjectChange, ProjectStatus, ProjectSummary } from '../core/project.ts';
import { type ProjectDatabase, type Row, textList } from './projectTypes.ts';

/** As the database knows it: whether its folder is there is for others to say. */
export type StoredProject = Omit<ProjectSummary, 'isMissing' | 'sessions'> & {
  /** Turns that began before are not committed. */
  readonly commitSince: number;
  readonly muted: readonly SkipReason[];
};

/** In the order they were made. */
export function projectsOf(database: ProjectDatabase): readonly StoredProject[] {
  return database.prepare('SELECT * FROM projects ORDER BY created_at, rowid').all().map(projectOf);
}

export function projectById(database: ProjectDatabase, id: ProjectId): StoredProject | undefined {
  const row = database.prepare('SELECT * FROM projects WHERE id = ?').get(id);
  return row && projectOf(row);
}

export function projectAt(database: ProjectDatabase, workdir: string): StoredProject | undefined {
  const row = database.prepare('SELECT * FROM projects WHERE workdir = ?').get(workdir);
  return row && projectOf(row);
}

/** @throws UserError `usage` when another project has the folder. Call inside a transaction. */
export function addProject(database: ProjectDatabase, project: StoredProject): void {
  refuseClaimed(database, project.workdir);
  database
    .prepare(
      `INSERT INTO projects (id, name, description, workdir, status, created_at, joins_by_folder, auto_commit, commit_since)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    )
    .run(
      project.id,
      project.name,
      project.description,
      project.workdir,
      project.status,
      project.createdAt,
      project.joinsByFolder ? 1 : 0,
      project.autoCommit,
      project.commitSince,
    );
}

/**
 * @param at when: turns that began before committing was switched on, or before the project was taken up again, are
 * never committed.
 */
export function changeProject(
  database: ProjectDatabase,
  before: StoredProject,
  change: ProjectChange,
  at: number,
): void {
  const after = { ...before, ...change };
  const begins = commits(after) && !commits(before);
  database
    .prepare(
      `UPDATE projects SET name = ?, description = ?, status = ?, joins_by_folder = ?, auto_commit = ?, commit_since = ?
       WHERE id = ?`,
    )
    .run(
      after.name,
      after.description,
      after.status,
      after.joinsByFolder ? 1 : 0,
      after.autoCommit,
      begins ? at : before.commitSince,
      before.id,
    );
}

/** Whether turns of its sessions are committed. */
export function commits(project: Pick<StoredProject, 'status' | 'autoCommit'>): boolean {
  return project.status === 'active' && project.autoCommit !== 'off';
}

/** @throws UserError `usage` when another project has the folder. Call inside a transaction. */
export function moveProject(database: ProjectDatabase, id: ProjectId, workdir: string): void {
  refuseClaimed(database, workdir, id);
  database.prepare('UPDATE projects SET workdir = ? WHERE id = ?').run(workdir, id);
}

function refuseClaimed(database: ProjectDatabase, workdir: string, by?: ProjectId): void {
  const other = projectAt(database, workdir);
  if (other === undefined || other.id === by) return;
  throw new UserError('usage', `${workdir} is the folder of the project ${other.name} already.`, {
    project: other.id,
    workdir,
  });
}

/** Its sessions and their turns stay. Call inside a transaction. */
export function removeProject(database: ProjectDatabase, id: ProjectId): void {
  database.prepare('DELETE FROM project_sessions WHERE project = ?').run(id);
  database.prepare('DELETE FROM projects WHERE id = ?').run(id);
}

export function muteReason(
  database: ProjectDatabase,
  project: StoredProject,
  reason: SkipReason,
): void {
  const muted = [...new Set([...project.muted, reason])];
  database
    .prepare('UPDATE projects SET muted = ? WHERE id = ?')
    .run(JSON.stringify(muted), project.id);
}

/** In the order they joined. */
export function sessionsIn(database: ProjectDatabase, project: ProjectId): readonly SessionId[] {
  return database
    .prepare('SELECT session FROM project_sessions WHERE project = ? ORDER BY joined_at, session')
    .all(project)
    .map((row) => asSessionId(String(row['session'])));
}

export interface Membership {
  /** Null: taken out by a person. */
  readonly project: ProjectId | null;
  readonly joinedAt: number;
}

/** Undefined for a session that never belonged anywhere. */
export function membershipOf(
  database: ProjectDatabase,
  session: SessionId,
): Membership | undefined {
  const row = database
    .prepare('SELECT project, joined_at FROM project_sessions WHERE session = ?')
    .get(session);
  if (row === undefined) return undefined;
  return {
    project: row['project'] === null ? null : asProjectId(String(row['project'])),
    joinedAt: Number(row['joined_at']),
  };
}

/** @param project null takes it out for good. @param at only turns that begin later are committed. */
export function joinSession(
  database: ProjectDatabase,
  session: SessionId,
  project: ProjectId | null,
  at: number,
): void {
  database
    .prepare(
      'INSERT OR REPLACE INTO project_sessions (session, project, joined_at) VALUES (?, ?, ?)',
    )
    .run(session, project, at);
}

function projectOf(row: Row): StoredProject {
  return {
    id: asProjectId(String(row['id'])),
    name: String(row['name']),
    description: String(row['description']),
    workdir: String(row['workdir']),
    status: String(row['status']) as ProjectStatus,
    createdAt: Number(row['created_at']),
    joinsByFolder: row['joins_by_folder'] === 1,
    autoCommit: String(row['auto_commit']) as AutoCommitMode,
    commitSince: Number(row['commit_since']),
    muted: textList<SkipReason>(row, 'muted'),
  };
}
