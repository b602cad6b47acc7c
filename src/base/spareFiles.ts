/**
 * Empty files made ahead of time, for a process that lives on and answers those who wait. Making a file is what such an
 * answer takes longest for: on ext4 the inodes of files deleted within the last minutes are passed over one by one
 * (`recently_deleted` in fs/ext4/ialloc.c), a millisecond a file after a build or a checkout. Written and renamed to where
 * it belongs a spare is like any other temporary.
 */
import fs from 'node:fs';
import path from 'node:path';
import { isAlive } from './platform.ts';
import { temporaryPrefix } from './temporaryPrefix.ts';

interface Spare {
  readonly file: string;
  readonly inode: bigint;
}

/** Undefined in processes that keep none. */
let kept: { readonly folder: string; readonly spares: Spare[] } | undefined;
let counter = 0;

const sparePrefix = `${temporaryPrefix}spare-`;

/** A name that no other process and no other call uses, and that tells whose it is. */
export function spareFileName(): string {
  return `${sparePrefix}${process.pid}-${counter++}`;
}

/**
 * Makes spares for files below `folder` until there are `count`. Those of another folder are given up: a helper serves one
 * root. Call it when nobody waits. @throws system errors.
 */
export function keepSpares(folder: string, count: number): void {
  if (kept?.folder !== folder) dropSpares();
  kept ??= { folder, spares: [] };
  const { spares } = kept;
  while (spares.length < count) {
    const file = path.join(folder, spareFileName());
    const fd = fs.openSync(file, 'wx', 0o600);
    try {
      spares.push({ file, inode: fs.fstatSync(fd, { bigint: true }).ino });
    } finally {
      fs.closeSync(fd);
    }
  }
}

/** An open spare for a file below the folder that has some, to be written and renamed; undefined when there is none. */
export function takeSpare(
  file: string,
): { readonly fd: number; readonly file: string } | undefined {
  const isBelow = kept !== undefined && file.startsWith(kept.folder + path.sep);
  const spare = isBelow ? kept?.spares.pop() : undefined;
  const fd = spare && openSpare(spare);
  return spare && fd !== undefined ? { fd, file: spare.file } : undefined;
}

/** Removes those that are left; the process ends. */
export function dropSpares(): void {
  for (const { file } of kept?.spares ?? []) fs.rmSync(file, { force: true });
  kept = undefined;
}

/** Whether a file of that name is some living process's spare: no leftover, however old. */
export function isSpareInUse(name: string): boolean {
  if (!name.startsWith(sparePrefix)) return false;
  const pid = /^(\d+)-\d+$/.exec(name.slice(sparePrefix.length))?.[1];
  return pid !== undefined && isAlive(Number(pid));
}

/** It lies where agents can write: only the very file that was made is used, and only while nobody else has a part in it. */
function openSpare({ file, inode }: Spare): number | undefined {
  let fd: number;
  try {
    fd = fs.openSync(file, fs.constants.O_WRONLY | (fs.constants.O_NOFOLLOW ?? 0));
  } catch {
    // Swept, or in the way of somebody: a new temporary does as well.
    return undefined;
  }
  const stat = fs.fstatSync(fd, { bigint: true });
  if (stat.isFile() && stat.ino === inode && stat.size === 0n && stat.nlink === 1n) return fd;
  fs.closeSync(fd);
  return undefined;
}
