/** The folders in which checkpoints of a root lie. Names only of what is there; nothing is looked for behind a link. */
import path from 'node:path';
import { listIfExists } from '../base/atomicFile.ts';
import { lstatIfExists } from '../base/lstatIfExists.ts';
import type { Root } from '../core/ids.ts';
import { checkpointsFolder, rewoundName } from './places.ts';

/** @param name of a session's folder @returns that folder, and one for each operation that has taken turns back. */
export function placesOfSession(root: Root, name: string): readonly string[] {
  const session = path.join(checkpointsFolder(root), name);
  const aside = path.join(session, rewoundName);
  const entries = lstatIfExists(aside)?.isDirectory() ? listIfExists(aside) : [];
  const folders = entries.filter((entry) => entry.isDirectory() && !entry.name.startsWith('.'));
  return [session, ...folders.map((entry) => path.join(aside, entry.name))];
}
