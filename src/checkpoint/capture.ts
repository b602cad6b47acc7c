/**
 * Saving the pre-image of one path into the checkpoint of a turn. The hook's hot path: no hashing here (see `seal.ts`),
 * no dependency, constant memory. The caller's promise to an agent is "never blocks the edit": whatever cannot be saved
 * is an answer, not an exception.
 *
 * Order, so that a power cut at any instant loses at most this one pre-image and never leaves a wrong one: the blob to a
 * temporary, renamed to its place, flushed; only then its row, in a manifest that `writeManifest` makes durable
 * (spec/checkpoints A.3.4, W25). A blob without a row is nobody's pre-image, so it may be incomplete until it is flushed,
 * and flushing it after the rename takes its name along: one flush instead of two. A large blob and its row are flushed
 * when the turn is sealed, off the path of the edit; until then a power cut may cost them. So it is for the milliseconds
 * between the answer and its flush where a helper answers (`flushLater`).
 */
import fs from 'node:fs';
import path from 'node:path';
import {
  isMissing,
  makeFolder,
  openTemporary,
  removeFile,
  syncFile,
  temporaryName,
} from '../base/atomicFile.ts';
import { withLock } from '../base/fileLock.ts';
import { systemCode } from '../core/errors.ts';
import type { Key, Root, SessionId } from '../core/ids.ts';
import { absent, type FileState, type PathState } from '../core/state.ts';
import type { Cause } from '../core/timeline.ts';
import { blobOfRow } from './blobOfRow.ts';
import { canonicalKey, sameKey } from './canonicalKey.ts';
import { type Manifest, type ManifestRow, manifestFormat } from './manifest.ts';
import { statState } from './pathState.ts';
import { blobPlace, checkpointPlace, memcodeFolder } from './places.ts';
import { readManifestFile } from './readManifest.ts';
import { flushManifest, writeManifest } from './writeManifest.ts';

/** The turn a checkpoint belongs to, as the manifest tells it. */
export interface CheckpointHead {
  readonly seq: number;
  readonly label: string;
  /** RFC 3339. */
  readonly at: string;
  readonly agent: string;
  readonly turn: number;
}

export interface CaptureTarget {
  readonly root: Root;
  readonly session: SessionId;
  readonly head: CheckpointHead;
  /** The session's lock file, in our home store. */
  readonly lock: string;
  /** A subagent does it, whose edits may come after the end of the turn: see `ManifestRow.pending`. */
  readonly background?: boolean;
  /** Nothing is flushed: whoever asks for that calls `flushCaptured` as soon as the agent has its answer. */
  readonly flushLater?: boolean;
}

export type CaptureResult =
  | { readonly saved: true; readonly key: Key; readonly first: boolean }
  | { readonly saved: false; readonly path: string; readonly reason: string };

/** Files up to this size are read whole and flushed at once; larger ones are copied by the system (reflink where it can) and flushed by `seal.ts`. */
export const smallFile = 256 * 1024;
const lockWait = 3_000;

/**
 * Saves the state of `given` (absolute, or relative to `base`) as it is now, unless this turn already has a pre-image of
 * it: the first one wins. Several processes may do this at once.
 */
export function capture(
  target: CaptureTarget,
  given: string,
  base: string,
  cause: Cause = 'edit',
): CaptureResult {
  let path = given;
  for (let attempt = 1; ; attempt++) {
    try {
      const named = canonicalKey(target.root, given, base);
      if ('refused' in named) return { saved: false, path, reason: named.refused };
      path = named.key;
      return capturePath(target, named.key, named.absolute, cause);
    } catch (error) {
      // The end of a turn without changes removes its folder: what was prepared in it meanwhile is prepared again.
      if (!isMissing(error) || attempt === 3)
        return { saved: false, path, reason: reasonOf(error) };
    }
  }
}

function capturePath(
  target: CaptureTarget,
  key: Key,
  absolute: string,
  cause: Cause,
): CaptureResult {
  const place = checkpointPlace(target.root, target.session, target.head.seq);
  const rowOf = (manifest: Manifest | undefined) =>
    manifest?.files.find((row) => sameKey(row.path, key));
  const known = rowOf(readManifestFile(place).value);
  if (known && (known.pending || !target.background)) return { saved: true, key, first: false };
  const before = statState(absolute);
  if (before.kind === 'other') {
    return { saved: false, path: key, reason: 'It is neither a file, a link nor a folder.' };
  }
  const folders = before.kind === 'absent' ? missingFolders(target.root, key) : [];
  makeStore(target.root, place);
  // Copied before the lock is taken: a large file must not hold up the other hooks of the session.
  const copy = before.kind === 'file' ? copyAside(absolute, before, place) : undefined;
  try {
    const locked = withLock(target.lock, { wait: lockWait }, () => {
      const manifest = currentManifest(target, place);
      const there = rowOf(manifest);
      if (there) {
        if (target.background && !there.pending)
          writeManifest(place, withRow(manifest, { ...there, pending: true }), true);
        return false;
      }
      const isFlushed = !target.flushLater && (copy === undefined || isSmallFile(copy.state));
      const stored = copy && moveBlob(copy.file, place, key);
      if (copy && isFlushed)
        syncFile(stored === undefined ? blobPlace(place, key) : path.join(place, stored));
      const row: ManifestRow = {
        path: key,
        before: isOwnFolder(manifest, key, before) ? absent : copy ? copy.state : before,
        cause,
        folders,
        ...(stored !== undefined && { stored }),
        ...(target.background && { pending: true as const }),
      };
      writeManifest(place, { ...manifest, files: [...manifest.files, row] }, isFlushed);
      return true;
    });
    if (!locked)
      return { saved: false, path: key, reason: 'Another process held the session for too long.' };
    return { saved: true, key, first: locked.value };
  } finally {
    if (copy) removeFile(copy.file);
  }
}

/** A folder that was made for a file of this very turn: before the turn there was nothing. */
export function isOwnFolder(manifest: Manifest, key: string, state: PathState): boolean {
  const isMadeFor = (row: ManifestRow): boolean => !row.idle && row.folders.includes(key);
  return state.kind === 'directory' && manifest.files.some(isMadeFor);
}

function withRow(manifest: Manifest, row: ManifestRow): Manifest {
  return { ...manifest, files: manifest.files.map((one) => (one.path === row.path ? row : one)) };
}

/** Under the session's lock. @throws Error when it is damaged. */
export function currentManifest(target: CaptureTarget, place: string): Manifest {
  const found = readManifestFile(place);
  if (found.problems.length > 0) {
    throw new Error(
      `The manifest of checkpoint ${target.head.seq} is damaged: ${found.problems[0]}`,
    );
  }
  return (
    found.value ?? { ...target.head, files: [], session: target.session, format: manifestFormat }
  );
}

/** `.memcode/` with its `.gitignore`, so that the store never shows in the user's git status, and the turn's folder. */
export function makeStore(root: Root, place: string): void {
  refuseLinkedStore(root, place);
  if (fs.existsSync(place)) return;
  makeFolder(place);
  const ignore = path.join(memcodeFolder(root), '.gitignore');
  if (fs.existsSync(ignore)) return;
  try {
    // Exclusively: what a repository put there, a link to anywhere, is not written through.
    fs.writeFileSync(ignore, '*\n', { flag: 'wx' });
  } catch (error) {
    if (systemCode(error) !== 'EEXIST') throw error;
  }
}

/** A repository can bring `.memcode` as a link to anywhere; nothing of ours goes through one (invariant 1). */
function refuseLinkedStore(root: Root, place: string): void {
  let at: string = root;
  for (const segment of path.relative(root, place).split(path.sep)) {
    at = path.join(at, segment);
    const stat = fs.lstatSync(at, { throwIfNoEntry: false });
    if (stat === undefined) return;
    if (!stat.isDirectory())
      throw new Error(`${path.relative(root, at)} is a link or a file, not a folder.`);
  }
}

interface Copy {
  readonly file: string;
  readonly state: FileState;
}

/** Whether its bytes are flushed at once. */
function isSmallFile(state: PathState): boolean {
  return state.kind === 'file' && state.size <= smallFile;
}

/** Copies the bytes to a temporary on the disk of the turn's folder; not flushed. */
function copyAside(absolute: string, before: FileState, place: string): Copy {
  const blob = path.join(place, 'blob');
  if (before.size <= smallFile) return copySmall(absolute, blob, before);
  const file = temporaryName(blob);
  try {
    fs.copyFileSync(absolute, file, fs.constants.COPYFILE_EXCL | fs.constants.COPYFILE_FICLONE);
    fs.chmodSync(file, 0o600);
    return { file, state: { ...before, size: fs.statSync(file).size } };
  } catch (error) {
    fs.rmSync(file, { force: true });
    throw error;
  }
}

function copySmall(absolute: string, blob: string, before: FileState): Copy {
  const noFollow = fs.constants.O_NOFOLLOW ?? 0;
  const from = fs.openSync(absolute, fs.constants.O_RDONLY | noFollow);
  let bytes: Buffer;
  try {
    bytes = fs.readFileSync(from);
  } finally {
    fs.closeSync(from);
  }
  const { fd, file } = openTemporary(blob);
  try {
    fs.writeFileSync(fd, bytes);
    return { file, state: { ...before, size: bytes.length } };
  } catch (error) {
    fs.rmSync(file, { force: true });
    throw error;
  } finally {
    fs.closeSync(fd);
  }
}

/** Makes durable what `capture` saved under `flushLater`. @throws system errors. */
export function flushCaptured(target: CaptureTarget, keys: readonly Key[]): void {
  const place = checkpointPlace(target.root, target.session, target.head.seq);
  withLock(target.lock, { wait: lockWait }, () => {
    const files = readManifestFile(place).value?.files ?? [];
    for (const row of files)
      if (
        row.blob === undefined &&
        isSmallFile(row.before) &&
        keys.some((key) => sameKey(row.path, key))
      )
        syncFile(blobOfRow(place, row));
    flushManifest(place);
  });
}

/** Not flushed. @returns its name below the turn's folder when the usual place was not free */
export function moveBlob(file: string, place: string, key: Key): string | undefined {
  const usual = blobPlace(place, key);
  try {
    makeFolder(path.dirname(usual));
    if (fs.existsSync(usual)) throw Object.assign(new Error('taken'), { code: 'EEXIST' });
    fs.renameSync(file, usual);
    return undefined;
  } catch (error) {
    // A file became a folder within the turn, or two names fold to one: the usual place is not free.
    if (
      !['EEXIST', 'ENOTDIR', 'EISDIR', 'ENOTEMPTY', 'ENAMETOOLONG'].includes(
        systemCode(error) ?? '',
      )
    )
      throw error;
    const folder = path.join(place, 'more');
    makeFolder(folder);
    const name = Math.max(0, ...fs.readdirSync(folder).map(Number)) + 1;
    fs.renameSync(file, path.join(folder, String(name)));
    return `more/${name}`;
  }
}

/** Keys of the parent folders that do not exist yet, outermost first. */
function missingFolders(root: Root, key: Key): readonly string[] {
  const segments = key.split('/').slice(0, -1);
  const keys = segments.map((_, index) => segments.slice(0, index + 1).join('/'));
  return keys.filter((folder) => !fs.existsSync(path.join(root, ...folder.split('/'))));
}

function reasonOf(error: unknown): string {
  switch (systemCode(error)) {
    case 'EACCES':
    case 'EPERM':
      return 'It may not be read.';
    case 'ENOSPC':
    case 'EDQUOT':
      return 'The disk is full.';
    case 'EROFS':
      return 'The disk is read-only.';
    default:
      return error instanceof Error ? error.message : String(error);
  }
}
