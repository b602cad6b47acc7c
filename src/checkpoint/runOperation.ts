/**
 * All or nothing: saves the present states, journals, changes the files, verifies, and on any failure puts everything
 * back. `recoverOperation` does the same for an operation that a crash cut short.
 */
import fs from 'node:fs';
import path from 'node:path';
import { listIfExists } from '../base/atomicFile.ts';
import { carriedBy } from '../base/carriedAlong.ts';
import { operationFolder } from '../base/home.ts';
import { exactLstat, lstatIfExists } from '../base/lstatIfExists.ts';
import { temporaryPrefix } from '../base/temporaryPrefix.ts';
import { isUserError, messageOf, systemCode, UserError } from '../core/errors.ts';
import type { OperationId, Root } from '../core/ids.ts';
import { absent, compareStates, type PathState } from '../core/state.ts';
import { applySteps, isNewFile, verifySteps, workingMode } from './applySteps.ts';
import { type KeyResult, pathOfKey } from './canonicalKey.ts';
import { stateOfKey } from './hashedState.ts';
import {
  closeJournal,
  type Journal,
  readJournal,
  type Step,
  stageJournal,
  writeJournal,
} from './journal.ts';
import { statState } from './pathState.ts';
import { absoluteOf } from './places.ts';
import { changedMeanwhile, savedFiles, saveRedoPoint } from './redoPoint.ts';

/** Injected faults, progress, and a sign of life for whoever waits for the lock; `at` names the place. Production passes a function that does nothing. */
export type Probe = (at: string) => void;

/**
 * Brings the work tree from the journal's `from` to its `to` states.
 * @returns the journal in phase `applied`; the caller records the operation and then calls `closeOperation`.
 * @throws UserError naming the path; everything is then as it was before, and no journal is left, unless somebody else
 * changed one of the paths meanwhile: that one is left as it is, and the journal and the saved states stay.
 */
export async function runOperation(
  home: string,
  root: Root,
  journal: Journal,
  probe: Probe,
): Promise<Journal> {
  const stamps = await prepare(home, root, journal, probe);
  try {
    await applySteps(root, journal.steps, {
      tag: journal.operation,
      check: (step, absolute) => checkStamp(step, absolute, stamps),
      beforeChange: (step) => probe(`change ${step.path}`),
      flushedLater: operationFolder(home, root, journal.operation),
    });
    probe('verify');
    verifySteps(root, journal.steps);
    probe('applied');
  } catch (error) {
    throw await rollBack(home, root, journal, error);
  }
  // Not written: recovery compares the files and finds the same in either phase.
  return { ...journal, phase: 'applied' };
}

/** Redo point and journal; a failure here leaves no trace. */
async function prepare(
  home: string,
  root: Root,
  journal: Journal,
  probe: Probe,
): Promise<ReadonlyMap<string, Stamp>> {
  try {
    const stamps = new Map<string, Stamp>();
    let publish: (isCarried: boolean) => void = () => undefined;
    const beforeSave = ({ path: key, from }: Step, absolute: string) => {
      probe(`save ${key}`);
      const named = pathOfKey(root, key);
      // Behind a link of the span's own there is nothing yet, wherever the link leads.
      stamps.set(key, 'key' in named ? stampOf(absolute) : undefined);
      if (compareStates(withoutHash(from), stateNow(named)) === 'different')
        throw changedMeanwhile(key);
    };
    await saveRedoPoint(home, root, journal, beforeSave, async () => {
      probe('journal');
      publish = await stageJournal(home, root, journal);
    });
    publish(isCarriedByFiles(root, journal.steps, operationFolder(home, root, journal.operation)));
    return stamps;
  } catch (error) {
    discardOperation(home, root, journal.operation);
    if (systemCode(error) === undefined || isUserError(error)) throw error;
    throw new UserError(
      'fileSystem',
      `The present state could not be saved first (${messageOf(error)}), so nothing was changed.`,
      {},
      error,
    );
  }
}

/** The flush of the new files, which comes before the first change of a name, makes the journal's name durable too. */
function isCarriedByFiles(root: Root, steps: readonly Step[], folder: string): boolean {
  return steps.length > 0 && steps.every(isNewFile) && carriedBy(root)(folder);
}

/** Removes every trace of an operation that changed nothing or was put back whole. */
export function discardOperation(home: string, root: Root, operation: OperationId): void {
  fs.rmSync(operationFolder(home, root, operation), { recursive: true, force: true });
}

/** After the records are written: the journal stays as the redo point. */
export function closeOperation(home: string, root: Root, journal: Journal): void {
  closeJournal(home, root, journal.operation);
}

/** Journals of a root that a crash left in the middle. Damaged ones are thrown as UserError by `readJournal`. */
export function isPending(journal: Journal): boolean {
  return journal.phase === 'prepared' || journal.phase === 'applied';
}

/**
 * Goes on from whatever the crash left. A path that is in neither state was changed by somebody else since: it is left
 * alone and named in the answer.
 * @returns the journal in its new phase (`applied` after finish, `rolledBack`), and the paths left alone.
 */
export async function recoverOperation(
  home: string,
  root: Root,
  operation: OperationId,
  how: 'finish' | 'rollBack',
  probe: Probe,
): Promise<{ readonly journal: Journal; readonly leftAlone: readonly string[] }> {
  const journal = readJournal(home, root, operation);
  removeTemporaries(root, journal);
  const steps = how === 'finish' ? journal.steps : journal.steps.map(reversed);
  const leftAlone: string[] = [];
  const todo = steps.filter((step) => {
    const now = stateOfKey(root, step.path);
    if (compareStates(now, step.to) === 'same') return false;
    if (compareStates(now, step.from) === 'same' || isBetween(now, step)) return true;
    if (!step.optional) leftAlone.push(step.path);
    return false;
  });
  const saved = savedFiles(home, root, journal);
  await applySteps(
    root,
    todo.map((step) => ({
      ...step,
      from: stateOfKey(root, step.path),
      ...(how === 'rollBack' && step.to.kind === 'file' && { source: saved(steps.indexOf(step)) }),
    })),
    {
      tag: operation,
      check: () => undefined,
      beforeChange: (step) => probe(`put back ${step.path}`),
      flushedLater: operationFolder(home, root, operation),
    },
  );
  verifySteps(root, todo);
  const next: Journal = { ...journal, phase: how === 'finish' ? 'applied' : 'rolledBack' };
  probe('put back');
  writeJournal(home, root, next);
  return { journal: next, leftAlone };
}

/** A path that changes kind is absent between its two halves, and a folder has a mode of its own while it is worked in. */
function isBetween(now: PathState, { from, to }: Step): boolean {
  if (now.kind === 'directory') {
    const folders = [from, to].filter((state) => state.kind === 'directory');
    return folders.length === 1 || folders.some(({ mode }) => now.mode === workingMode(mode));
  }
  return (
    now.kind === 'absent' && from.kind !== 'absent' && to.kind !== 'absent' && from.kind !== to.kind
  );
}

type Stamp = { readonly ino: bigint; readonly mtimeNs: bigint; readonly size: bigint } | undefined;

/** As far as it can be told without reading the content again. */
function stateNow(named: KeyResult): PathState {
  if ('key' in named) return statState(named.absolute);
  return named.onDisk?.isLink ? absent : { kind: 'other' };
}

function withoutHash(state: PathState): PathState {
  if (state.kind !== 'file') return state;
  const { kind, mode, size } = state;
  return { kind, mode, size };
}

function stampOf(absolute: string): Stamp {
  const stat = exactLstat(absolute);
  return stat && { ino: stat.ino, mtimeNs: stat.mtimeNs, size: stat.size };
}

function checkStamp(step: Step, absolute: string, stamps: ReadonlyMap<string, Stamp>): void {
  // The second half of a change of kind, and folders, whose times move with their entries.
  if (step.from.kind === 'absent' || step.from.kind === 'directory') {
    if (step.from.kind === 'absent' && !step.optional && lstatIfExists(absolute))
      throw changedMeanwhile(step.path);
    return;
  }
  const saw = stamps.get(step.path);
  const now = stampOf(absolute);
  if (saw?.ino !== now?.ino || saw?.mtimeNs !== now?.mtimeNs || saw?.size !== now?.size) {
    throw changedMeanwhile(step.path);
  }
}

/** The way back, without its bytes. */
function reversed({ path: key, from, to, optional }: Step): Step {
  return { path: key, from: to, to: from, ...(optional && { optional: true }) };
}

/**
 * @returns what to throw: the cause, or that something was left alone.
 * @throws UserError `interrupted` when even that fails: the journal stays, and the next start offers to go on.
 */
async function rollBack(
  home: string,
  root: Root,
  journal: Journal,
  cause: unknown,
): Promise<unknown> {
  const { operation } = journal;
  const leftAlone = await putBack(home, root, operation, cause);
  if (leftAlone.length > 0) {
    return new UserError(
      'fileSystem',
      `${messageOf(cause)} Everything else was put back; left as somebody changed it meanwhile: ${leftAlone.join(', ')}.`,
      { operation, path: leftAlone[0] },
      cause,
    );
  }
  discardOperation(home, root, operation);
  if (isUserError(cause) || systemCode(cause) === undefined) return cause;
  return new UserError(
    'fileSystem',
    `The operation could not be completed (${messageOf(cause)}). Everything was put back.`,
    { operation },
    cause,
  );
}

async function putBack(
  home: string,
  root: Root,
  operation: OperationId,
  cause: unknown,
): Promise<readonly string[]> {
  try {
    const { leftAlone } = await recoverOperation(
      home,
      root,
      operation,
      'rollBack',
      () => undefined,
    );
    return leftAlone;
  } catch (error) {
    throw new UserError(
      'interrupted',
      `${messageOf(cause)} Putting everything back failed as well (${messageOf(error)}). The saved states are in place: run "memcode-timeline doctor".`,
      { operation },
      cause,
    );
  }
}

function removeTemporaries(root: Root, journal: Journal): void {
  for (const file of temporariesOf(root, journal)) fs.rmSync(file, { force: true });
}

/** What a crash of the operation left beside its paths. */
export function temporariesOf(root: Root, journal: Journal): readonly string[] {
  const folders = new Set(journal.steps.map((step) => path.dirname(absoluteOf(root, step.path))));
  return [...folders]
    .filter((folder) => isPlainFolder(root, folder))
    .flatMap((folder) =>
      listIfExists(folder)
        .filter(({ name }) => name.startsWith(`${temporaryPrefix}${journal.operation}-`))
        .map(({ name }) => path.join(folder, name)),
    );
}

function isPlainFolder(root: Root, folder: string): boolean {
  const key = path.relative(root, folder).split(path.sep).join('/');
  if (key === '') return true;
  return 'key' in pathOfKey(root, `${key}/x`) && lstatIfExists(folder)?.isDirectory() === true;
}
