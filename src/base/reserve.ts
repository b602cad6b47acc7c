/**
 * A file of nothing in the home store that is given up when the disk is full, so that hooks can still note what an agent does,
 * and say that the disk is full.
 */
import { randomBytes } from 'node:crypto';
import fs from 'node:fs';
import { systemCode } from '../core/errors.ts';

/** Bytes: room for some dozen small files, each of which takes a block. */
const size = 128 * 1024;

/** Makes it where it is missing and there is room for twice as much. @throws the system error */
export function keepReserve(file: string, folder: string): void {
  if (fs.existsSync(file) || roomIn(folder) < 2 * size) return;
  // Of random bytes, which no file system can keep in less.
  fs.writeFileSync(file, randomBytes(size), { mode: 0o600 });
}

/** Before anything is written: a write that failed in the middle of things would be too late. @returns whether it was given up now */
export function giveUpReserve(file: string, folder: string): boolean {
  if (roomIn(folder) >= size || !fs.existsSync(file)) return false;
  fs.rmSync(file, { force: true });
  return true;
}

/** Bytes; unlimited where the system cannot tell: it is no reason not to record. */
function roomIn(folder: string): number {
  try {
    const { bavail, bsize } = fs.statfsSync(folder);
    return bavail * bsize;
  } catch (error) {
    if (systemCode(error) === undefined) throw error;
    return Number.POSITIVE_INFINITY;
  }
}
