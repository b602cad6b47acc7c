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
import { conversionsOf, convertsNone, type GitSettings } from '../git/conversions.ts';
import type { ObjectStore } from '../git/objectStore.ts';
import type { TrackedPaths } from '../git/trackedPaths.ts';
import { userRepository } from '../git/userRepository.ts';
import { isRacyAt } from './applyListing.ts';
import { type FileTable, type Folder, join, racy, unread } from './fileTable.ts';

/** More than this is not copied to another device; reading the files is then cheaper. */
const mostCopied = 512 << 20;

export interface SeedInput {
  readonly root: string;
  /** What the index says, as it was read before looking began. */
  readonly tracked: () => TrackedPaths;
  readonly store: ObjectStore;
  /** `objects` of our repository. */
  readonly objects: string;
  readonly environment: NodeJS.ProcessEnv;
  readonly settings: () => Promise<GitSettings>;
  /** When looking began, milliseconds. */
  readonly start: number;
}

/** The user's repository, its objects at hand in ours. */
interface Source {
  readonly commonFolder: string;
  /** Its object folders. */
  readonly folders: readonly string[];
  readonly tracked: TrackedPaths;
  /** Of the index, nanoseconds. */
  readonly writtenAt: bigint;
}

/** Gives entries their ids while the work tree is still being listed. For one look at everything, in a new table. */
export class Seeder {
  readonly #input: SeedInput;
  #source: Source | 'none' | undefined;
  #settings: Promise<GitSettings> | undefined;
  /** Where the last one stood. Files come in the index's order, so that the next mostly is the next entry. */
  #position = -1;

  constructor(input: SeedInput) {
    this.#input = input;
  }

  /** @param files files and links of a folder, in git's order, with their stat data. @returns those that must be read */
  take(table: FileTable, folder: Folder, files: readonly number[]): readonly number[] {
    this.#source ??= openSource(this.#input) ?? 'none';
    // Asked for now, since git takes a while to answer.
    this.#settings ??= this.#input.settings();
    const source = this.#source;
    if (source === 'none') return files;
    const first = this.#positionOf(source.tracked, table, folder, files);
    const left: number[] = [];
    files.forEach((entry, i) => {
      const name = table.names[entry] ?? '';
      const position =
        first === undefined ? source.tracked.find(join(folder.path, name)) : first + i;
      if (position >= 0) this.#position = position;
      if (position < 0 || !this.#takeOne(source, table, entry, position)) left.push(entry);
    });
    return left;
  }

  /** When all is listed. @param toRead what git converts, and so has other bytes for, is added to it */
  async finish(table: FileTable, toRead: Set<number>): Promise<void> {
    const source = this.#source;
    if (source === undefined || source === 'none') return;
    this.#input.store.refresh();
    const converts = conversionsOf({
      root: this.#input.root,
      commonFolder: source.commonFolder,
      attributeFolders: attributeFolders(table),
      environment: this.#input.environment,
      settings: await this.#settings,
    });
    if (converts === convertsNone) return;
    for (const folder of table.folders)
      for (const entry of folder?.children ?? []) {
        if (table.isFolder(entry) || toRead.has(entry)) continue;
        if (!converts(table.pathOf(entry))) continue;
        table.setFlag(entry, unread, true);
        toRead.add(entry);
      }
  }

  /** Where the first of them stands, if the others follow it. */
  #positionOf(
    tracked: TrackedPaths,
    table: FileTable,
    folder: Folder,
    files: readonly number[],
  ): number | undefined {
    const names = files.map((entry) => table.names[entry] ?? '');
    const prefix = folder.path === '' ? '' : `${folder.path}/`;
    const next = this.#position + 1;
    if (tracked.areAt(next, prefix, names)) return next;
    const found = tracked.find(`${prefix}${names[0]}`);
    return found >= 0 && tracked.areAt(found, prefix, names) ? found : undefined;
  }

  #takeOne(source: Source, table: FileTable, entry: number, position: number): boolean {
    const { tracked, writtenAt } = source;
    const { columns } = table;
    if (!tracked.proves(position, columns, entry, table.gitMode(entry), writtenAt)) return false;
    const known = tracked.idAt(position);
    if (!this.#has(source, known)) return false;
    table.ids.set(known, entry * 20);
    table.setFlag(entry, unread, false);
    table.setFlag(entry, racy, isRacyAt(columns, entry, this.#input.start));
    return true;
  }

  #has({ folders }: Source, known: Uint8Array): boolean {
    const { store, objects } = this.#input;
    if (store.hasPacked(known)) return true;
    const id = Buffer.from(known).toString('hex');
    return store.has(id) || borrowLoose(folders, objects, id);
  }
}

/** Undefined when there is nothing to take over, or reading the files is cheaper. */
function openSource({ root, tracked, store, objects }: SeedInput): Source | undefined {
  const repository = userRepository(root);
  const index = tracked();
  if (repository === undefined || index.count === 0) return undefined;
  const { gitFolder, commonFolder } = repository;
  const written = fs.statSync(path.join(gitFolder, 'index'), {
    bigint: true,
    throwIfNoEntry: false,
  });
  if (written === undefined) return undefined;
  const folders = objectFolders(path.join(commonFolder, 'objects'));
  const isNear = folders.every((folder) => fs.existsSync(folder) && isSameDevice(folder, objects));
  if (!isNear && packBytes(folders.filter((folder) => fs.existsSync(folder))) > mostCopied)
    return undefined;
  borrowPacks(folders, objects);
  store.refresh();
  return { commonFolder, folders, tracked: index, writtenAt: written.mtimeNs };
}

function attributeFolders(table: FileTable): readonly string[] {
  const found: string[] = [];
  for (const folder of table.folders)
    if (folder && table.childNamed(folder, '.gitattributes') !== undefined) found.push(folder.path);
  return found;
}
