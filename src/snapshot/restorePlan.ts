/**
 * What to change for the work tree to be as in a snapshot: steps for whoever changes files under a journal, and a helper
 * that puts their bytes into files. Plans only; never plans to remove, or claims to bring back, what was not captured.
 */
import { createHash } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { makeFolder, syncFile, syncFolder } from '../base/atomicFile.ts';
import { lstatIfExists } from '../base/lstatIfExists.ts';
import { UserError } from '../core/errors.ts';
import { absent, type PathState } from '../core/state.ts';
import type { ObjectId } from '../git/gitObject.ts';
import type { ObjectStore } from '../git/objectStore.ts';
import { fsPathIn } from '../git/pathBytes.ts';
import { diffTrees, type Side } from './diffTrees.ts';
import { hasSkippedBelow } from './sideRecord.ts';
import type { Change, Snapshot, SnapshotState } from './snapshotTypes.ts';

export interface RestoreStep {
  readonly path: string;
  readonly from: SnapshotState;
  readonly to: SnapshotState;
  /** A folder that goes only when it is empty, or comes only because something goes into it. */
  readonly optional: boolean;
}

export interface RestorePlan {
  readonly target: Snapshot;
  /** The present state; going back to it undoes the restore. */
  readonly preRollback: Snapshot;
  readonly steps: readonly RestoreStep[];
  /** Paths that differ and stay as they are, with a sentence why. */
  readonly notRestorable: readonly { readonly path: string; readonly why: string }[];
}

export interface PlanInput {
  readonly target: Snapshot;
  readonly present: Snapshot;
  readonly from: Side;
  readonly to: Side;
  /** Only these paths and what is below them. */
  readonly paths?: readonly string[];
}

/** @throws UserError `damaged` naming the first path whose bytes the store does not have. */
export function restorePlan(root: string, store: ObjectStore, input: PlanInput): RestorePlan {
  const steps: RestoreStep[] = [];
  const notRestorable: { path: string; why: string }[] = [];
  for (const change of diffTrees(store, input.from, input.to)) {
    if (!isWanted(change.path, input.paths) || isNobodysBusiness(change)) continue;
    const why = obstacle(root, input, change);
    if (why === undefined) {
      verify(store, change);
      steps.push(stepOf(change));
    } else notRestorable.push({ path: change.path, why });
  }
  const { target, present: preRollback } = input;
  return { target, preRollback, steps: withoutStranded(steps, notRestorable), notRestorable };
}

/** A step with its bytes in a file and states as the rest of the product has them. */
export interface MaterialStep {
  readonly path: string;
  readonly from: PathState;
  readonly to: PathState;
  /** Absolute file with the bytes of `to`. */
  readonly source?: string;
  readonly optional?: boolean;
}

/**
 * Writes the bytes that the steps bring back into `folder`, one file a step, flushed.
 * @throws UserError `damaged`, or the system error.
 */
export function materialise(
  store: { read(blob: ObjectId): Buffer },
  steps: readonly RestoreStep[],
  folder: string,
): readonly MaterialStep[] {
  makeFolder(folder);
  const made = steps.map(({ path: at, from, to, optional }, index): MaterialStep => {
    const step = {
      path: at,
      from: plainState(store, from),
      to: plainState(store, to),
      ...(optional && { optional }),
    };
    if (to.kind !== 'file') return step;
    const source = path.join(folder, String(index));
    fs.writeFileSync(source, store.read(to.blob), { mode: 0o600, flag: 'wx' });
    syncFile(source);
    return { ...step, source };
  });
  syncFolder(folder);
  return made;
}

/** The same state as `core/state` has it, with the hash of the bytes. */
export function plainState(
  store: { read(blob: ObjectId): Buffer },
  state: SnapshotState,
): PathState {
  if (state.kind !== 'file') return stateWithoutBytes(state);
  const sha256 = createHash('sha256').update(store.read(state.blob)).digest('hex');
  return { kind: 'file', mode: state.mode, size: state.size, sha256 };
}

/** The same of what is no file. */
export function stateWithoutBytes(state: Exclude<SnapshotState, { kind: 'file' }>): PathState {
  switch (state.kind) {
    case 'symlink':
      return { kind: 'symlink', target: state.target };
    case 'directory':
      return { kind: 'directory', mode: state.mode };
    case 'uncaptured':
      return { kind: 'other' };
    case 'absent':
      return absent;
  }
}

/** Left out now, and not there then. */
function isNobodysBusiness({ before, after }: Change): boolean {
  return before.kind === 'uncaptured' && after.kind === 'absent';
}

function isWanted(at: string, paths: readonly string[] | undefined): boolean {
  return (
    paths === undefined || paths.some((wanted) => at === wanted || at.startsWith(`${wanted}/`))
  );
}

function stepOf({ path: at, before, after }: Change): RestoreStep {
  const isFolder = before.kind === 'directory' && after.kind === 'absent';
  return { path: at, from: before, to: after, optional: isFolder };
}

/** A sentence, or undefined when the path can be brought to its state in the target. */
function obstacle(root: string, { from, to }: PlanInput, change: Change): string | undefined {
  const { path: at, before, after } = change;
  if (!at.isWellFormed()) return 'Its name is not valid UTF-8.';
  if (after.kind === 'uncaptured')
    return `It was not captured then (${after.reason}), so it stays as it is.`;
  if (before.kind === 'uncaptured')
    return `It is not captured now (${before.reason}), so it could not be brought back afterwards.`;
  if (before.kind === 'directory' && after.kind !== 'directory' && after.kind !== 'absent') {
    if (hasSkippedBelow(from.record, at))
      return 'A folder with files that are not captured is in its place.';
  }
  if (before.kind === 'absent' && lstatIfExists(String(fsPathIn(root, at))))
    return 'Something that is not captured is in its place.';
  if (before.kind === 'directory' && after.kind === 'absent' && hasSkippedBelow(to.record, at))
    return 'Files that were not captured are in it.';
  return undefined;
}

/** Nothing is put below a path that stays what it is. */
function withoutStranded(
  steps: readonly RestoreStep[],
  kept: readonly { readonly path: string }[],
): readonly RestoreStep[] {
  return steps.filter(
    ({ path: at, to }) =>
      to.kind === 'absent' || !kept.some((stays) => at.startsWith(`${stays.path}/`)),
  );
}

function verify(store: ObjectStore, { path: at, after }: Change): void {
  if (after.kind !== 'file' || store.has(after.blob)) return;
  throw new UserError('damaged', `The bytes of ${at} are missing from the snapshot store.`, {
    path: at,
  });
}
