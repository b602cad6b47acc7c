/**
 * What agents left behind, by content: `<home>/roots/<id>/post-images/<2 hex>/<62 hex>`. With it a turn's diff can be
 * shown and merged long after the file has moved on; the same content is stored once, and pre-images that hold it are
 * further names of its one file (`shareContent.ts`).
 */
import fs from 'node:fs';
import path from 'node:path';
import { isMissing, listIfExists, makeFolder, temporaryName } from '../base/atomicFile.ts';
import { hashFile } from '../base/hash.ts';
import type { FileState } from '../core/state.ts';
import { postImagePlace } from './places.ts';

/** Larger post-images are known by hash only: their bytes are the next turn's pre-image, or still on the disk. */
export const largestPostImage = 64 * 1024 * 1024;

/** Stores the present bytes of `absolute`, whose state has just been read. @throws system errors. */
export function keepPostImage(folder: string, absolute: string, state: FileState): void {
  if (state.sha256 === undefined || state.size > largestPostImage) return;
  const place = postImagePlace(folder, state.sha256);
  if (fs.existsSync(place)) return;
  makeFolder(path.dirname(place));
  const temporary = temporaryName(place);
  try {
    fs.copyFileSync(
      absolute,
      temporary,
      fs.constants.COPYFILE_EXCL | fs.constants.COPYFILE_FICLONE,
    );
    fs.chmodSync(temporary, 0o600);
    // The file may have changed since it was hashed: content is stored under its own name or not at all.
    if (hashFile(temporary).sha256 === state.sha256) fs.renameSync(temporary, place);
  } finally {
    fs.rmSync(temporary, { force: true });
  }
}

/** Every stored content that is a plain file, by its hash. @throws system errors. */
export function storedContents(folder: string): ReadonlyMap<string, string> {
  return new Map(
    entriesOf(folder).flatMap(({ sha256, file, isPlain }) => (isPlain ? [[sha256, file]] : [])),
  );
}

/** Stored contents that are not the bytes their name says, or no plain files. @throws system errors. */
export function wrongPostImages(folder: string): readonly string[] {
  return entriesOf(folder)
    .filter(({ sha256, file, isPlain }) => !isPlain || !isNamed(file, sha256))
    .map(({ file }) => file);
}

interface Entry {
  readonly sha256: string;
  readonly file: string;
  readonly isPlain: boolean;
}

function entriesOf(folder: string): readonly Entry[] {
  return listIfExists(folder)
    .filter((two) => two.isDirectory() && /^[0-9a-f]{2}$/.test(two.name))
    .flatMap((two) =>
      listIfExists(path.join(folder, two.name))
        .filter((rest) => /^[0-9a-f]{62}$/.test(rest.name) && !rest.isDirectory())
        .map((rest) => ({
          sha256: two.name + rest.name,
          file: path.join(folder, two.name, rest.name),
          isPlain: rest.isFile(),
        })),
    );
}

function isNamed(file: string, sha256: string): boolean {
  try {
    return hashFile(file).sha256 === sha256;
  } catch (error) {
    // Retention has removed it meanwhile.
    if (isMissing(error)) return true;
    throw error;
  }
}
