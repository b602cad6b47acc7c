/**
 * Puts files into the work tree: each is written beside its place, flushed and renamed over it. Many at a time, because
 * what is flushed together takes a fraction of the time of one after another.
 */
import fs from 'node:fs';
import path from 'node:path';
import { flushHandle } from '../base/atomicFile.ts';
import { renameOver } from '../base/renameOver.ts';
import { temporaryPrefix } from '../base/temporaryPrefix.ts';
import { systemCode } from '../core/errors.ts';

export interface FileToPlace {
  /** Its folder exists. */
  readonly absolute: string;
  /** File with the bytes. */
  readonly source: string;
  readonly mode: number;
  readonly size: number;
}

/** Runs one file's part of the work; it may throw what it makes of an error. */
type Attempt<File> = (file: File, work: () => void) => void;

/** What is written beside the places before the first of them is taken. */
const batchFiles = 100;
const batchBytes = 64 * 1024 * 1024;
/** Files up to this size are written from memory. Bytes. */
const smallFile = 256 * 1024;

/** Name of a temporary; recovery finds them by their beginning. */
export function temporaryBeside(absolute: string, tag: string, number: number): string {
  return path.join(path.dirname(absolute), `${temporaryPrefix}${tag}-${number}`);
}

/**
 * @param tag part of the temporaries' names. @param beforeRename called right before a file takes its place.
 */
export async function placeFiles<File extends FileToPlace>(
  files: readonly File[],
  tag: string,
  attempt: Attempt<File>,
  beforeRename: (file: File) => void,
): Promise<void> {
  let number = 0;
  for (const batch of batches(files)) {
    const staged = batch.map((file) => ({
      file,
      temporary: temporaryBeside(file.absolute, tag, number++),
    }));
    try {
      await writeTogether(staged, attempt);
      for (const { file, temporary } of staged)
        attempt(file, () => {
          beforeRename(file);
          renameOver(temporary, file.absolute);
        });
    } catch (error) {
      for (const { temporary } of staged) fs.rmSync(temporary, { force: true });
      throw error;
    }
  }
}

/** Written, flushed, with their modes, and closed. */
async function writeTogether<File extends FileToPlace>(
  staged: readonly { readonly file: File; readonly temporary: string }[],
  attempt: Attempt<File>,
): Promise<void> {
  const opened: { readonly file: File; readonly fd: number }[] = [];
  try {
    for (const { file, temporary } of staged)
      attempt(file, () => {
        opened.push({ file, fd: write(file, temporary) });
      });
    // All of them are waited for: none may still be flushed when its handle is closed.
    const flushed = await Promise.allSettled(opened.map(({ fd }) => flushHandle(fd)));
    flushed.forEach((result, index) => {
      const one = opened[index];
      if (one === undefined) return;
      attempt(one.file, () => {
        if (result.status === 'rejected') throw result.reason;
        fs.fchmodSync(one.fd, one.file.mode);
      });
    });
  } finally {
    for (const { fd } of opened) fs.closeSync(fd);
  }
}

/** @returns the open temporary. */
function write({ source, size }: FileToPlace, temporary: string): number {
  if (size <= smallFile) {
    const bytes = fs.readFileSync(source);
    const fd = openNew(temporary);
    try {
      fs.writeFileSync(fd, bytes);
      return fd;
    } catch (error) {
      fs.closeSync(fd);
      throw error;
    }
  }
  fs.rmSync(temporary, { force: true });
  fs.copyFileSync(source, temporary, fs.constants.COPYFILE_EXCL | fs.constants.COPYFILE_FICLONE);
  fs.chmodSync(temporary, 0o600);
  return fs.openSync(temporary, 'r+');
}

/** What an earlier attempt left there goes. */
function openNew(temporary: string): number {
  try {
    return fs.openSync(temporary, 'wx', 0o600);
  } catch (error) {
    if (systemCode(error) !== 'EEXIST') throw error;
    fs.rmSync(temporary, { force: true });
    return fs.openSync(temporary, 'wx', 0o600);
  }
}

function* batches<File extends FileToPlace>(files: readonly File[]): Generator<readonly File[]> {
  let batch: File[] = [];
  let bytes = 0;
  for (const file of files) {
    if (batch.length === batchFiles || (batch.length > 0 && bytes + file.size > batchBytes)) {
      yield batch;
      batch = [];
      bytes = 0;
    }
    batch.push(file);
    bytes += file.size;
  }
  if (batch.length > 0) yield batch;
}
