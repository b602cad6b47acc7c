/** Removes what retention chose. Each thing vanishes whole: moved out of sight first, then deleted. */
import fs from 'node:fs';
import path from 'node:path';
import { isMissing, listIfExists, temporaryName } from '../base/atomicFile.ts';
import { storedContents } from './postImages.ts';

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
 * Removes post-images nobody refers to any more. One that pre-images share stays with them: removing a name frees nothing.
 * @param isUsed by hash @throws system errors.
 */
export function sweepPostImages(
  folder: string,
  isUsed: (sha256: string) => boolean,
  now: number,
): void {
  for (const [sha256, file] of storedContents(folder)) {
    const stat = fs.statSync(file, { throwIfNoEntry: false });
    if (stat === undefined || stat.nlink > 1 || now - stat.mtimeMs < youngest || isUsed(sha256))
      continue;
    fs.rmSync(file, { force: true });
  }
}
