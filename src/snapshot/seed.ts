/**
 * The first snapshot of a git project need not read every file: the user's index names the blob of each one that is as it
 * was when git looked. Those blobs are taken over by hard links. What git converts on the way in, what is too fresh to be
 * sure of, and whatever cannot be had, is left to be read.
 */
import fs from 'node:fs';
import path from 'node:path';
import {
  borrowLoose,
  borrowPacks,
  isSameDevice,
  objectFolders,
  packBytes,
} from '../git/borrowObjects.ts';
import { conversionsOf, convertsAll, convertsNone, type GitSettings } from '../git/conversions.ts';
import type { ObjectStore } from '../git/objectStore.ts';
import { nameToBytes } from '../git/pathBytes.ts';
import type { IndexEntry, TrackedPaths } from '../git/trackedPaths.ts';
import { userRepository } from '../git/userRepository.ts';
import { isRacyAt } from './applyListing.ts';
import { type FileTable, join, racy, unread } from './fileTable.ts';

/** More than this is not copied to another device; reading the files is then cheaper. */
const mostCopied = 512 << 20;

export interface SeedInput {
  readonly root: string;
  readonly table: FileTable;
  readonly tracked: TrackedPaths;
  /** All files and links of the table: what would have to be read. */
  readonly entries: ReadonlySet<number>;
  readonly store: ObjectStore;
  /** `objects` of our repository. */
  readonly objects: string;
  readonly environment: NodeJS.ProcessEnv;
  readonly settings: GitSettings;
  /** When looking began, milliseconds. */
  readonly start: number;
}

/** Gives entries their ids without reading them. @returns those that still have to be read */
export function seedFromIndex(input: SeedInput): ReadonlySet<number> {
  const { root, table, tracked, entries, store, objects } = input;
  const repository = userRepository(root);
  if (repository === undefined || tracked.count === 0) return entries;
  const stat = fs.statSync(path.join(repository.gitFolder, 'index'), { bigint: true });
  const converts = conversionsOf({
    root,
    commonFolder: repository.commonFolder,
    attributeFolders: attributeFolders(table),
    environment: input.environment,
    settings: input.settings,
  });
  if (converts === convertsAll) return entries;
  const folders = objectFolders(path.join(repository.commonFolder, 'objects'));
  const isNear = folders.every((folder) => fs.existsSync(folder) && isSameDevice(folder, objects));
  if (!isNear && packBytes(folders.filter((folder) => fs.existsSync(folder))) > mostCopied)
    return entries;
  borrowPacks(folders, objects);
  store.refresh();
  const left = new Set<number>();
  const take = (entry: number, known: IndexEntry, at: () => string): boolean => {
    if (!isProven(table, entry, known, stat.mtimeNs)) return false;
    if (converts !== convertsNone && converts(at())) return false;
    if (!store.hasPacked(known.id)) {
      const id = Buffer.from(known.id).toString('hex');
      if (!store.has(id) && !borrowLoose(folders, objects, id)) return false;
    }
    table.ids.set(known.id, entry * 20);
    table.setFlag(entry, unread, false);
    table.setFlag(entry, racy, isRacyAt(table, entry, input.start));
    return true;
  };
  for (const folder of table.folders) {
    if (folder === undefined) continue;
    const prefix = nameToBytes(folder.path === '' ? '' : `${folder.path}/`);
    // Between two files the index may go through folders: the next one is then searched for.
    let position = -1;
    for (const entry of folder.children) {
      if (table.isFolder(entry)) continue;
      const name = table.names[entry] ?? '';
      const at = () => join(folder.path, name);
      if (!tracked.isAt(position, prefix, name)) position = tracked.find(at());
      if (position < 0 || !take(entry, tracked.entry(position++), at)) left.add(entry);
    }
  }
  store.refresh();
  return left;
}

/** The index says of which file it speaks, and that it looked after the last change. */
function isProven(table: FileTable, entry: number, known: IndexEntry, indexTime: bigint): boolean {
  const { mtime, ctime, ino, size } = table.columns;
  return (
    known.isPlain &&
    known.mode === table.gitMode(entry) &&
    known.mtimeNs === mtime[entry] &&
    known.ctimeNs === ctime[entry] &&
    known.mtimeNs < indexTime &&
    known.ctimeNs < indexTime &&
    known.size === size[entry] &&
    BigInt(known.ino) === ((ino[entry] ?? 0n) & 0xffff_ffffn)
  );
}

function attributeFolders(table: FileTable): readonly string[] {
  const found: string[] = [];
  for (const folder of table.folders)
    if (folder && table.childNamed(folder, '.gitattributes') !== undefined) found.push(folder.path);
  return found;
}
