/** Sessions join the project of the folder they work in. */
import { asSessionId, type SessionId } from '../core/ids.ts';
import { projectOfWork } from '../project/projectOfFolder.ts';
import { joinSession, projectsOf, type StoredProject } from '../project/registry.ts';
import { type Database, inTransaction } from '../session/database.ts';
import { statement } from '../session/statements.ts';

interface FreeSession {
  readonly id: SessionId;
  readonly root: string;
  readonly startedAt: number;
}

/**
 * Enters sessions that never belonged anywhere. One that began after its project was made counts from its first turn;
 * an older one from now.
 */
export function joinByFolder(database: Database, now: number): void {
  const projects = projectsOf(database).filter(({ joinsByFolder }) => joinsByFolder);
  if (projects.length === 0) return;
  const joins = freeSessions(database).flatMap((session) => {
    const project = projectFor(database, projects, session);
    return project ? [{ session, project }] : [];
  });
  if (joins.length === 0) return;
  inTransaction(database, () => {
    for (const { session, project } of joins) {
      const isNewer = session.startedAt >= project.createdAt;
      joinSession(database, session.id, project.id, isNewer ? session.startedAt : now);
    }
  });
}

/** Sessions that belong to no project and were not taken out of one. */
export function freeSessions(database: Database): readonly FreeSession[] {
  return statement(
    database,
    'SELECT id, root, started_at FROM sessions WHERE NOT EXISTS (SELECT 1 FROM project_sessions p WHERE p.session = sessions.id)',
  )
    .all()
    .map((row) => ({
      id: asSessionId(String(row['id'])),
      root: String(row['root']),
      startedAt: Number(row['started_at']),
    }));
}

function projectFor(
  database: Database,
  projects: readonly StoredProject[],
  { id, root }: FreeSession,
): StoredProject | undefined {
  const paths = statement(
    database,
    'SELECT DISTINCT path FROM touches WHERE turn IN (SELECT id FROM turns WHERE session = ?)',
  )
    .all(id)
    .map((row) => String(row['path']));
  return projectOfWork(projects, root, paths);
}
