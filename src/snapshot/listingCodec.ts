/**
 * Listed folders in columns, for the way between threads: copying a hundred thousand small objects takes longer than
 * listing them.
 */
import { compareEntries } from '../git/gitObject.ts';
import type { SkipReason } from './fileTable.ts';
import { isFolderMode, type ListedEntry, type ListedFolder } from './listTree.ts';

export interface EncodedListing {
  readonly folders: readonly {
    readonly path: string;
    readonly onlyTracked: boolean;
    readonly count: number;
    readonly skipped: readonly (readonly [string, SkipReason])[];
  }[];
  /** Of all entries in turn, those of a folder in git's order, NUL between; names hold none. */
  readonly names: string;
  /** Three a stamp: mtime, ctime, inode. First the folders' own, then the entries'. */
  readonly times: BigInt64Array<ArrayBuffer>;
  readonly sizes: Float64Array<ArrayBuffer>;
  /** The mode, and beyond its sixteen bits whether the entry is forced. */
  readonly modes: Uint32Array<ArrayBuffer>;
}

export const forcedBit = 1 << 16;

export function encodeListing(unsorted: readonly ListedFolder[]): EncodedListing {
  const listed = unsorted.map((folder) => ({ ...folder, entries: inOrder(folder.entries) }));
  const total = listed.reduce((sum, folder) => sum + folder.entries.length, listed.length);
  const times = new BigInt64Array(total * 3);
  const sizes = new Float64Array(total);
  const modes = new Uint32Array(total);
  const names: string[] = [];
  let at = 0;
  const put = (stamp: Omit<ListedEntry, 'name'>) => {
    times[at * 3] = stamp.mtimeNs;
    times[at * 3 + 1] = stamp.ctimeNs;
    times[at * 3 + 2] = BigInt.asIntN(64, stamp.ino);
    sizes[at] = stamp.size;
    modes[at++] = stamp.mode | (stamp.isForced ? forcedBit : 0);
  };
  for (const folder of listed) put({ ...folder.stamp, isForced: false });
  for (const folder of listed)
    for (const entry of folder.entries) {
      put(entry);
      names.push(entry.name);
    }
  const folders = listed.map(({ path, onlyTracked, entries, skipped }) => ({
    path,
    onlyTracked,
    count: entries.length,
    skipped,
  }));
  return { folders, names: names.join('\0'), times, sizes, modes };
}

/** What may be moved instead of copied. */
export function buffersOf({ times, sizes, modes }: EncodedListing): readonly ArrayBuffer[] {
  return [times.buffer, sizes.buffer, modes.buffer];
}

function inOrder(entries: readonly ListedEntry[]): readonly ListedEntry[] {
  return entries
    .map((entry) => ({ entry, name: entry.name, isFolder: isFolderMode(entry.mode) }))
    .sort(compareEntries)
    .map(({ entry }) => entry);
}
