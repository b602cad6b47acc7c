/**
 * Takes objects of the user's repository into ours by hard links: free, and safe from the user's garbage collection,
 * which unlinks its own names only. Packs whole, loose objects one by one. Copies where links cannot be made.
 */
import fs from 'node:fs';
import path from 'node:path';
import {
  isMissing,
  listIfExists,
  makeFolder,
  readIfExists,
  temporaryName,
} from '../base/atomicFile.ts';
import type { ObjectId } from './gitObject.ts';

const deepestAlternates = 5;

/** The object folder and those it names as alternates. */
export function objectFolders(objects: string, depth = 0): readonly string[] {
  const text = readIfExists(path.join(objects, 'info', 'alternates')) ?? '';
  const more = text
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'))
    .map((line) => path.resolve(objects, line));
  return depth >= deepestAlternates
    ? [objects]
    : [objects, ...more.flatMap((other) => objectFolders(other, depth + 1))];
}

/** Bytes of all packs: what linking may have to copy. */
export function packBytes(folders: readonly string[]): number {
  return packs(folders).reduce((sum, base) => sum + sizeOf(`${base}.pack`), 0);
}

/** Whether a file in `from` can have a second name in `to`. */
export function isSameDevice(from: string, to: string): boolean {
  return fs.statSync(from).dev === fs.statSync(to).dev;
}

/** @param to `objects` of our repository. Packs that vanish meanwhile are left out. */
export function borrowPacks(folders: readonly string[], to: string): void {
  for (const base of packs(folders)) {
    const target = path.join(to, 'pack', path.basename(base));
    if (fs.existsSync(`${target}.idx`)) continue;
    // The index last: a pack exists once its index does.
    if (borrow(`${base}.pack`, `${target}.pack`)) borrow(`${base}.idx`, `${target}.idx`);
  }
}

/** @returns whether one of the folders has it as a loose object */
export function borrowLoose(folders: readonly string[], to: string, id: ObjectId): boolean {
  const name = path.join(id.slice(0, 2), id.slice(2));
  const source = folders
    .map((folder) => path.join(folder, name))
    .find((file) => fs.existsSync(file));
  if (source === undefined) return false;
  makeFolder(path.join(to, id.slice(0, 2)));
  return borrow(source, path.join(to, name));
}

function packs(folders: readonly string[]): readonly string[] {
  return folders.flatMap((folder) =>
    listIfExists(path.join(folder, 'pack'))
      .filter((entry) => /^pack-[0-9a-f]+\.idx$/.test(entry.name))
      .map((entry) => path.join(folder, 'pack', entry.name.slice(0, -4))),
  );
}

function borrow(from: string, to: string): boolean {
  try {
    fs.linkSync(from, to);
    return true;
  } catch (error) {
    if (isMissing(error)) return false;
    if (hasCode(error, 'EEXIST')) return true;
    if (!['EXDEV', 'EPERM', 'EMLINK', 'ENOTSUP'].some((code) => hasCode(error, code))) throw error;
  }
  const temporary = path.join(path.dirname(to), `tmp_${path.basename(temporaryName(to))}`);
  fs.copyFileSync(from, temporary, fs.constants.COPYFILE_FICLONE);
  fs.renameSync(temporary, to);
  return true;
}

function sizeOf(file: string): number {
  return fs.statSync(file, { throwIfNoEntry: false })?.size ?? 0;
}

function hasCode(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code;
}
