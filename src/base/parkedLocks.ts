/**
 * Locks that a process which lives on lets go by giving the link another name, and takes again by giving it its name back:
 * a second name is made in hundredths of a millisecond where a new link needs an inode (see `spareFiles.ts`). Linux only:
 * elsewhere a second name for a link is one for what the link leads to.
 */
import fs from 'node:fs';
import path from 'node:path';
import { systemCode } from '../core/errors.ts';
import { removeFile } from './atomicFile.ts';
import { spareFileName } from './spareFiles.ts';

interface Parked {
  readonly file: string;
  readonly nonce: string;
}

/** Oldest first. */
const parked = new Map<string, Parked>();
/** A helper has a lock for each session that runs in its folder. */
const most = 8;
let isParking = false;

/** From now on, until `dropParked`. Not for processes that end soon: they would leave the names behind. */
export function parkLocks(platform: NodeJS.Platform): void {
  isParking = platform === 'linux';
}

/** The nonce under which this process had the lock, if its link is still kept. */
export function parkedNonce(lock: string): string | undefined {
  return parked.get(lock)?.nonce;
}

/** @returns false when the link is no longer there to be used. @throws EEXIST when the lock is taken. */
export function unpark(lock: string): boolean {
  const one = parked.get(lock);
  if (one === undefined) return false;
  try {
    // Before the name is there: whoever sees it must see its age.
    const now = new Date();
    fs.lutimesSync(one.file, now, now);
    fs.linkSync(one.file, lock);
    return true;
  } catch (error) {
    if (systemCode(error) === 'EEXIST' || systemCode(error) === undefined) throw error;
    parked.delete(lock);
    return false;
  }
}

/** Lets go of a lock that this process holds under the nonce. @throws system errors. */
export function letGo(lock: string, nonce: string): void {
  if (!isParking || parked.has(lock)) {
    removeFile(lock);
    return;
  }
  const file = path.join(path.dirname(lock), spareFileName());
  fs.renameSync(lock, file);
  parked.set(lock, { file, nonce });
  const [oldest] = parked;
  if (parked.size > most && oldest) forget(...oldest);
}

/** Removes the links; the process ends. */
export function dropParked(): void {
  isParking = false;
  for (const [lock, one] of parked) forget(lock, one);
}

function forget(lock: string, { file }: Parked): void {
  parked.delete(lock);
  removeFile(file);
}
