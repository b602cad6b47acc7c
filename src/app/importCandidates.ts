/** Folders that could become projects. Reads only. */
import fs from 'node:fs';
import path from 'node:path';
import { listIfExists } from '../base/atomicFile.ts';
import { isFolder } from '../base/isFolder.ts';
import { realFolder } from '../base/root.ts';
import { projectAround } from '../project/projectOfFolder.ts';
import { projectsOf } from '../project/registry.ts';
import type { Database } from '../session/database.ts';
import { freeSessions } from './projectJoins.ts';
import type { ImportCandidate } from './projectUse.ts';

/**
 * Those with sessions that belong nowhere first, then the repositories among `folders` and what is directly in them;
 * none that a project has already. A folder that is not there is left out.
 */
export function importCandidates(
  database: Database,
  folders: readonly string[],
): readonly ImportCandidate[] {
  const counts = new Map<string, number>();
  for (const { root } of freeSessions(database)) counts.set(root, (counts.get(root) ?? 0) + 1);
  for (const folder of folders.filter(isFolder).flatMap(repositoriesIn))
    counts.set(folder, counts.get(folder) ?? 0);
  const projects = projectsOf(database);
  return [...counts]
    .filter(([folder]) => isFolder(folder) && projectAround(projects, folder) === undefined)
    .map(([workdir, sessions]) => ({ workdir, sessions, isRepository: isRepository(workdir) }));
}

function repositoriesIn(folder: string): readonly string[] {
  const real = realFolder(folder);
  if (isRepository(real)) return [real];
  return listIfExists(real)
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => path.join(real, name))
    .filter(isRepository);
}

/** Its top: `.git` is a folder, or in linked work trees a file. */
function isRepository(folder: string): boolean {
  return fs.existsSync(path.join(folder, '.git'));
}
