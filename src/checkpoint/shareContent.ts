/**
 * The same content is stored once: the bytes of a sealed pre-image and the entry of that name in the store of contents
 * (`postImages.ts`) are one file with two names. Only files of our own stores are ever linked, never one of the work tree.
 * Where that cannot be (another disk, a disk without hard links) they stay two copies.
 *
 * Whoever reads a pre-image compares it with its hash first, so that damage to the one file is noticed under every name.
 */
import fs from 'node:fs';
import path from 'node:path';
import { makeFolder, temporaryName } from '../base/atomicFile.ts';
import { hashFile } from '../base/hash.ts';
import { exactLstat } from '../base/lstatIfExists.ts';
import { haveSameBytes } from '../base/sameBytes.ts';
import { systemCode } from '../core/errors.ts';
import type { Root } from '../core/ids.ts';
import { blobOfRow } from './blobOfRow.ts';
import { obstacleOnTheWay } from './canonicalKey.ts';
import type { ManifestRow } from './manifest.ts';
import { postImagePlace } from './places.ts';

/**
 * @param contents the store of contents. @param place the folder of the checkpoint. @param row whose pre-image is flushed
 * and has its hash; @param isHashedNow whether that was taken from its bytes just now. Never throws a system error: the
 * pre-image is whole either way.
 */
export function shareContent(
  root: Root,
  contents: string,
  place: string,
  row: ManifestRow,
  isHashedNow: boolean,
): void {
  if (row.before.kind !== 'file' || row.before.sha256 === undefined) return;
  if (row.blob !== undefined) return;
  const blob = blobOfRow(place, row);
  const folders = path.relative(root, path.dirname(blob)).split(path.sep);
  if (obstacleOnTheWay(root, folders)) return;
  const { sha256 } = row.before;
  try {
    share(
      postImagePlace(contents, sha256),
      blob,
      () => isHashedNow || hashFile(blob).sha256 === sha256,
    );
  } catch (error) {
    if (systemCode(error) === undefined) throw error;
  }
}

function share(entry: string, blob: string, isSound: () => boolean): void {
  const known = exactLstat(entry);
  const own = fs.lstatSync(blob, { bigint: true });
  if (known?.dev === own.dev && known.ino === own.ino) return;
  // An entry that other pre-images share was one of them, so it is on the disk for good.
  const isShared = known?.isFile() === true && known.nlink > 1n;
  if (isShared && replace(blob, entry, (link) => haveSameBytes(link, blob))) return;
  // One that only the edit before has left may not be: it gives way to the pre-image. So does a damaged one.
  makeFolder(path.dirname(entry));
  replace(entry, blob, isSound);
}

/** Makes `place` another name of `file`. */
function replace(place: string, file: string, isFit: (link: string) => boolean): boolean {
  const link = temporaryName(place);
  fs.linkSync(file, link);
  try {
    // Linking does not follow a link that was put there.
    const isWanted = fs.lstatSync(link).isFile() && isFit(link);
    if (isWanted) fs.renameSync(link, place);
    return isWanted;
  } finally {
    // Still there as well where the two were one file already: renaming does nothing then.
    fs.rmSync(link, { force: true });
  }
}
