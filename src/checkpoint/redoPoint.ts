/**
 * The redo point of an operation: the bytes its paths had before the first change, durable by then, in `saved/` of the
 * operation's folder. A large file is a copy of its own, named by its step. Small ones lie one after another in one file
 * and are taken out when they are needed: making a file and flushing it costs far more than the bytes of most files, and
 * only few redo points are ever used.
 */
import fs from 'node:fs';
import path from 'node:path';
import { flushHandle, syncFile, syncFolder, writeFileAtomic } from '../base/atomicFile.ts';
import { hashBytes, hashFile } from '../base/hash.ts';
import { operationFolder } from '../base/home.ts';
import { messageOf, UserError } from '../core/errors.ts';
import type { Root } from '../core/ids.ts';
import type { FileState, PathState } from '../core/state.ts';
import type { Journal, Step } from './journal.ts';
import { absoluteOf } from './places.ts';

/** Bytes. */
const smallFile = 64 * 1024;
const packName = 'small';

/**
 * @param beforeSave called for each step before its path is read
 * @param meanwhile begun when all bytes are written, and waited for together with their flush
 * @throws UserError or a system error; then nothing may be changed.
 */
export async function saveRedoPoint(
  home: string,
  root: Root,
  journal: Journal,
  beforeSave: (step: Step, absolute: string) => void,
  meanwhile: () => Promise<void>,
): Promise<void> {
  const folder = savedFolder(home, root, journal);
  fs.mkdirSync(folder, { recursive: true, mode: 0o700 });
  const pack = fs.openSync(path.join(folder, packName), 'wx', 0o600);
  let hasLarge = false;
  try {
    journal.steps.forEach((step, index) => {
      const { path: key, from } = step;
      const absolute = absoluteOf(root, key);
      beforeSave(step, absolute);
      if (from.kind !== 'file') return;
      if (isSmall(from)) fs.writeSync(pack, smallBytes(key, absolute, from));
      else saveLarge(key, absolute, from, path.join(folder, String(index)));
      hasLarge ||= !isSmall(from);
    });
    // The pack takes its name along. Both are waited for: neither may go on when this has failed.
    const done = await Promise.allSettled([flushHandle(pack), meanwhile()]);
    for (const one of done) if (one.status === 'rejected') throw one.reason;
  } finally {
    fs.closeSync(pack);
  }
  if (hasLarge) syncFolder(folder);
}

/**
 * Where the saved bytes of a step are, by the step's index; the path of a file that `saveRedoPoint` made or, for a small
 * one, that is made now. The returned function throws system errors.
 */
export function savedFiles(home: string, root: Root, journal: Journal): (step: number) => string {
  const folder = savedFolder(home, root, journal);
  let end = 0;
  const offsets = journal.steps.map(({ from }) => {
    const start = end;
    if (isSmall(from)) end += from.size;
    return start;
  });
  return (index) => {
    const file = path.join(folder, String(index));
    const from = journal.steps[index]?.from;
    const offset = offsets[index];
    if (from === undefined || offset === undefined || !isSmall(from) || fs.existsSync(file))
      return file;
    writeFileAtomic(file, rangeOf(path.join(folder, packName), offset, from.size), {
      durable: false,
    });
    return file;
  };
}

/** Paths whose saved bytes are missing or not the ones that were saved, and why. Reads only. */
export function faultsOfRedoPoint(
  home: string,
  root: Root,
  journal: Journal,
): readonly { readonly path: string; readonly fault: string }[] {
  const folder = savedFolder(home, root, journal);
  let end = 0;
  return journal.steps.flatMap(({ path: key, from }, index) => {
    if (from.kind !== 'file') return [];
    const offset = end;
    if (isSmall(from)) end += from.size;
    const fault = faultOfSaved(folder, index, from, offset);
    return fault === undefined ? [] : [{ path: key, fault }];
  });
}

function faultOfSaved(
  folder: string,
  index: number,
  from: FileState,
  offset: number,
): string | undefined {
  const file = path.join(folder, String(index));
  try {
    const isPacked = isSmall(from) && !fs.existsSync(file);
    const sha256 = isPacked
      ? hashBytes(rangeOf(path.join(folder, packName), offset, from.size))
      : hashFile(file).sha256;
    return sha256 === from.sha256 ? undefined : 'Its saved bytes are not the ones that were saved.';
  } catch (error) {
    return `Its saved bytes cannot be read (${messageOf(error)}).`;
  }
}

export function changedMeanwhile(name: string): UserError {
  return new UserError(
    'fileSystem',
    `${name} changed while the operation ran. Everything was put back; try again.`,
    { path: name },
  );
}

function savedFolder(home: string, root: Root, { operation }: Journal): string {
  return path.join(operationFolder(home, root, operation), 'saved');
}

function isSmall(state: PathState): state is FileState {
  return state.kind === 'file' && state.size <= smallFile;
}

function smallBytes(key: string, absolute: string, from: FileState): Buffer {
  const { O_RDONLY, O_NOFOLLOW, O_NONBLOCK } = fs.constants;
  const fd = fs.openSync(absolute, O_RDONLY | (O_NOFOLLOW ?? 0) | (O_NONBLOCK ?? 0));
  try {
    const bytes = readFully(fd, from.size + 1, null);
    if (bytes.length !== from.size || hashBytes(bytes) !== from.sha256) throw changedMeanwhile(key);
    return bytes;
  } finally {
    fs.closeSync(fd);
  }
}

function saveLarge(key: string, absolute: string, from: FileState, saved: string): void {
  fs.copyFileSync(absolute, saved, fs.constants.COPYFILE_FICLONE);
  fs.chmodSync(saved, 0o600);
  syncFile(saved);
  if (hashFile(saved).sha256 !== from.sha256) throw changedMeanwhile(key);
}

function rangeOf(file: string, offset: number, size: number): Buffer {
  const fd = fs.openSync(file, 'r');
  try {
    return readFully(fd, size, offset);
  } finally {
    fs.closeSync(fd);
  }
}

/** Up to `size` bytes: fewer only at the end of the file. */
function readFully(fd: number, size: number, position: number | null): Buffer {
  const bytes = Buffer.alloc(size);
  let total = 0;
  while (total < size) {
    const at = position === null ? null : position + total;
    const read = fs.readSync(fd, bytes, total, size - total, at);
    if (read === 0) break;
    total += read;
  }
  return bytes.subarray(0, total);
}
