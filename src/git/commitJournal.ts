/**
 * What a commit in the making needs to be finished or given up after a crash: one file beside the private indexes, one
 * commit at a time for each repository.
 */
import fs from 'node:fs';
import path from 'node:path';
import { makeFolder, readIfExists, writeFileAtomic } from '../base/atomicFile.ts';
import type { GitEntry } from './commitEntries.ts';

/** What becomes of one entry of the user's index. */
export interface IndexStep {
  readonly path: string;
  /** Null: none. */
  readonly before: GitEntry | null;
  readonly after: GitEntry | null;
}

export interface CommitJournal {
  readonly format: 1;
  readonly topLevel: string;
  readonly indexFile: string;
  /** In the lock of the index, when that is ours. */
  readonly nonce: string;
  readonly ref: string;
  /** Null on an unborn branch. */
  readonly old: string | null;
  readonly new: string;
  readonly steps: readonly IndexStep[];
  /** What the caller records once it is done. */
  readonly record: unknown;
}

const journalFile = (folder: string) => path.join(folder, 'journal.json');

/** @param folder ours, of this repository; created. Flushed before it returns. */
export function writeCommitJournal(folder: string, journal: CommitJournal): void {
  makeFolder(folder);
  writeFileAtomic(journalFile(folder), JSON.stringify(journal));
}

/** Undefined when there is none. @throws Error for one that cannot be understood. */
export function readCommitJournal(folder: string): CommitJournal | undefined {
  const text = readIfExists(journalFile(folder));
  if (text === undefined) return undefined;
  const value: unknown = JSON.parse(text);
  if (isJournal(value)) return value;
  throw new Error(`${journalFile(folder)} is not a journal that this version knows.`);
}

export function hasJournal(folder: string): boolean {
  return fs.existsSync(journalFile(folder));
}

export function closeCommitJournal(folder: string): void {
  fs.rmSync(journalFile(folder), { force: true });
}

/** Sets one that cannot be understood aside. */
export function setJournalAside(folder: string): void {
  fs.renameSync(journalFile(folder), `${journalFile(folder)}.damaged`);
}

function isJournal(value: unknown): value is CommitJournal {
  if (typeof value !== 'object' || value === null) return false;
  if (!('format' in value) || value.format !== 1 || !('steps' in value)) return false;
  const texts: readonly string[] = ['topLevel', 'indexFile', 'nonce', 'ref', 'new'];
  const fields: Readonly<Record<string, unknown>> = { ...value };
  return Array.isArray(value.steps) && texts.every((name) => typeof fields[name] === 'string');
}
