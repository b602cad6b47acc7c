/**
 * Reads and changes one file of memory. Only plain files below the memory folder: a link, a FIFO or a device under such a
 * name was put there by somebody who wants something else of us.
 */
import fs from 'node:fs';
import path from 'node:path';
import { makeFolder, removeFile, syncFolder, writeFileAtomic } from '../base/atomicFile.ts';
import { lstatIfExists } from '../base/lstatIfExists.ts';
import { UserError } from '../core/errors.ts';
import { memoryLimits } from '../core/memory.ts';

/** @param largest bytes @returns undefined when nothing is there @throws UserError `fileSystem` for what is no file of memory; system errors. */
export function readMemoryFile(
  file: string,
  largest: number = memoryLimits.fileBytes,
): Buffer | undefined {
  const stat = lstatIfExists(file);
  if (stat === undefined) return undefined;
  const problem = oddity(stat, largest);
  if (problem !== undefined) throw new UserError('fileSystem', `${file} ${problem}`, { file });
  const { O_RDONLY, O_NOFOLLOW, O_NONBLOCK } = fs.constants;
  const fd = fs.openSync(file, O_RDONLY | (O_NOFOLLOW ?? 0) | (O_NONBLOCK ?? 0));
  try {
    return fs.readFileSync(fd);
  } finally {
    fs.closeSync(fd);
  }
}

/** Why this is not read as memory, to be put after its name; undefined for a plain file of a sane size. */
export function oddity(
  stat: fs.Stats,
  largest: number = memoryLimits.fileBytes,
): string | undefined {
  if (stat.isSymbolicLink()) return 'is a link; links are not followed in memory.';
  if (!stat.isFile()) return 'is not a plain file.';
  if (stat.size > largest) return `is larger than ${largest / 1024} KiB.`;
  return undefined;
}

/**
 * Puts these bytes there, or removes the file (null); whole or not at all. Folders on the way are made, links among them
 * refused. @param folder the memory folder @throws UserError `outsideRoot`, `fileSystem`; system errors.
 */
export function putMemoryFile(folder: string, file: string, after: Uint8Array | null): void {
  refuseOddFolders(folder, file);
  const stat = lstatIfExists(file);
  if (stat !== undefined && !stat.isFile())
    throw new UserError('fileSystem', `${file} is not a plain file; it stays as it is.`, { file });
  if (after !== null) {
    makeFolder(path.dirname(file));
    writeFileAtomic(file, after);
  } else if (stat !== undefined) {
    removeFile(file);
    syncFolder(path.dirname(file));
  }
}

function refuseOddFolders(folder: string, file: string): void {
  const parts = path.relative(folder, file).split(path.sep);
  if (parts.includes('..') || path.isAbsolute(parts.join(path.sep)) || parts[0] === '')
    throw new UserError('outsideRoot', `${file} is not in the memory folder.`, { file });
  for (let at = folder, rest = parts; rest.length > 1; rest = rest.slice(1)) {
    at = path.join(at, rest[0] ?? '');
    const stat = lstatIfExists(at);
    if (stat === undefined) return;
    if (!stat.isDirectory())
      throw new UserError('fileSystem', `${at} is not a folder; memory is not written there.`, {
        file: at,
      });
  }
}
