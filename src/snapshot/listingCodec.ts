/**
 * Listed folders in columns, for the way between threads: copying a hundred thousand small objects takes longer than
 * listing them.
 */
import { compareEntries } from '../git/gitObject.ts';
import { forced, type Rows, type SkipReason, unread } from './fileTable.ts';
import { isFolderMode, type ListedEntry, type ListedFolder } from './listTree.ts';

export interface EncodedListing {
  /** Parents first. */
  readonly folders: readonly {
    readonly path: string;
    readonly onlyTracked: boolean;
    readonly count: number;
    readonly skipped: readonly (readonly [string, SkipReason])[];
  }[];
  /** Of all entries in turn, those of a folder in git's order, NUL between; names hold none. */
  readonly names: string;
  /** First the folders' own, then the entries'. */
  readonly rows: Rows;
}

export function encodeListing(unsorted: readonly ListedFolder[]): EncodedListing {
  const listed = unsorted.map((folder) => ({ ...folder, entries: inOrder(folder.entries) }));
  const total = listed.reduce((sum, folder) => sum + folder.entries.length, listed.length);
  const rows: Rows = {
    mtime: new BigInt64Array(total),
    ctime: new BigInt64Array(total),
    ino: new BigUint64Array(total),
    size: new Float64Array(total),
    mode: new Uint32Array(total),
    flags: new Uint8Array(total),
  };
  const names: string[] = [];
  let at = 0;
  const put = ({ mtimeNs, ctimeNs, ino, size, mode, isForced }: Omit<ListedEntry, 'name'>) => {
    rows.mtime[at] = mtimeNs;
    rows.ctime[at] = ctimeNs;
    rows.ino[at] = ino;
    rows.size[at] = size;
    rows.mode[at] = mode;
    rows.flags[at++] = isForced ? unread | forced : unread;
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
  return { folders, names: names.join('\0'), rows };
}

/** What may be moved instead of copied. */
export function buffersOf({ rows }: EncodedListing): readonly ArrayBuffer[] {
  return Object.values(rows).map(({ buffer }) => buffer);
}

function inOrder(entries: readonly ListedEntry[]): readonly ListedEntry[] {
  return entries
    .map((entry) => ({ entry, name: entry.name, isFolder: isFolderMode(entry.mode) }))
    .sort(compareEntries)
    .map(({ entry }) => entry);
}
