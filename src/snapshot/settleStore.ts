/**
 * Flushing off the path of a snapshot: packs are written without waiting for the disk and flushed together later. Until
 * then a power cut may tear them. A mark in the store, flushed before the first such snapshot, names the newest snapshot
 * that is safe; a store that has the mark when it is opened is checked, and goes back to that one when a pack is torn.
 */
import { createHash } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import {
  isMissing,
  listIfExists,
  makeFolder,
  readIfExists,
  removeFile,
  syncFile,
  syncFolder,
  writeFileAtomic,
} from '../base/atomicFile.ts';
import { readRef, updateRef } from '../git/bareRepository.ts';
import { mainRef } from './history.ts';
import { sideRef } from './sideRecord.ts';

const refs = [mainRef, sideRef];
const markOf = (folder: string): string => path.join(folder, 'unsettled');

/** Before a snapshot that is not flushed. */
export function markUnsettled(folder: string): void {
  const mark = markOf(folder);
  if (fs.existsSync(mark)) return;
  writeFileAtomic(mark, refs.map((ref) => `${readRef(folder, ref) ?? ''}\n`).join(''));
}

/** Flushes everything written since the mark, and takes it away. */
export function settle(folder: string): void {
  const since = markedAt(folder);
  if (since === undefined) return;
  for (const base of packsSince(folder, since))
    for (const file of [`${base}.pack`, `${base}.idx`]) unlessGone(() => syncFile(file));
  unlessGone(() => syncFolder(path.join(folder, 'objects', 'pack')));
  for (const ref of refs) unlessGone(() => syncFile(path.join(folder, ...ref.split('/'))));
  removeFile(markOf(folder));
}

/**
 * For the start of a process. Torn packs are set aside and main goes back to the newest safe snapshot.
 * @returns how many packs were torn
 */
export function recoverTorn(folder: string): number {
  const since = markedAt(folder);
  if (since === undefined) return 0;
  const torn = packsSince(folder, since).filter(isTorn);
  for (const base of torn)
    for (const suffix of ['.idx', '.pack']) setAside(folder, `${base}${suffix}`);
  if (torn.length > 0) {
    const safe = (readIfExists(markOf(folder)) ?? '').split('\n');
    for (const [i, ref] of refs.entries()) goBack(folder, ref, safe[i] ?? '');
  }
  return torn.length;
}

/** Where git does not look; for whoever wants to know what happened. */
function setAside(folder: string, file: string): void {
  makeFolder(path.join(folder, 'torn'));
  unlessGone(() => fs.renameSync(file, path.join(folder, 'torn', path.basename(file))));
}

function goBack(folder: string, ref: string, safe: string): void {
  const from = readRef(folder, ref);
  if (safe !== '') updateRef(folder, { ref, from, to: safe });
  else fs.rmSync(path.join(folder, ...ref.split('/')), { force: true });
}

function markedAt(folder: string): number | undefined {
  return fs.statSync(markOf(folder), { throwIfNoEntry: false })?.mtimeMs;
}

/** Packs without suffix. Borrowed ones have the times of the user's and are older, or as safe as his. */
function packsSince(folder: string, time: number): readonly string[] {
  const packs = path.join(folder, 'objects', 'pack');
  return listIfExists(packs)
    .filter((entry) => entry.name.endsWith('.idx'))
    .map((entry) => path.join(packs, entry.name.slice(0, -4)))
    .filter(
      (base) =>
        (fs.statSync(`${base}.idx`, { throwIfNoEntry: false })?.mtimeMs ?? 0) >= time - 10_000,
    );
}

function isTorn(base: string): boolean {
  try {
    return [`${base}.pack`, `${base}.idx`].some((file) => !endsInItsHash(file));
  } catch (error) {
    if (isMissing(error)) return !fs.existsSync(`${base}.pack`) && fs.existsSync(`${base}.idx`);
    throw error;
  }
}

function endsInItsHash(file: string): boolean {
  const fd = fs.openSync(file, 'r');
  try {
    const end = fs.fstatSync(fd).size - 20;
    if (end < 12) return false;
    const hash = createHash('sha1');
    const chunk = Buffer.allocUnsafe(1 << 20);
    for (let at = 0; at < end; ) {
      const read = fs.readSync(fd, chunk, 0, Math.min(chunk.length, end - at), at);
      if (read === 0) return false;
      hash.update(chunk.subarray(0, read));
      at += read;
    }
    const stored = Buffer.alloc(20);
    fs.readSync(fd, stored, 0, 20, end);
    return hash.digest().equals(stored);
  } finally {
    fs.closeSync(fd);
  }
}

function unlessGone(work: () => void): void {
  try {
    work();
  } catch (error) {
    if (!isMissing(error)) throw error;
  }
}
