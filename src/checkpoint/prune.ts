/** Removes what retention chose. Each thing vanishes whole: moved out of sight first, then deleted. */
import fs from 'node:fs';
import path from 'node:path';
import { isMissing, listIfExists, temporaryName } from '../base/atomicFile.ts';

/** Name part of folders on their way out; never a checkpoint's name. */
const trashMark = '.trash-';

/** Removes a folder of ours so that a crash leaves it whole or gone. @throws system errors. */
export function removeWhole(folder: string): void {
  const parent = path.dirname(folder);
  const trash = path.join(parent, `${trashMark}${path.basename(temporaryName(folder))}`);
  try {
    fs.renameSync(folder, trash);
  } catch (error) {
    if (isMissing(error)) return;
    throw error;
  }
  fs.rmSync(trash, { recursive: true, force: true });
}

/** Removes what a crash left on its way out. */
export function sweepTrash(folder: string): void {
  for (const trash of trashIn(folder)) fs.rmSync(trash, { recursive: true, force: true });
}

/** What a crash left on its way out; full names. */
export function trashIn(folder: string): readonly string[] {
  return listIfExists(folder)
    .filter((entry) => entry.name.startsWith(trashMark))
    .map((entry) => path.join(folder, entry.name));
}

/** A post-image younger than this may belong to a manifest that is being written. */
const youngest = 3_600_000;

/**
 * Removes post-images nobody refers to any more. @param isUsed by hash @returns bytes freed. @throws system errors.
 */
export function sweepPostImages(
  folder: string,
  isUsed: (sha256: string) => boolean,
  now: number,
): number {
  let freed = 0;
  for (const two of listIfExists(folder)) {
    if (!two.isDirectory()) continue;
    for (const rest of listIfExists(path.join(folder, two.name))) {
      const file = path.join(folder, two.name, rest.name);
      const stat = fs.statSync(file, { throwIfNoEntry: false });
      if (!stat?.isFile() || now - stat.mtimeMs < youngest || isUsed(two.name + rest.name))
        continue;
      fs.rmSync(file, { force: true });
      freed += stat.size;
    }
  }
  return freed;
}
