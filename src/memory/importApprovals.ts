/**
 * Files outside of a project that a person lets its documents import. An approval is for the file as it was seen: when it
 * changes, or a link leads elsewhere, it has to be given again.
 */
import path from 'node:path';
import { makeFolder, writeFileAtomic } from '../base/atomicFile.ts';
import { hashBytes } from '../base/hash.ts';
import { UserError } from '../core/errors.ts';
import { type DocumentText, readDocument } from './documentFile.ts';
import type { MemoryPlaces } from './memoryPlaces.ts';

interface Approval {
  /** Absolute real path. */
  readonly file: string;
  readonly sha256: string;
}

export const approvalsFile = ({ folder, project }: MemoryPlaces): string =>
  path.join(folder, ...(project === null ? [] : ['projects', project]), 'imports.json');

/** Whether a file may be imported; what cannot be read approves nothing. */
export function approvedImports(places: MemoryPlaces): (file: DocumentText) => boolean {
  const approvals = readApprovals(places);
  if (approvals.length === 0) return () => false;
  return ({ real, bytes }) =>
    approvals.some(({ file, sha256 }) => file === real && sha256 === hashBytes(bytes));
}

/**
 * Approves a file as it is now. Call under the lock of memory. @returns its real path
 * @throws UserError `notFound`, `fileSystem`
 */
export function approveImport(places: MemoryPlaces, file: string): string {
  const read = readDocument(file);
  if (read.kind === 'absent')
    throw new UserError('notFound', `There is no file ${file}.`, { file });
  if (read.kind === 'refused')
    throw new UserError('fileSystem', `${file}: ${read.reason}.`, { file });
  const others = readApprovals(places).filter((each) => each.file !== read.real);
  write(places, [...others, { file: read.real, sha256: hashBytes(read.bytes) }]);
  return read.real;
}

/** Call under the lock of memory. @throws UserError `notFound` when it was not approved. */
export function withdrawImport(places: MemoryPlaces, file: string): void {
  const approvals = readApprovals(places);
  const others = approvals.filter((each) => each.file !== file);
  if (others.length === approvals.length)
    throw new UserError('notFound', `${file} is not approved.`, { file });
  write(places, others);
}

function readApprovals(places: MemoryPlaces): readonly Approval[] {
  const read = readDocument(approvalsFile(places));
  const value = read.kind === 'text' ? fromJson(read.text) : undefined;
  return Array.isArray(value) ? value.filter(isApproval) : [];
}

function isApproval(value: unknown): value is Approval {
  return (
    typeof value === 'object' &&
    value !== null &&
    'file' in value &&
    typeof value.file === 'string' &&
    'sha256' in value &&
    typeof value.sha256 === 'string'
  );
}

function write(places: MemoryPlaces, approvals: readonly Approval[]): void {
  const file = approvalsFile(places);
  makeFolder(path.dirname(file));
  writeFileAtomic(file, `${JSON.stringify(approvals, null, 2)}\n`);
}

function fromJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // Then nothing is approved, and a person is asked again.
    return undefined;
  }
}
