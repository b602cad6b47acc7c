/**
 * From two snapshots to what a command changed, as the checkpoint records it: keys, states with hashes, the bytes of the
 * pre-images in files beside the manifest, post-images kept. What cannot be recorded is named.
 */
import { createHash } from 'node:crypto';
import fs from 'node:fs';
import { temporaryName } from '../base/atomicFile.ts';
import { hashFile } from '../base/hash.ts';
import { postImageFolder } from '../base/home.ts';
import { lstatIfExists } from '../base/lstatIfExists.ts';
import { pathOfKey } from '../checkpoint/canonicalKey.ts';
import type { CaptureTarget } from '../checkpoint/capture.ts';
import { statState } from '../checkpoint/pathState.ts';
import { keepPostImage } from '../checkpoint/postImages.ts';
import { type CommandChange, placeOf } from '../checkpoint/recordCommand.ts';
import { UserError } from '../core/errors.ts';
import type { Key } from '../core/ids.ts';
import type { Unprotected } from '../core/spoolEvent.ts';
import { absent, compareStates, type FileState, type PathState } from '../core/state.ts';
import type { Change, SnapshotState } from '../snapshot/snapshotTypes.ts';
import { type Claims, verdictOf } from './shellClaims.ts';
import type { Snapshots } from './snapshots.ts';

/** More than this is no work of an agent that anybody would look through; the snapshots still have it. */
export const mostChanges = 5_000;
/** Bytes of pre-images. */
export const mostBytes = 512 * 1024 * 1024;

export interface Interval {
  readonly snapshots: Snapshots;
  /** Ids. */
  readonly before: string;
  readonly after: string;
  /** Milliseconds since 1970: when it began. */
  readonly since: number;
  readonly home: string;
  readonly target: CaptureTarget;
  readonly claims: Claims;
  /** Nobody knows whether the agent made these changes. */
  readonly isUncertain: boolean;
  /** As `performance.now()` has it: when there must be an answer. */
  readonly deadline: number;
}

export interface FoundChanges {
  readonly changes: readonly CommandChange[];
  readonly unprotected: readonly Unprotected[];
}

/** @throws UserError `late` when there is too much for the time there is; system errors. Nothing is left behind then. */
export async function findChanges(interval: Interval): Promise<FoundChanges> {
  const { snapshots, before, after } = interval;
  // What the command left is kept for later diffs and merges; it is also on the disk, and in the snapshot.
  const keepUntil = (performance.now() + interval.deadline) / 2;
  const found = await snapshots.diff(before, after);
  refuseTooMuch(found, before);
  const made = new Set(
    found.filter((c) => c.before.kind === 'absent' && c.after.kind === 'directory').map(pathOf),
  );
  const changes: CommandChange[] = [];
  const unprotected: Unprotected[] = [];
  try {
    for (const change of found) {
      const now = performance.now();
      if (now > interval.deadline) throw tooMuch(found.length, before);
      const one = await recorded({ ...interval, isKept: now < keepUntil }, change, made);
      if (one === undefined) continue;
      if ('reason' in one) unprotected.push(one);
      else changes.push(one);
    }
  } catch (error) {
    discard(changes);
    throw error;
  }
  return { changes: withFolders(changes, made), unprotected };
}

/** Removes what `findChanges` copied and nobody took. */
export function discard(changes: readonly CommandChange[]): void {
  for (const { source } of changes) if (source !== undefined) fs.rmSync(source, { force: true });
}

const pathOf = ({ path }: Change): string => path;

function refuseTooMuch(found: readonly Change[], before: string): void {
  const bytes = found.reduce((sum, c) => sum + (c.before.kind === 'file' ? c.before.size : 0), 0);
  if (found.length > mostChanges || bytes > mostBytes) throw tooMuch(found.length, before);
}

function tooMuch(count: number, before: string): UserError {
  return new UserError(
    'late',
    `It changed ${count} paths, too much to save with the turn; snapshot ${before.slice(0, 8)} has the files as they were before it.`,
  );
}

interface Step extends Interval {
  /** There is time to keep what the command left. */
  readonly isKept: boolean;
}

/** Undefined for what is no change of the agent's. */
async function recorded(
  interval: Step,
  change: Change,
  made: ReadonlySet<string>,
): Promise<CommandChange | Unprotected | undefined> {
  const { target } = interval;
  const named = pathOfKey(target.root, change.path);
  if (!change.path.isWellFormed())
    return { path: change.path.toWellFormed(), reason: 'Its name is not valid UTF-8.' };
  if (isOddLink(change.before) || isOddLink(change.after))
    return { path: change.path, reason: 'Where the link leads is not valid UTF-8.' };
  if ('refused' in named)
    return 'onDisk' in named && change.after.kind === 'absent'
      ? behindLink(interval, change, made)
      : { path: change.path, reason: named.refused };
  return stated(interval, change, named.key, named.absolute, made);
}

function isOddLink(state: SnapshotState): boolean {
  return state.kind === 'symlink' && !state.target.isWellFormed();
}

/** The command put a link in the place of a folder: what was in the folder is gone. */
function behindLink(
  interval: Step,
  change: Change,
  made: ReadonlySet<string>,
): Promise<CommandChange | Unprotected | undefined> {
  return stated(interval, change, change.path as Key, undefined, made);
}

async function stated(
  interval: Step,
  { path: key, before, after }: Change,
  named: Key,
  absolute: string | undefined,
  made: ReadonlySet<string>,
): Promise<CommandChange | Unprotected | undefined> {
  // What a rule says of a folder is no change of it.
  if ([before.kind, after.kind].every((kind) => kind === 'uncaptured' || kind === 'directory'))
    return undefined;
  if (before.kind === 'uncaptured') return uncapturedBefore(interval, key, before.reason, absolute);
  const saved = await savedBefore(interval, key, before);
  const whole: CommandChange = {
    key: named,
    before: saved.state,
    ...(saved.file !== undefined && { source: saved.file }),
    after: await left(interval, key, after, absolute),
    folders: foldersAbove(key, made),
  };
  const verdict = verdictOf(interval.claims, { path: key, ...whole });
  if (verdict === 'others' || compareStates(whole.before, whole.after) === 'same') {
    discard([whole]);
    return undefined;
  }
  const mark = interval.isUncertain && verdict === 'ours' ? 'uncertain' : verdict;
  return mark === 'ours' ? whole : { ...whole, mark };
}

/** A rule that was changed can bring files in that were there all the time. */
function uncapturedBefore(
  { since }: Interval,
  key: string,
  reason: string,
  absolute: string | undefined,
): Unprotected | undefined {
  const stat = absolute === undefined ? undefined : lstatIfExists(absolute);
  if (stat && stat.ctimeMs < since) return undefined;
  return { path: key, reason: `It was not in the snapshot before the command (${reason}).` };
}

async function savedBefore(
  { snapshots, before: id, target }: Interval,
  key: string,
  state: SnapshotState,
): Promise<{ readonly state: PathState; readonly file?: string }> {
  if (state.kind !== 'file') return { state: plain(state) };
  const file = temporaryName(`${placeOf(target)}/blob`);
  try {
    await snapshots.copyTo(id, key, file);
    return { state: { kind: 'file', mode: state.mode, ...hashFile(file) }, file };
  } catch (error) {
    fs.rmSync(file, { force: true });
    throw error;
  }
}

/** What the second snapshot has there. The bytes are most often still on the disk, and are known by their id. */
async function left(
  { snapshots, after: id, target, home, isKept }: Step,
  key: string,
  state: SnapshotState,
  absolute: string | undefined,
): Promise<PathState> {
  if (state.kind === 'uncaptured') return absolute === undefined ? absent : onDisk(absolute);
  if (state.kind !== 'file') return plain(state);
  const images = postImageFolder(home, target.root);
  const now = absolute === undefined ? undefined : hashedAs(absolute, state);
  if (now !== undefined && absolute !== undefined) {
    if (isKept) keepPostImage(images, absolute, now);
    return now;
  }
  const copy = temporaryName(`${placeOf(target)}/blob`);
  try {
    await snapshots.copyTo(id, key, copy);
    const kept: FileState = { kind: 'file', mode: state.mode, ...hashFile(copy) };
    if (isKept) keepPostImage(images, copy, kept);
    return kept;
  } finally {
    fs.rmSync(copy, { force: true });
  }
}

/** The state with its hash if the file still has those bytes. */
function hashedAs(
  absolute: string,
  { blob, size, mode }: SnapshotState & { kind: 'file' },
): FileState | undefined {
  try {
    const stat = fs.lstatSync(absolute);
    if (!stat.isFile() || stat.size !== size) return undefined;
    const bytes = fs.readFileSync(absolute);
    const id = createHash('sha1').update(`blob ${bytes.length}\0`).update(bytes).digest('hex');
    if (id !== blob) return undefined;
    const sha256 = createHash('sha256').update(bytes).digest('hex');
    return { kind: 'file', mode, size, sha256 };
  } catch {
    // Gone or unreadable by now: the store has it.
    return undefined;
  }
}

/** Of a file that is too large, or that a rule leaves out now. */
function onDisk(absolute: string): PathState {
  try {
    const state = statState(absolute);
    return state.kind === 'file' ? { ...state, ...hashFile(absolute) } : state;
  } catch {
    // What cannot be read is not what anybody knows the command to have left: a rewind asks.
    return { kind: 'other' };
  }
}

function plain(state: SnapshotState): PathState {
  switch (state.kind) {
    case 'symlink':
      return { kind: 'symlink', target: state.target };
    case 'directory':
      return { kind: 'directory', mode: state.mode };
    case 'absent':
      return absent;
    default:
      return { kind: 'other' };
  }
}

function foldersAbove(key: string, made: ReadonlySet<string>): readonly string[] {
  const segments = key.split('/').slice(0, -1);
  return segments
    .map((_, index) => segments.slice(0, index + 1).join('/'))
    .filter((folder) => made.has(folder));
}

/**
 * A folder that came with files in it is told by them, as one an edit tool makes; one without goes by itself, if it is
 * still empty then.
 */
function withFolders(
  changes: readonly CommandChange[],
  made: ReadonlySet<string>,
): readonly CommandChange[] {
  const told = new Set(
    changes.filter(({ key }) => !made.has(key)).flatMap(({ folders }) => folders),
  );
  return changes
    .filter(({ key }) => !told.has(key))
    .map((one) => (made.has(one.key) ? { ...one, folders: [...one.folders, one.key] } : one));
}
