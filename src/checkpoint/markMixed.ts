/**
 * Notices, before an edit of a file the turn has edited already, that somebody else changed it in between: going back to
 * before the turn would take that along, so it is a conflict later, unless an operation of ours did it. Part of the hook's
 * hot path: bytes are compared with the kept post-image, since hashing would cost more; only what differs is hashed.
 */
import fs from 'node:fs';
import { withLock } from '../base/fileLock.ts';
import { haveSameBytes } from '../base/sameBytes.ts';
import type { Key } from '../core/ids.ts';
import { compareStates, type PathState } from '../core/state.ts';
import { sameKey } from './canonicalKey.ts';
import type { CaptureTarget } from './capture.ts';
import type { ManifestRow } from './manifest.ts';
import { statState } from './pathState.ts';
import { absoluteOf, checkpointPlace, postImagePlace } from './places.ts';
import { readManifestFile } from './readManifest.ts';
import { writeManifest } from './writeManifest.ts';

const lockWait = 3_000;

/** @throws system errors. */
export async function markMixed(
  target: CaptureTarget,
  key: Key,
  postImages: string,
): Promise<void> {
  const place = checkpointPlace(target.root, target.session, target.head.seq);
  const isMeant = (row: ManifestRow) => sameKey(row.path, key);
  const row = readManifestFile(place).value?.files.find(isMeant);
  if (row === undefined) return;
  const absolute = absoluteOf(target.root, key);
  const mark = await markOf(absolute, row, postImages);
  if (mark === undefined) return;
  withLock(target.lock, { wait: lockWait }, () => {
    const { value, problems } = readManifestFile(place);
    if (value === undefined || problems.length > 0) return;
    const files = value.files.map((one) => (isMeant(one) ? { ...one, ...mark } : one));
    writeManifest(place, { ...value, files });
  });
}

type Mark = Pick<ManifestRow, 'isMixed' | 'found'>;

async function markOf(
  absolute: string,
  { before, after }: ManifestRow,
  postImages: string,
): Promise<Mark | undefined> {
  if (after === undefined) {
    // The call after which nothing was told may have made it: what this one writes through it must be known of.
    const now = statState(absolute);
    const isNewLink = now.kind === 'symlink' && compareStates(before, now) === 'different';
    return isNewLink ? { found: now } : undefined;
  }
  if (isAsLeft(absolute, after, postImages)) return undefined;
  // A folder holds nothing by itself, and it may have come with a file that the agent wrote below it.
  if (statState(absolute).kind === 'directory') return undefined;
  const { hashedState } = await import('./hashedState.ts');
  return { isMixed: true, found: hashedState(absolute) };
}

/** True as well where nobody can tell: the post-image is not kept, and kind, size and mode agree. */
function isAsLeft(absolute: string, left: PathState, postImages: string): boolean {
  const now = statState(absolute);
  if (now.kind !== 'file' || left.kind !== 'file') return compareStates(left, now) !== 'different';
  if (now.size !== left.size || now.mode !== left.mode) return false;
  if (left.sha256 === undefined) return true;
  const kept = postImagePlace(postImages, left.sha256);
  return !fs.existsSync(kept) || haveSameBytes(absolute, kept);
}
