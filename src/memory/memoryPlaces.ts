/** Places of memory inside `<home>/memory`. Names only; nothing is created here. */
import path from 'node:path';
import type { FactScope, MemoryScope } from '../core/memory.ts';

export interface MemoryPlaces {
  /** `<home>/memory`, absolute. */
  readonly folder: string;
  /** Name of the project's folder below `projects`; null: there is no project, global memory only. */
  readonly project: string | null;
}

/** Undefined for a project's notes where there is no project. */
export function notesFolder(places: MemoryPlaces, scope: MemoryScope): string | undefined {
  return below(places, scope === 'project', 'notes');
}

/** Undefined for a project's facts where there is no project. */
export function factsFile(places: MemoryPlaces, scope: FactScope): string | undefined {
  return below(places, scope === 'environment', path.join('facts', scope));
}

/** What the project's memory says of the project itself. */
export const projectRecord = (folder: string, project: string): string =>
  path.join(folder, 'projects', project, 'project.json');
export const presetsFolder = ({ folder }: MemoryPlaces): string => path.join(folder, 'presets');
export const portraitFolder = ({ folder }: MemoryPlaces): string => path.join(folder, 'portrait');
/** What is derived from the notes' files; may be removed at any time. */
export const indexFile = (folder: string): string => path.join(folder, 'index.db');
export const memoryLock = (folder: string): string => path.join(folder, 'lock');
export const memorySettings = (folder: string): string => path.join(folder, 'settings.json');

/** As touches name it: relative to the memory folder, `/`-separated. */
export function memoryPath({ folder }: Pick<MemoryPlaces, 'folder'>, file: string): string {
  return path.relative(folder, file).split(path.sep).join('/');
}

function below(
  { folder, project }: MemoryPlaces,
  isProjects: boolean,
  name: string,
): string | undefined {
  if (!isProjects) return path.join(folder, name);
  return project === null ? undefined : path.join(folder, 'projects', project, name);
}
