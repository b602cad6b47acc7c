/**
 * From two snapshots to what a command changed, as the checkpoint records it: keys, states with hashes, the bytes of the
 * pre-images in files beside the manifest, post-images kept. What cannot be recorded is named.
 */
import fs from 'node:fs';
import { lstatIfExists } from '../base/lstatIfExists.ts';
import { pathOfKey } from '../checkpoint/canonicalKey.ts';
import type { CaptureTarget } from '../checkpoint/capture.ts';
import type { CommandChange } from '../checkpoint/recordCommand.ts';
import { UserError } from '../core/errors.ts';
import type { Key } from '../core/ids.ts';
import type { Unprotected } from '../core/spoolEvent.ts';
import { compareStates } from '../core/state.ts';
import type { Change, SnapshotState } from '../snapshot/snapshotTypes.ts';
import { type BytesContext, left, StoredBlobs, savedBefore } from './shellBytes.ts';
import { type Claims, verdictOf } from './shellClaims.ts';
import type { Snapshots } from './snapshots.ts';

/** More than this is no work of an agent that anybody would look through; the snapshots still have it. */
const mostChanges = 50_000;
/** Of what is not saved. */
const mostNamed = 200;
/** Beyond these the bytes stay in the snapshot store: a hook has no time to write and flush so many files. */
const mostCopied = 300;
const mostBytesCopied = 32 * 1024 * 1024;

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
  if (found.length > mostChanges) throw tooMuch(found.length, before);
  using stored = isMuch(found) ? new StoredBlobs(interval.home, interval.target.root) : undefined;
  const made = new Set(
    found.filter((c) => c.before.kind === 'absent' && c.after.kind === 'directory').map(pathOf),
  );
  const closed = outermost(found.filter(isClosedNow).map(pathOf));
  const changes: CommandChange[] = [];
  const unprotected: Unprotected[] = closed.map((path) => ({
    path,
    reason: 'It cannot be looked into since the command; what is in it stays as it is.',
  }));
  try {
    for (const change of found) {
      if (closed.some((folder) => change.path.startsWith(`${folder}/`))) continue;
      const now = performance.now();
      if (now > interval.deadline) throw tooMuch(found.length, before);
      const isKept = stored === undefined && now < keepUntil;
      const one = await recorded({ ...interval, isKept, stored }, change, made);
      if (one === undefined) continue;
      if ('reason' in one) unprotected.push(one);
      else changes.push(one);
    }
  } catch (error) {
    discard(changes);
    throw error;
  }
  return { changes: withFolders(changes, made), unprotected: atMost(mostNamed, unprotected) };
}

function atMost(count: number, all: readonly Unprotected[]): readonly Unprotected[] {
  const last = all[count - 1];
  if (last === undefined || all.length === count) return all;
  const reason = `${last.reason} So it is with ${all.length - count} more.`;
  return [...all.slice(0, count - 1), { ...last, reason }];
}

/** Removes what `findChanges` copied and nobody took. */
export function discard(changes: readonly CommandChange[]): void {
  for (const { source } of changes) if (source !== undefined) fs.rmSync(source, { force: true });
}

const pathOf = ({ path }: Change): string => path;

/** A folder whose permissions do not let us see what is in it any more: nothing of that is known to have changed. */
function isClosedNow({ before, after }: Change): boolean {
  return (
    before.kind === 'directory' && after.kind === 'uncaptured' && after.reason === 'unreadable'
  );
}

/** @param paths folders before what is in them */
function outermost(paths: readonly string[]): readonly string[] {
  return paths.filter((at) => !paths.some((other) => at.startsWith(`${other}/`)));
}

function isMuch(found: readonly Change[]): boolean {
  const bytes = found.reduce((sum, c) => sum + (c.before.kind === 'file' ? c.before.size : 0), 0);
  return found.length > mostCopied || bytes > mostBytesCopied;
}

function tooMuch(count: number, before: string): UserError {
  return new UserError(
    'late',
    `It changed ${count} paths, too much to save with the turn; snapshot ${before.slice(0, 8)} has the files as they were before it.`,
  );
}

type Step = Interval & BytesContext;

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
  const kinds = [before.kind, after.kind];
  const isOfFolder = kinds.every((kind) => kind === 'uncaptured' || kind === 'directory');
  const isByRule = isOfFolder && kinds.includes('uncaptured');
  if (isByRule && !isClosedNow({ path: key, before, after })) return undefined;
  if (before.kind === 'uncaptured') return uncapturedBefore(interval, key, before.reason, absolute);
  const saved = await savedBefore(interval, key, before);
  const whole: CommandChange = {
    key: named,
    before: saved.state,
    ...(saved.file !== undefined && { source: saved.file }),
    ...(saved.blob !== undefined && { blob: saved.blob }),
    ...(interval.stored && after.kind === 'file' && { leftBlob: after.blob }),
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
  if (stat === undefined)
    return {
      path: key,
      reason: `It was left out of the snapshots (${reason}), and the command removed it.`,
    };
  return { path: key, reason: `It was not in the snapshot before the command (${reason}).` };
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
