/**
 * Files that become visible whole or not at all: temporary, write, fsync, rename, fsync of the folder. Synchronous,
 * because the hook is a process that lives for milliseconds. Our own stores only: folders 0700, files 0600.
 */
import fs from 'node:fs';
import path from 'node:path';
import { renameOver } from './renameOver.ts';
import { takeSpare } from './spareFiles.ts';
import { temporaryPrefix } from './temporaryPrefix.ts';

export interface WriteOptions {
  /** Permission bits of the new file. Default 0600. */
  readonly mode?: number;
  /** Flush to the disk before the rename and the folder after it. Default true. */
  readonly durable?: boolean;
  /** Whether the folder needs no flush, because what the caller flushes later carries it along. */
  readonly isCarried?: (folder: string) => boolean;
}

/** Replaces or creates `file`. Its folder must exist. @throws the system error; the old file is then untouched. */
export function writeFileAtomic(
  file: string,
  data: string | Uint8Array,
  options: WriteOptions = {},
): void {
  const { fd, file: temporary } = openTemporary(file, options.mode);
  const durable = options.durable ?? true;
  try {
    try {
      fs.writeFileSync(fd, data);
      if (durable) fs.fsyncSync(fd);
    } finally {
      fs.closeSync(fd);
    }
    renameOver(temporary, file);
  } catch (error) {
    fs.rmSync(temporary, { force: true });
    throw error;
  }
  const folder = path.dirname(file);
  if (durable && !options.isCarried?.(folder)) syncFolder(folder);
}

/** An open new file, to be written, closed and renamed to `file` (on its disk). @throws the system error. */
export function openTemporary(
  file: string,
  mode = 0o600,
): { readonly fd: number; readonly file: string } {
  const spare = mode === 0o600 ? takeSpare(file) : undefined;
  if (spare) return spare;
  const temporary = temporaryName(file);
  return { fd: fs.openSync(temporary, 'wx', mode), file: temporary };
}

let counter = 0;

/** A name beside `file` that no other process and no other call uses. */
export function temporaryName(file: string): string {
  return path.join(
    path.dirname(file),
    `${temporaryPrefix}${process.pid}-${process.hrtime()[1]}-${counter++}`,
  );
}

/** Makes a rename or creation in `folder` survive a power cut. Windows cannot open folders: a no-op there. */
export function syncFolder(folder: string): void {
  if (process.platform === 'win32') return;
  const fd = fs.openSync(folder, 'r');
  try {
    fs.fsyncSync(fd);
  } finally {
    fs.closeSync(fd);
  }
}

/** Flushes a file that was written by other means (a copy). */
export function syncFile(file: string): void {
  const fd = fs.openSync(file, process.platform === 'win32' ? 'r+' : 'r');
  try {
    fs.fsyncSync(fd);
  } finally {
    fs.closeSync(fd);
  }
}

/** Flushes an open file while other things go on. @throws the system error. */
export function flushHandle(fd: number): Promise<void> {
  return new Promise((resolve, reject) => {
    fs.fsync(fd, (error) => (error ? reject(error) : resolve()));
  });
}

/** Removes a file if it is there. `fs.rmSync` would do, and takes ten times as long. @throws the system error. */
export function removeFile(file: string): void {
  try {
    fs.unlinkSync(file);
  } catch (error) {
    if (!isMissing(error)) throw error;
  }
}

/** Creates a folder of ours and its missing parents, readable by its user only. */
export function makeFolder(folder: string): void {
  fs.mkdirSync(folder, { recursive: true, mode: 0o700 });
}

/** The text of a file, or undefined when there is none. @throws any other system error. */
export function readIfExists(file: string): string | undefined {
  try {
    // Asked first, because most often there is none, and an error with its stack takes far longer to make.
    if (!fs.statSync(file, { throwIfNoEntry: false })) return undefined;
    return fs.readFileSync(file, 'utf8');
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
}

/** Names in a folder, or an empty list when there is no such folder. @throws any other system error. */
export function listIfExists(folder: string): readonly fs.Dirent[] {
  try {
    return fs.readdirSync(folder, { withFileTypes: true });
  } catch (error) {
    if (isMissing(error)) return [];
    throw error;
  }
}

/** True for ENOENT and ENOTDIR: nothing is at that path. */
export function isMissing(error: unknown): boolean {
  return (
    error instanceof Error &&
    'code' in error &&
    (error.code === 'ENOENT' || error.code === 'ENOTDIR')
  );
}
