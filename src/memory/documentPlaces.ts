/** Where documents for agents may lie: in which folders, under which names, in which order. Reads no document. */
import fs from 'node:fs';
import path from 'node:path';
import { isInside } from '../base/platform.ts';
import { realFolder, rootOf } from '../base/root.ts';

/** user: the person's own, everywhere. ancestor, project: shared with the repository. local: the person's own, here. */
export type DocumentScope = 'user' | 'ancestor' | 'project' | 'local';

export interface DocumentPlace {
  readonly scope: DocumentScope;
  /** Absolute. */
  readonly file: string;
}

export interface DocumentFolders {
  /** From the top of the git work tree down to the folder itself; without a repository the folder alone. None: no folder. */
  readonly folders: readonly string[];
  /** Holds the person's documents for all projects. */
  readonly userFolder: string;
}

export const defaultNames: readonly string[] = ['AGENTS.md', 'CLAUDE.md', 'fairpeer.md'];

/**
 * Climbs to the nearest `.git`, be it a folder or a file, and no further than the person's home.
 * @throws UserError `notFound` when there is no such folder.
 */
export function foldersFor(folder: string, userHome: string): readonly string[] {
  const current: string = realFolder(folder);
  const top: string = rootOf(folder, userHome);
  if (!fs.existsSync(path.join(top, '.git'))) return [current];
  const folders = [current];
  for (let at = current; at !== top && at !== path.dirname(at); ) {
    at = path.dirname(at);
    folders.unshift(at);
  }
  return folders;
}

/** In the order in which they are given: what stands later is more specific. */
export function documentPlaces(
  { folders, userFolder }: DocumentFolders,
  names: readonly string[] = defaultNames,
): readonly DocumentPlace[] {
  const places: DocumentPlace[] = inFolder(userFolder, 'user', names);
  for (const [index, folder] of folders.entries()) {
    const isCurrent = index === folders.length - 1;
    places.push(...inFolder(folder, isCurrent ? 'project' : 'ancestor', names));
    if (isCurrent) places.push(...inFolder(folder, 'local', names.map(localName)));
  }
  return places;
}

function inFolder(folder: string, scope: DocumentScope, names: readonly string[]): DocumentPlace[] {
  return names.map((name) => ({ scope, file: path.join(folder, name) }));
}

/** `AGENTS.md` -> `AGENTS.local.md`: a person's own variant, which is not committed. */
export function localName(name: string): string {
  const { name: stem, ext } = path.parse(name);
  return `${stem}.local${ext}`;
}

/** A file's name for people and agents: the same on another machine, as far as that is possible. */
export function documentLabel(
  file: string,
  { top, userFolder, userHome }: LabelPlaces,
  platform: NodeJS.Platform = process.platform,
): string {
  const below = (folder: string) => path.relative(folder, file).split(path.sep).join('/');
  if (top !== undefined && isInside(top, file, platform)) return below(top);
  if (isInside(userFolder, file, platform)) return `user/${below(userFolder)}`;
  if (isInside(userHome, file, platform)) return `~/${below(userHome)}`;
  return file;
}

export interface LabelPlaces {
  readonly top: string | undefined;
  readonly userFolder: string;
  readonly userHome: string;
}
