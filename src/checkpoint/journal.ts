/**
 * The journal of one operation: everything needed to finish it or to roll it back after a crash, and afterwards the redo
 * point. `<home>/roots/<id>/operations/<operation>/journal.json`, with the present bytes it saved in `saved/`. Once all
 * is done and recorded it is called `done.json`, so that what a crash left is found without reading every journal there is.
 */
import fs from 'node:fs';
import path from 'node:path';
import {
  flushHandle,
  listIfExists,
  makeFolder,
  readIfExists,
  syncFolder,
  temporaryName,
  writeFileAtomic,
} from '../base/atomicFile.ts';
import { operationFolder, operationsFolder } from '../base/home.ts';
import { renameOver } from '../base/renameOver.ts';
import { UserError } from '../core/errors.ts';
import { asOperationId, type OperationId, type Root } from '../core/ids.ts';
import type { PathState } from '../core/state.ts';
import type { OperationKind, Partly } from '../core/timeline.ts';

export interface Step {
  /** Key below the root. */
  readonly path: string;
  readonly from: PathState;
  readonly to: PathState;
  /** Absolute file with the bytes of `to`, when that is a file. */
  readonly source?: string;
  /** A folder that goes only if it is empty, or comes only because something goes into it: never a failure. */
  readonly optional?: boolean;
  /** The bytes of `to` are a merge: of agents' work only, or with what a person wrote since. */
  readonly merged?: 'agents' | 'person';
}

/**
 * What becomes of turns and their checkpoints. takeBack: their checkpoints move aside (`.rewound/<owner>`) and they are
 * marked. bringBack: its inverse. mark and unmark: only the marks; the checkpoints of a reverted turn stay, since later
 * rewinds still need its pre-images. none: nothing.
 */
export interface Effect {
  readonly kind: 'none' | 'takeBack' | 'bringBack' | 'mark' | 'unmark';
  readonly seqs: readonly number[];
  /** The operation that first took them back. */
  readonly owner: OperationId;
}

/** The effect of taking an operation back. */
export function inverseOf({ kind, ...rest }: Effect): Effect {
  const inverse = {
    none: 'none',
    takeBack: 'bringBack',
    bringBack: 'takeBack',
    mark: 'unmark',
    unmark: 'mark',
  } as const;
  return { kind: inverse[kind], ...rest };
}

/**
 * prepared: redo point saved, files may have been touched. applied: all files done and verified, records not yet.
 * done: recorded. rolledBack: everything put back.
 */
export type Phase = 'prepared' | 'applied' | 'done' | 'rolledBack';

export interface Journal {
  readonly format: 1;
  readonly operation: OperationId;
  readonly kind: OperationKind;
  readonly root: string;
  readonly session: string;
  /** Milliseconds since 1970. */
  readonly startedAt: number;
  readonly phase: Phase;
  readonly label: string;
  readonly steps: readonly Step[];
  readonly effect: Effect;
  /** The operation a redo takes back. */
  readonly undoes?: OperationId;
  readonly partly?: Partly;
  /** Files of memory that change with it. */
  readonly memory?: readonly MemoryStep[];
}

/** Of one file of memory, relative to the memory folder: SHA-256 of what is there and of what comes; null: no file. */
export interface MemoryStep {
  readonly path: string;
  readonly from: string | null;
  readonly to: string | null;
}

const openName = 'journal.json';
const doneName = 'done.json';

/** Durable. Creates the operation's folder. */
export function writeJournal(home: string, root: Root, journal: Journal): void {
  const folder = operationFolder(home, root, journal.operation);
  makeFolder(path.join(folder, 'saved'));
  writeFileAtomic(path.join(folder, openName), JSON.stringify(journal));
}

/**
 * The same in two steps, for who has something else to flush: the first ends when the bytes are on the disk, the second
 * gives them their name, durably unless `isCarried` (see `writeFileAtomic`). @throws system errors.
 */
export async function stageJournal(
  home: string,
  root: Root,
  journal: Journal,
): Promise<(isCarried: boolean) => void> {
  const folder = operationFolder(home, root, journal.operation);
  const file = path.join(folder, openName);
  const temporary = temporaryName(file);
  const fd = fs.openSync(temporary, 'wx', 0o600);
  try {
    fs.writeFileSync(fd, JSON.stringify(journal));
    await flushHandle(fd);
  } finally {
    fs.closeSync(fd);
  }
  return (isCarried) => {
    renameOver(temporary, file);
    if (!isCarried) syncFolder(folder);
  };
}

/** Makes it `done`, durably. */
export function closeJournal(home: string, root: Root, operation: OperationId): void {
  const folder = operationFolder(home, root, operation);
  fs.renameSync(path.join(folder, openName), path.join(folder, doneName));
  syncFolder(folder);
}

/** @throws UserError `damaged` for a journal that cannot be understood, `notFound` for none. */
export function readJournal(home: string, root: Root, operation: OperationId): Journal {
  const folder = operationFolder(home, root, operation);
  const isDone = !isOpen(home, root, operation);
  const file = path.join(folder, isDone ? doneName : openName);
  const text = readIfExists(file);
  if (text === undefined) {
    throw new UserError('notFound', `There is no record of operation ${operation}.`, { operation });
  }
  try {
    const journal: Journal = JSON.parse(text);
    if (journal.format === 1 && journal.operation === operation && journal.root === root)
      return isDone ? { ...journal, phase: 'done' } : journal;
  } catch (error) {
    throw new UserError(
      'damaged',
      `The record of operation ${operation} cannot be read: ${file}.`,
      { file },
      error,
    );
  }
  throw new UserError(
    'damaged',
    `The record of operation ${operation} is not one of this project: ${file}.`,
    { file },
  );
}

/** Operations of a root, in no order. Folders without a journal (cut short before the first write) are left out. */
export function listOperations(home: string, root: Root): readonly OperationId[] {
  return operationFolders(home, root).filter((id) => hasJournal(home, root, id));
}

/** Those of them that are not done: cut short, going on, or rolled back. */
export function listOpenOperations(home: string, root: Root): readonly OperationId[] {
  return operationFolders(home, root).filter((id) => isOpen(home, root, id));
}

/** It has a journal, and that is not done. */
function isOpen(home: string, root: Root, operation: OperationId): boolean {
  return isThere(home, root, operation, openName);
}

/** Those without a journal too. What retention is removing is out of sight. */
export function operationFolders(home: string, root: Root): readonly OperationId[] {
  return listIfExists(operationsFolder(home, root))
    .filter((entry) => entry.isDirectory() && !entry.name.startsWith('.'))
    .map((entry) => asOperationId(entry.name));
}

export function hasJournal(home: string, root: Root, operation: OperationId): boolean {
  return isThere(home, root, operation, openName) || isThere(home, root, operation, doneName);
}

function isThere(home: string, root: Root, operation: OperationId, name: string): boolean {
  return fs.existsSync(path.join(operationFolder(home, root, operation), name));
}
