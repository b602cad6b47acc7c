/**
 * The checkpoints of one session as they are on disk: ours and memcode's. Reads only. What cannot be trusted is listed
 * as damaged and never restored from; its number counts as used (spec/checkpoints A.2).
 */
import fs from 'node:fs';
import path from 'node:path';
import { listIfExists } from '../base/atomicFile.ts';
import { lstatIfExists } from '../base/lstatIfExists.ts';
import { messageOf, UserError } from '../core/errors.ts';
import type { Root, SessionId } from '../core/ids.ts';
import { blobOfRow } from './blobOfRow.ts';
import { keyName, obstacleOnTheWay, pathOfKey } from './canonicalKey.ts';
import type { Manifest, ManifestRow } from './manifest.ts';
import { checkpointsFolder, rewoundName, seqOfName, sessionPlace } from './places.ts';
import { readManifestFile } from './readManifest.ts';

export interface StoredCheckpoint {
  readonly seq: number;
  /** Its folder. */
  readonly place: string;
  readonly manifest: Manifest;
  /** memcode wrote it: read-only for us. */
  readonly foreign: boolean;
}

export interface DamagedCheckpoint {
  readonly seq: number;
  readonly place: string;
  /** Sentences. */
  readonly problems: readonly string[];
}

export interface SessionLog {
  /** By ascending seq. */
  readonly checkpoints: readonly StoredCheckpoint[];
  readonly damaged: readonly DamagedCheckpoint[];
}

/**
 * An absent session is an empty one.
 * @param wanted which numbers to read; default: all
 * @throws UserError `damaged`; system errors of an unreadable store.
 */
export function readSession(
  root: Root,
  session: SessionId,
  wanted?: (seq: number) => boolean,
): SessionLog {
  return readCheckpointsIn(root, sessionPlace(root, session), wanted);
}

/** The checkpoints in one folder whose sub-folders are named by seq (a session, or what an operation consumed). */
export function readCheckpointsIn(
  root: Root,
  folder: string,
  wanted: (seq: number) => boolean = () => true,
): SessionLog {
  const link = obstacleOnTheWay(root, path.relative(root, folder).split(path.sep));
  if (link !== undefined)
    throw new UserError('damaged', `The checkpoints are not read: ${link.why}`, { folder });
  const seqs = listIfExists(folder)
    .map((entry) => (entry.isDirectory() ? seqOfName(entry.name) : undefined))
    .filter((seq): seq is number => seq !== undefined && wanted(seq))
    .sort((a, b) => a - b);
  const checkpoints: StoredCheckpoint[] = [];
  const damaged: DamagedCheckpoint[] = [];
  for (const seq of seqs) {
    const place = path.join(folder, String(seq));
    const read = readCheckpoint(root, seq, place);
    if (read === undefined) continue;
    if ('problems' in read) damaged.push(read);
    else checkpoints.push(read);
  }
  return { checkpoints, damaged };
}

/** Undefined for a folder in which nothing was recorded. */
export function readCheckpoint(
  root: Root,
  seq: number,
  place: string,
): StoredCheckpoint | DamagedCheckpoint | undefined {
  const { value, problems } = readManifestFile(place);
  if (problems.length > 0 || value === undefined) {
    // A folder whose hook is between creating it and writing its first manifest, or died there: no pre-image is lost.
    if (problems.length === 0 && !hasBlobs(place)) return undefined;
    return { seq, place, problems: problems.length > 0 ? problems : ['It has no manifest.json.'] };
  }
  if (value.seq !== seq) return { seq, place, problems: [`Its manifest says ${value.seq}.`] };
  const faults: string[] = [];
  const foreign = value.format === undefined;
  const files = value.files.map((row) => {
    const named = pathOfKey(root, row.path);
    if ('key' in named) return foreign ? memcodeRow(root, place, { ...row, path: named.key }) : row;
    // What stands on the disk today is no fault of the record: the rewind reports it for that path.
    if (!named.onDisk) faults.push(`${row.path}: ${named.refused}`);
    return row;
  });
  const names = new Set<string>();
  const twins = files.filter((row) => names.size === names.add(keyName(row.path)).size);
  faults.push(...twins.map((row) => `${row.path} has two rows.`));
  if (faults.length > 0) return { seq, place, problems: faults };
  return { seq, place, manifest: { ...value, files }, foreign };
}

/** memcode records neither size nor mode: take the blob's size, and the mode it would restore. */
function memcodeRow(root: Root, place: string, row: ManifestRow): ManifestRow {
  if (row.before.kind !== 'file' || row.before.size >= 0) return row;
  const { before } = row;
  const plain = lstatIfExists(blobOfRow(place, row));
  if (plain?.isFile()) return { ...row, before: { ...before, size: plain.size } };
  // A store that came from Windows: the literal name holds backslashes, the blob lies below folders (A.2.4).
  const moved = pathOfKey(root, row.path.replaceAll('\\', '/'));
  if ('refused' in moved || moved.key === row.path) return row;
  const there = lstatIfExists(blobOfRow(place, { ...row, path: moved.key }));
  return there?.isFile()
    ? { ...row, path: moved.key, before: { ...before, size: there.size } }
    : row;
}

function hasBlobs(place: string): boolean {
  return fs.existsSync(path.join(place, 'files')) || fs.existsSync(path.join(place, 'more'));
}

/** Sentence why the pre-image of a row cannot be used, or undefined. Size only; hashes are checked by `verifyBlob`. */
export function faultOfBlob(place: string, row: ManifestRow): string | undefined {
  if (row.before.kind !== 'file') return undefined;
  try {
    const blob = blobOfRow(place, row);
    const folders = path.relative(place, blob).split(path.sep).slice(0, -1);
    if (obstacleOnTheWay(place, folders)) return 'Its saved bytes lie behind a link.';
    const stat = lstatIfExists(blob);
    if (stat === undefined) return 'Its saved bytes are missing.';
    if (!stat.isFile()) return 'Its saved bytes are not a file.';
    return stat.size === row.before.size ? undefined : 'Its saved bytes have the wrong size.';
  } catch (error) {
    return `Its saved bytes cannot be read (${messageOf(error)}).`;
  }
}

/** Highest numbers a session has on disk in any form: folders, damaged ones, consumed ones. 0 when none. */
export interface NumbersOnDisk {
  readonly seq: number;
  /** The highest number of a turn; 0 unless asked for thoroughly. */
  readonly turn: number;
}

/** @param thorough also what the manifests say, not only the folders' names */
export function numbersOnDisk(root: Root, session: SessionId, thorough: boolean): NumbersOnDisk {
  const folder = sessionPlace(root, session);
  const aside = path.join(folder, rewoundName);
  const consumed = listIfExists(aside).filter((entry) => entry.isDirectory());
  const places = [folder, ...consumed.map((entry) => path.join(aside, entry.name))];
  const all = places.flatMap((place) => numbersIn(place, thorough));
  return {
    seq: Math.max(0, ...all.map((n) => n.seq)),
    turn: Math.max(0, ...all.map((n) => n.turn)),
  };
}

function numbersIn(folder: string, thorough: boolean): readonly NumbersOnDisk[] {
  return listIfExists(folder).map((entry) => {
    const named = seqOfName(entry.name) ?? 0;
    const isRead = thorough && entry.isDirectory();
    const manifest = isRead ? readManifestFile(path.join(folder, entry.name)).value : undefined;
    return { seq: Math.max(named, manifest?.seq ?? 0), turn: manifest?.turn ?? 0 };
  });
}

/** Names of a root's session folders; none when the store itself is behind a link. */
export function sessionFolders(root: Root): readonly string[] {
  const folder = checkpointsFolder(root);
  if (obstacleOnTheWay(root, path.relative(root, folder).split(path.sep))) return [];
  return listIfExists(folder)
    .filter((entry) => entry.isDirectory() && !entry.name.startsWith('.'))
    .map((entry) => entry.name);
}
