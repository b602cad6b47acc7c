/** The spool: hooks put one file an event into it, whoever opens the timeline takes them in and removes them. */
import fs from 'node:fs';
import path from 'node:path';
import { listIfExists, makeFolder } from './atomicFile.ts';
import { temporaryPrefix } from './temporaryPrefix.ts';

let counter = 0;

/** Sortable by time within a machine, in a process also within a millisecond; unique across processes. */
export function spoolName(at: number): string {
  const order = String(counter++).padStart(6, '0');
  return `${String(at).padStart(15, '0')}-${order}-${process.hrtime()[1]}-${process.pid}`;
}

/**
 * Adds an entry; it appears whole or not at all. Not flushed: a power cut may lose the newest rows of the timeline, never
 * a pre-image, and the manifests tell them again.
 */
export function addToSpool(folder: string, name: string, text: string): void {
  makeFolder(folder);
  const temporary = path.join(folder, `${temporaryPrefix}${name}`);
  try {
    fs.writeFileSync(temporary, text, { mode: 0o600, flag: 'wx' });
    fs.renameSync(temporary, path.join(folder, `${name}.json`));
  } catch (error) {
    // On a full disk the name is there, and what it should hold is not.
    fs.rmSync(temporary, { force: true });
    throw error;
  }
}

/** Full names of the entries, oldest first. */
export function listSpool(folder: string): readonly string[] {
  return listIfExists(folder)
    .filter(
      (entry) => entry.isFile() && entry.name.endsWith('.json') && !entry.name.startsWith('.'),
    )
    .map((entry) => path.join(folder, entry.name))
    .sort();
}
