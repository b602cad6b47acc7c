/** Bytes of the regular files in a folder and below. Links are not followed; a missing folder is empty. */
import fs from 'node:fs';
import path from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { isMissing, listIfExists } from './atomicFile.ts';

/** Bytes by the name of what holds them: a file under two names (hard links) is there once. */
export type Holdings = Map<string, number>;

/** Files that vanish meanwhile count nothing; one with several names counts once. @throws other system errors. */
export function folderSize(folder: string): number {
  return sizeOf(addHoldings(new Map(), folder));
}

/** As `folderSize` for several folders together, with pauses in which others get their turn. */
export async function measuredSize(folders: readonly string[]): Promise<number> {
  const holdings: Holdings = new Map();
  let files = 0;
  for (const folder of folders)
    for (const file of filesBelow(folder)) {
      addFile(holdings, file);
      if (++files % filesAtOnce === 0) await setImmediate();
    }
  return sizeOf(holdings);
}

const filesAtOnce = 200;

/** The same without files that have a name elsewhere too: removing them would free nothing. @throws as above. */
export function ownSize(folder: string): number {
  let bytes = 0;
  for (const file of filesBelow(folder)) {
    const stat = fs.lstatSync(file, { throwIfNoEntry: false });
    if (stat?.nlink === 1) bytes += stat.size;
  }
  return bytes;
}

export function sizeOf(holdings: ReadonlyMap<string, number>): number {
  return [...holdings.values()].reduce((sum, bytes) => sum + bytes, 0);
}

/** Adds what a folder holds. @throws system errors. */
export function addHoldings(holdings: Holdings, folder: string): Holdings {
  for (const file of filesBelow(folder)) addFile(holdings, file);
  return holdings;
}

/** Adds one file. @throws system errors, but for one that is gone. */
export function addFile(holdings: Holdings, file: string): void {
  try {
    const { dev, ino, nlink, size } = fs.lstatSync(file, { bigint: true });
    holdings.set(nlink > 1n ? `${dev}:${ino}` : file, Number(size));
  } catch (error) {
    if (!isMissing(error)) throw error;
  }
}

function* filesBelow(folder: string): Generator<string> {
  for (const entry of listIfExists(folder)) {
    const full = path.join(folder, entry.name);
    if (entry.isDirectory()) yield* filesBelow(full);
    else if (entry.isFile()) yield full;
  }
}
