/**
 * Changes the work tree from the `from` states to the `to` states of some steps. Each file is written beside its place
 * and renamed over it; nothing is followed out of the root; a folder is removed only when it is empty. The caller has
 * saved the `from` states and journalled the steps, so that a failure or crash anywhere can be undone.
 */
import fs from 'node:fs';
import path from 'node:path';
import { isMissing, syncFolder } from '../base/atomicFile.ts';
import { carriedBy } from '../base/carriedAlong.ts';
import { lstatIfExists } from '../base/lstatIfExists.ts';
import { renameOver } from '../base/renameOver.ts';
import { systemCode, UserError } from '../core/errors.ts';
import type { Root } from '../core/ids.ts';
import { compareStates, type FileState, type PathState } from '../core/state.ts';
import { pathOfKey } from './canonicalKey.ts';
import { stateOfKey } from './hashedState.ts';
import type { Step } from './journal.ts';
import { statState } from './pathState.ts';
import { placeFiles, temporaryBeside } from './placeFiles.ts';

export interface ApplyOptions {
  /** Part of the temporaries' names, so that recovery can find and remove them. */
  readonly tag: string;
  /** Asked right before a path is changed; throws when it is no longer what the plan saw. */
  readonly check: (step: Step, absolute: string) => void;
  /** Called before each change of the disk: a place for faults in tests, and to keep a lock alive. */
  readonly beforeChange?: (step: Step) => void;
  /** A folder the caller flushes after this; what that makes durable as well is not flushed here. */
  readonly flushedLater: string;
}

/** @throws UserError `fileSystem` or `outsideRoot` naming the path; some steps may then have been applied. */
export async function applySteps(
  root: Root,
  steps: readonly Step[],
  options: ApplyOptions,
): Promise<void> {
  const touched = new Set<string>();
  const begin = (step: Step, absolute: string) => {
    options.check(step, absolute);
    options.beforeChange?.(step);
    touched.add(path.dirname(absolute));
  };
  for (const step of steps) {
    const { from } = step;
    if (!isClosedFolder(from)) continue;
    const absolute = safePath(root, step);
    attempt(step, () => {
      begin(step, absolute);
      fs.chmodSync(absolute, workingMode(from.mode));
    });
  }
  const inOrder = ordered(steps);
  inOrder
    .filter((step) => !isNewFile(step))
    .forEach((step, number) => {
      const absolute = safePath(root, step);
      attempt(step, () => {
        begin(step, absolute);
        applyStep(absolute, step, temporaryBeside(absolute, options.tag, number));
      });
    });
  await placeFiles(
    inOrder.flatMap((step) => (isNewFile(step) ? [fileOf(step, safePath(root, step))] : [])),
    options.tag,
    ({ step }, work) => attempt(step, work),
    ({ step, absolute }) => begin(step, absolute),
  );
  for (const step of inOrder.toReversed()) {
    const { to } = step;
    if (isClosedFolder(to))
      attempt(step, () => {
        options.beforeChange?.(step);
        fs.chmodSync(safePath(root, step), to.mode);
      });
  }
  const isCarried = carriedBy(options.flushedLater);
  for (const folder of touched) syncIfThere(folder, isCarried);
}

/** An optional step may fail; everything else names its path. */
function attempt(step: Step, work: () => void): void {
  try {
    work();
  } catch (error) {
    if (step.optional && isHarmless(error)) return;
    if (systemCode(error) === undefined || error instanceof UserError) throw error;
    throw new UserError(
      'fileSystem',
      `${step.path} could not be changed: ${(error as Error).message}.`,
      { path: step.path },
      error,
    );
  }
}

/** Of a folder while something in it changes. */
export function workingMode(mode: number): number {
  return mode | 0o700;
}

type FolderState = PathState & { readonly kind: 'directory' };

/** Its owner may not change what is in it. */
function isClosedFolder(state: PathState): state is FolderState {
  return state.kind === 'directory' && workingMode(state.mode) !== state.mode;
}

/** @throws UserError `fileSystem` naming the first path that is not in its `to` state. */
export function verifySteps(root: Root, steps: readonly Step[]): void {
  for (const step of steps) {
    if (step.optional) continue;
    const now = stateOfKey(root, step.path);
    // Of a mode that could be set some disks and groups drop bits.
    if (now.kind === 'directory' && step.to.kind === 'directory') continue;
    if (compareStates(now, step.to) === 'different') {
      throw new UserError('fileSystem', `${step.path} is not as it should be after writing it.`, {
        path: step.path,
      });
    }
  }
}

/** Removals from the deepest up, then what comes, folders first and from the top down. A path that changes kind is in both. */
function ordered(steps: readonly Step[]): readonly Step[] {
  const isRemoval = ({ from, to }: Step) =>
    to.kind === 'absent' ||
    (from.kind !== 'absent' &&
      from.kind !== to.kind &&
      (from.kind === 'directory' || to.kind === 'directory'));
  const depth = (step: Step) => step.path.split('/').length;
  const removals = steps
    .filter(isRemoval)
    .map((step) => (step.to.kind === 'absent' ? step : { ...step, to: gone }));
  const arrivals = steps
    .filter((step) => step.to.kind !== 'absent')
    .map((step) => (isRemoval(step) ? { ...step, from: gone } : step));
  return [
    ...removals.sort((a, b) => depth(b) - depth(a)),
    ...arrivals.sort(
      (a, b) =>
        Number(b.to.kind === 'directory') - Number(a.to.kind === 'directory') ||
        depth(a) - depth(b),
    ),
  ];
}

const gone: PathState = { kind: 'absent' };

function safePath(root: Root, step: Step): string {
  const named = pathOfKey(root, step.path);
  if ('key' in named) return named.absolute;
  throw new UserError('outsideRoot', `${step.path} is not touched: ${named.refused}`, {
    path: step.path,
  });
}

type FileStep = Step & { readonly to: FileState };

/** Whether a file is written, which `placeFiles` does; it comes last, when its folder is there. */
export function isNewFile(step: Step): step is FileStep {
  return step.to.kind === 'file' && !isOnlyMode(step.from, step.to);
}

function fileOf(step: FileStep, absolute: string) {
  if (step.source === undefined) throw new Error(`no bytes for ${absolute}`);
  return { step, absolute, source: step.source, mode: step.to.mode, size: step.to.size };
}

function applyStep(absolute: string, { to, from }: Step, temporary: string): void {
  switch (to.kind) {
    case 'absent':
      remove(absolute, from);
      break;
    case 'directory':
      makeDirectory(absolute, to.mode);
      break;
    case 'symlink':
      replaceWithLink(absolute, to.target, temporary);
      break;
    case 'file':
      fs.chmodSync(absolute, to.mode);
      break;
    case 'other':
      throw new Error(`special file ${absolute}`);
  }
}

function isOnlyMode(from: PathState, to: PathState): boolean {
  return (
    from.kind === 'file' &&
    to.kind === 'file' &&
    from.sha256 !== undefined &&
    from.sha256 === to.sha256
  );
}

function remove(absolute: string, from: PathState): void {
  if (from.kind === 'directory') fs.rmdirSync(absolute);
  else fs.unlinkSync(absolute);
}

function makeDirectory(absolute: string, mode: number): void {
  if (statState(absolute).kind !== 'directory') fs.mkdirSync(absolute);
  fs.chmodSync(absolute, workingMode(mode));
}

function replaceWithLink(absolute: string, target: string, temporary: string): void {
  fs.rmSync(temporary, { force: true });
  try {
    fs.symlinkSync(target, temporary);
    renameOver(temporary, absolute);
  } catch (error) {
    fs.rmSync(temporary, { force: true });
    throw error;
  }
}

/** An optional folder that is not empty, or is there or gone already. */
function isHarmless(error: unknown): boolean {
  return ['ENOTEMPTY', 'EEXIST', 'ENOENT', 'ENOTDIR', 'EBUSY', 'EPERM', 'EACCES'].includes(
    systemCode(error) ?? '',
  );
}

/** A later step may have replaced the folder or one above it, by a link for instance, and be it one to itself. */
function syncIfThere(folder: string, isCarried: (folder: string) => boolean): void {
  try {
    if (!lstatIfExists(folder)?.isDirectory()) return;
    if (!isCarried(folder)) syncFolder(folder);
  } catch (error) {
    if (!isMissing(error) && systemCode(error) !== 'ELOOP') throw error;
  }
}
