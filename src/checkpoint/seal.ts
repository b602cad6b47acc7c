/**
 * After an edit and at the end of a turn: hashes of the saved pre-images, and what the agent left at each path.
 * Rows whose path did not change are dropped at the end, and a checkpoint without rows disappears (W7).
 */
import fs from 'node:fs';
import path from 'node:path';
import { syncFile } from '../base/atomicFile.ts';
import { withLock } from '../base/fileLock.ts';
import { hashFile } from '../base/hash.ts';
import { systemCode } from '../core/errors.ts';
import type { Root } from '../core/ids.ts';
import { compareStates, type FileState, type PathState } from '../core/state.ts';
import { blobOfRow } from './blobOfRow.ts';
import { keyName } from './canonicalKey.ts';
import { type CaptureTarget, smallFile } from './capture.ts';
import { foldersAbove } from './foldersAbove.ts';
import { stateOfKey } from './hashedState.ts';
import type { Manifest, ManifestRow } from './manifest.ts';
import { absoluteOf, checkpointPlace, manifestName } from './places.ts';
import { keepPostImage } from './postImages.ts';
import { readManifestFile } from './readManifest.ts';
import { shareContent } from './shareContent.ts';
import { writeManifest } from './writeManifest.ts';

const lockWait = 5_000;

/**
 * Records what is now at the rows that `which` chooses as what the agent left there.
 * @returns false when the session's lock was not had in time.
 */
export function recordAfter(
  target: CaptureTarget,
  postImages: string,
  which: (row: ManifestRow) => boolean,
): boolean {
  return rewriteRows(target, postImages, (row, place) => {
    if (!which(row)) return row;
    const { pending: _, idle, ...rest } = sealed(row, place);
    const after = present(target, row, postImages);
    const isNothing = row.before.kind === 'absent' && after.kind === 'absent';
    const isIdle = isNothing && (row.after === undefined || idle);
    return { ...rest, after, ...(isIdle && { idle: true as const }) };
  });
}

/**
 * Ends the turn. Where the present state differs from what the agent left, somebody else changed the file meanwhile,
 * and the present state is kept apart as `end`. Unchanged rows are dropped, but for those a subagent may still write.
 * @param isTold the agent says so right now: rows without a known `after` get the present state. Otherwise (a later
 * prompt, silence) nobody knows when it stopped; the present state may be somebody else's work, and is `end` only.
 * @returns false when the session's lock was not had in time.
 */
export function endCheckpoint(target: CaptureTarget, postImages: string, isTold: boolean): boolean {
  return rewriteRows(target, postImages, (row, place) => {
    const now = present(target, row, undefined);
    const after = row.after ?? (isTold && !row.pending ? now : undefined);
    const whole: ManifestRow = { ...sealed(row, place), ...(after && { after }) };
    const isChanged = compareStates(whole.before, now) !== 'same';
    if (row.after === undefined && isChanged && now.kind === 'file')
      keepIfPossible(postImages, absoluteOf(target.root, row.path), now);
    const { end: _, idle, ...known } = whole;
    const rest: ManifestRow = idle ? { ...known, folders: [] } : known;
    if (after !== undefined && compareStates(after, now) === 'different')
      return { ...rest, end: now };
    if (!isChanged) return rest.pending ? rest : undefined;
    return after === undefined ? { ...rest, end: now } : rest;
  });
}

/** Keys of rows whose present state is what the agent left: only a running shell command may change them unseen. */
export function steadyKeys(target: CaptureTarget): readonly string[] {
  const place = checkpointPlace(target.root, target.session, target.head.seq);
  return (readManifestFile(place).value?.files ?? [])
    .filter(
      (row) =>
        row.after !== undefined &&
        compareStates(row.after, present(target, row, undefined)) === 'same',
    )
    .map((row) => row.path);
}

type Rewrite = (row: ManifestRow, place: string) => ManifestRow | undefined;

function rewriteRows(target: CaptureTarget, postImages: string, rewrite: Rewrite): boolean {
  const place = checkpointPlace(target.root, target.session, target.head.seq);
  if (!fs.existsSync(path.join(place, manifestName))) return true;
  // Hashing large files outside the lock: other hooks of the session go on meanwhile.
  const ready = new Map<string, ManifestRow | undefined>();
  for (const row of readManifestFile(place).value?.files ?? [])
    ready.set(JSON.stringify(row), rewrite(row, place));
  const done = withLock(target.lock, { wait: lockWait }, () => {
    const manifest = readManifestFile(place);
    if (manifest.value === undefined || manifest.problems.length > 0) return [];
    const files = manifest.value.files.map((row) => {
      const text = JSON.stringify(row);
      return ready.has(text) ? ready.get(text) : rewrite(row, place);
    });
    return keepRows(target.root, place, manifest.value, files);
  });
  for (const { row, isHashedNow } of done?.value ?? [])
    shareContent(target.root, postImages, place, row, isHashedNow);
  return done !== undefined;
}

interface Kept {
  readonly row: ManifestRow;
  readonly isHashedNow: boolean;
}

function keepRows(
  root: Root,
  place: string,
  manifest: Manifest,
  rows: readonly (ManifestRow | undefined)[],
): readonly Kept[] {
  const kept = withFoldersOfDropped(
    root,
    manifest,
    rows.filter((row) => row !== undefined),
  );
  if (kept.length === 0) {
    fs.rmSync(path.join(place, manifestName));
    fs.rmSync(place, { recursive: true });
    return [];
  }
  if (JSON.stringify(kept) !== JSON.stringify(manifest.files))
    writeManifest(place, { ...manifest, files: kept });
  for (const row of droppedRows(manifest, kept)) {
    // Only files have a blob; looking for one below another file's would fail.
    if (row.before.kind === 'file') fs.rmSync(blobOfRow(place, row), { force: true });
  }
  const known = new Set(manifest.files.filter(isHashed).map((row) => row.path));
  return kept.filter(isHashed).map((row) => ({ row, isHashedNow: !known.has(row.path) }));
}

function isHashed({ before }: ManifestRow): boolean {
  return before.kind === 'file' && before.sha256 !== undefined;
}

/**
 * A dropped row may be the one that knows which folders the turn made: the first row that is left below them inherits
 * them. Where none is and the folder is still there, empty, it is what the turn left, and the row stays for it.
 */
function withFoldersOfDropped(
  root: Root,
  manifest: Manifest,
  kept: readonly ManifestRow[],
): readonly ManifestRow[] {
  const dropped = droppedRows(manifest, kept);
  const folders = new Set(dropped.flatMap((row) => (row.idle ? [] : row.folders)));
  for (const row of kept) for (const folder of row.folders) folders.delete(folder);
  const heirs = kept.map((row) => {
    const inherited = foldersAbove(row.path).filter((folder) => folders.has(folder));
    for (const folder of inherited) folders.delete(folder);
    return inherited.length === 0 ? row : { ...row, folders: [...inherited, ...row.folders] };
  });
  const witnesses = dropped.filter((row) => {
    if (row.after === undefined) return false;
    const left = row.folders.filter((folder) => folders.delete(folder));
    return left.some((folder) => stateOfKey(root, folder).kind === 'directory');
  });
  return [...heirs, ...witnesses];
}

function droppedRows(manifest: Manifest, kept: readonly ManifestRow[]): readonly ManifestRow[] {
  const names = new Set(kept.map((row) => keyName(row.path)));
  return manifest.files.filter((row) => !names.has(keyName(row.path)));
}

/** The row with the hash of its pre-image. A large blob is flushed here, off the path of the edit. */
function sealed(row: ManifestRow, place: string): ManifestRow {
  if (row.before.kind !== 'file' || row.before.sha256 !== undefined) return row;
  try {
    const blob = blobOfRow(place, row);
    if (row.before.size > smallFile) syncFile(blob);
    const { sha256, size } = hashFile(blob);
    // A blob that lost bytes since it was saved is left without a hash; reading it reports the wrong size.
    return size === row.before.size ? { ...row, before: { ...row.before, sha256 } } : row;
  } catch (error) {
    // So is one that is gone: the other rows are sealed all the same, and a rewind names it.
    if (systemCode(error) === undefined) throw error;
    return row;
  }
}

function present(
  target: CaptureTarget,
  row: ManifestRow,
  postImages: string | undefined,
): PathState {
  try {
    const state = stateOfKey(target.root, row.path);
    if (state.kind === 'file' && postImages !== undefined)
      keepIfPossible(postImages, absoluteOf(target.root, row.path), state);
    return state;
  } catch (error) {
    // What cannot be read is not what the agent left as far as anyone can tell: a later rewind asks.
    if (systemCode(error) === undefined) throw error;
    return { kind: 'other' };
  }
}

/** The hash is known and is enough to go back; without the bytes, later diffs and merges say what they miss. */
function keepIfPossible(postImages: string, absolute: string, state: FileState): void {
  try {
    keepPostImage(postImages, absolute, state);
  } catch (error) {
    if (systemCode(error) === undefined) throw error;
  }
}
