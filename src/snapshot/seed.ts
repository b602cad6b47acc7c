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
import type { TrackedPaths } from '../git/trackedPaths.ts';
import { userRepository } from '../git/userRepository.ts';
import { isRacyAt } from './applyListing.ts';
import { type FileTable, type Folder, join, racy, unread } from './fileTable.ts';

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
  const take = (entry: number, position: number, at: () => string): boolean => {
    if (!tracked.proves(position, table.columns, entry, table.gitMode(entry), stat.mtimeNs))
      return false;
    if (converts !== convertsNone && converts(at())) return false;
    const known = tracked.idAt(position);
    if (!store.hasPacked(known)) {
      const id = Buffer.from(known).toString('hex');
      if (!store.has(id) && !borrowLoose(folders, objects, id)) return false;
    }
    table.ids.set(known, entry * 20);
    table.setFlag(entry, unread, false);
    table.setFlag(entry, racy, isRacyAt(table, entry, input.start));
    return true;
  };
  // The table's order is the index's, so that the next file mostly is the next entry.
  let position = 0;
  const visit = (folder: Folder): void => {
    const prefix = nameToBytes(folder.path === '' ? '' : `${folder.path}/`);
    for (const entry of folder.children) {
      const inner = table.folderOf(entry);
      if (inner) {
        visit(inner);
        continue;
      }
      const name = table.names[entry] ?? '';
      const at = () => join(folder.path, name);
      const found = tracked.isAt(position, prefix, name) ? position : tracked.find(at());
      if (found >= 0) position = found + 1;
      if (found < 0 || !take(entry, found, at)) left.add(entry);
    }
  };
  if (table.root) visit(table.root);
  store.refresh();
  return left;
}

function attributeFolders(table: FileTable): readonly string[] {
  const found: string[] = [];
  for (const folder of table.folders)
    if (folder && table.childNamed(folder, '.gitattributes') !== undefined) found.push(folder.path);
  return found;
}
