/**
 * Pre-images that are gone or damaged, while the store of contents still has their bytes as a file of its own: those can
 * be put back. Where both are one file, the damage is in both.
 */
import fs from 'node:fs';
import path from 'node:path';
import { makeFolder, temporaryName } from '../base/atomicFile.ts';
import { hashFile } from '../base/hash.ts';
import { postImageFolder } from '../base/home.ts';
import { lstatIfExists } from '../base/lstatIfExists.ts';
import { blobOfRow } from '../checkpoint/blobOfRow.ts';
import { obstacleOnTheWay } from '../checkpoint/canonicalKey.ts';
import type { ManifestRow } from '../checkpoint/manifest.ts';
import { storedContents } from '../checkpoint/postImages.ts';
import { faultOfBlob, readCheckpointsIn, sessionFolders } from '../checkpoint/readSession.ts';
import { placesOfSession } from '../checkpoint/sessionPlaces.ts';
import { systemCode } from '../core/errors.ts';
import type { Root } from '../core/ids.ts';
import { type Fault, fault } from './fault.ts';
import type { IngestContext } from './ingest.ts';

export function lostPreImages({ home }: IngestContext, root: Root): readonly Fault[] {
  const contents = storedContents(postImageFolder(home, root));
  return sessionFolders(root)
    .flatMap((name) => placesOfSession(root, name))
    .flatMap((folder) => readCheckpointsIn(root, folder).checkpoints)
    .flatMap(({ place, manifest }) =>
      manifest.files.flatMap((row) => {
        const content = contentFor(contents, place, row);
        return content === undefined ? [] : [lost(root, place, row, content)];
      }),
    );
}

function lost(root: Root, place: string, row: ManifestRow, content: string): Fault {
  const blob = blobOfRow(place, row);
  return fault(
    blob,
    `The saved bytes of ${row.path} are missing or damaged, and are still in the store of contents.`,
    `The saved bytes of ${row.path} were put back.`,
    () => putBack(root, blob, content),
  );
}

/** The file with the bytes of a pre-image that is not what it should be. */
function contentFor(
  contents: ReadonlyMap<string, string>,
  place: string,
  row: ManifestRow,
): string | undefined {
  if (row.blob !== undefined) return undefined;
  const content = row.before.kind === 'file' ? contents.get(row.before.sha256 ?? '') : undefined;
  if (content === undefined) return undefined;
  const blob = blobOfRow(place, row);
  try {
    const isFine =
      faultOfBlob(place, row) === undefined && (isOneFile(blob, content) || has(blob, row));
    return !isFine && has(content, row) ? content : undefined;
  } catch (error) {
    // What cannot be looked at is told by whoever reads it.
    if (systemCode(error) === undefined) throw error;
    return undefined;
  }
}

function isOneFile(one: string, other: string): boolean {
  const [a, b] = [one, other].map((file) => fs.lstatSync(file, { bigint: true }));
  return a?.dev === b?.dev && a?.ino === b?.ino;
}

function has(file: string, { before }: ManifestRow): boolean {
  return before.kind === 'file' && hashFile(file).sha256 === before.sha256;
}

function putBack(root: Root, blob: string, content: string): void {
  const folders = path.relative(root, path.dirname(blob)).split(path.sep);
  const obstacle = obstacleOnTheWay(root, folders);
  if (obstacle) throw new Error(obstacle.why);
  makeFolder(path.dirname(blob));
  const there = lstatIfExists(blob);
  if (there?.isDirectory()) throw new Error('A folder is in its place.');
  const temporary = temporaryName(blob);
  try {
    fs.copyFileSync(content, temporary, fs.constants.COPYFILE_EXCL);
    fs.chmodSync(temporary, 0o600);
    fs.renameSync(temporary, blob);
  } finally {
    fs.rmSync(temporary, { force: true });
  }
}
