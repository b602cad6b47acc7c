/** The documents that agents are to know in a folder, imports filled in. Never fails: what is left out is said. */
import fs from 'node:fs';
import path from 'node:path';
import { isInside } from '../base/platform.ts';
import { rootOf } from '../base/root.ts';
import { isUserError } from '../core/errors.ts';
import { type DocumentText, readDocument } from './documentFile.ts';
import {
  type DocumentFolders,
  type DocumentScope,
  defaultNames,
  documentLabel,
  documentPlaces,
} from './documentPlaces.ts';
import { expandImports, holdsSecrets, type ImportProblem, importBudget } from './imports.ts';

/** Bytes of all documents together, without imports; each has a limit of its own. */
const largest = 512 * 1024;

export interface LoadedDocument {
  readonly scope: DocumentScope;
  /** Absolute. */
  readonly file: string;
  /** For people and agents; see `documentLabel`. */
  readonly label: string;
  /** Trimmed, imports filled in, line ends as on Linux. Never empty. */
  readonly text: string;
  readonly hasImports: boolean;
}

export interface SkippedDocument {
  readonly label: string;
  readonly file: string;
  /** The end of a sentence. */
  readonly reason: string;
  /** A file outside that a person may approve. */
  readonly real?: string;
}

export interface LoadedDocuments {
  readonly documents: readonly LoadedDocument[];
  /** Files that are there and were left out. */
  readonly skipped: readonly SkippedDocument[];
  readonly importProblems: readonly ImportProblem[];
  /** Every file that was looked at, there or not: when none of them changed, loading again gives the same. */
  readonly looked: readonly string[];
}

export interface DocumentOptions extends DocumentFolders {
  readonly userHome: string;
  readonly names?: readonly string[];
  /** Whether a person has approved this file, which lies outside. */
  readonly isApproved: (file: DocumentText) => boolean;
}

export function loadDocuments(options: DocumentOptions): LoadedDocuments {
  const { folders, userFolder, userHome, isApproved, names = defaultNames } = options;
  const [top] = folders;
  const labelOf = (file: string) => documentLabel(file, { top, userFolder, userHome });
  const documents: LoadedDocument[] = [];
  const skipped: SkippedDocument[] = [];
  const importProblems: ImportProblem[] = [];
  const seen = new Map<string, string>();
  const looked: string[] = [];
  const budget = importBudget();
  let left = largest;
  const mayReadIn =
    (insideFor: (from: string) => readonly string[]) => (wanted: DocumentText, from: string) =>
      (insideFor(from).some((folder) => isInside(folder, wanted.real, process.platform)) &&
        !isOfGit(wanted.real) &&
        !holdsSecrets(wanted.real)) ||
      isApproved(wanted);
  const mayReadOwn = mayReadIn(openToOwn(userFolder, userHome));
  const shared = realFolders(top === undefined ? [] : [top]);
  const mayReadShared = mayReadIn(() => shared);
  for (const { scope, file } of documentPlaces({ folders, userFolder }, names)) {
    looked.push(file);
    const read = readDocument(file);
    if (read.kind === 'absent') continue;
    const label = labelOf(file);
    if (read.kind === 'refused') {
      skipped.push({ label, file, reason: read.reason });
      continue;
    }
    const first = seen.get(read.identity);
    if (first !== undefined) {
      skipped.push({ label, file, reason: `it is the same file as ${first}` });
      continue;
    }
    seen.set(read.identity, label);
    const mayRead = scope === 'user' ? mayReadOwn : mayReadShared;
    if (!mayRead(read, file)) {
      const reason = 'it is a link to a file outside, which is not approved';
      skipped.push({ label, file, reason, real: read.real });
      continue;
    }
    if (read.bytes.length > left) {
      skipped.push({ label, file, reason: 'the documents before it are too large already' });
      continue;
    }
    left -= read.bytes.length;
    const expanded = expandImports(file, read, { userHome, labelOf, mayRead }, budget);
    importProblems.push(...expanded.problems);
    const text = expanded.text.replaceAll('\r\n', '\n').trim();
    if (text !== '') documents.push({ scope, file, label, text, hasImports: expanded.hasImports });
  }
  return { documents, skipped, importProblems, looked: [...looked, ...budget.read.keys()] };
}

/**
 * What a person's own documents may import: all of their home. A file that they import has no such right, since others may
 * have written it: only what lies in its repository, or else in its folder, and nothing where that would be the home again.
 * By where links have led, so that a link in the person's folder makes nobody else's file their own.
 */
function openToOwn(userFolder: string, userHome: string): (from: string) => readonly string[] {
  const [own = userFolder] = realFolders([userFolder]);
  const all = realFolders([userFolder, userHome]);
  const isOwn = (file: string) =>
    [own, userFolder].some((folder) => isInside(folder, file, process.platform));
  return (from) => {
    if (isOwn(from)) return all;
    const around = rootAround(from, userHome);
    const isAll = all.some((folder) => isInside(around, folder, process.platform));
    return isAll ? [] : [around];
  };
}

/** Of a file that was there a moment ago. */
function rootAround(file: string, userHome: string): string {
  try {
    return rootOf(path.dirname(file), userHome);
  } catch (error) {
    if (!isUserError(error, 'notFound')) throw error;
    return path.dirname(file);
  }
}

/** Folders may be named through links; what was read is a real path. */
function realFolders(folders: readonly string[]): readonly string[] {
  return folders.filter((folder) => fs.existsSync(folder)).map((f) => fs.realpathSync.native(f));
}

/** A repository's own files may hold access tokens. */
function isOfGit(real: string): boolean {
  return real.split(/[/\\]/).includes('.git');
}
