/** Brings the table in line with folders that were listed anew. Decides what has to be read; reads nothing. */
import { ignoreFile } from './captureRules.ts';
import {
  type Columns,
  type FileTable,
  type Folder,
  forced,
  racy,
  type Stamp,
  typeBits,
  unread,
} from './fileTable.ts';
import type { EncodedListing } from './listingCodec.ts';
import { isFolderMode, type ListedEntry, type ListedFolder } from './listTree.ts';

export interface Applied {
  /** Files and links that are new or differ. */
  readonly toRead: readonly number[];
  /** Folders whose `.gitignore` came, went or differs. */
  readonly newRules: readonly Folder[];
}

/** @param start when the listing began, milliseconds: for the rule about recent changes */
export function applyListing(
  table: FileTable,
  listed: readonly ListedFolder[],
  start: number,
): Applied {
  const toRead: number[] = [];
  const newRules: Folder[] = [];
  const known = new Map<string, Folder>();
  for (const listing of listed) {
    const folder = known.get(listing.path) ?? folderAt(table, listing.path);
    if (folder === undefined) continue;
    table.setStamp(folder.entry, listing.stamp);
    table.setFlag(folder.entry, racy, isRacy(listing.stamp, start));
    table.setFlag(folder.entry, unread, false);
    folder.onlyTracked = listing.onlyTracked;
    const before = readIgnore(table, folder);
    const changedBefore = toRead.length;
    applyFolder(table, folder, listing, toRead);
    for (const child of folder.children) {
      const inner = table.folderOf(child);
      if (inner) known.set(inner.path, inner);
    }
    const after = readIgnore(table, folder);
    if (before !== after || (after !== undefined && toRead.includes(after, changedBefore)))
      newRules.push(folder);
  }
  return { toRead, newRules };
}

/**
 * As `applyListing`, for folders of which the table knows nothing yet, as threads list them.
 * @param onFiles called with the files and links of a folder, those between two folders in it at a time
 * @returns the folders, parents first
 */
export function applyNewListing(
  table: FileTable,
  { folders, names, rows }: EncodedListing,
  start: number,
  onFiles: (folder: Folder, files: readonly number[]) => void,
): readonly Folder[] {
  const first = table.addRows(names.split('\0'), rows, folders.length);
  const known = new Map<string, Folder>();
  const applied: Folder[] = [];
  let next = first;
  folders.forEach(({ path, onlyTracked, count, skipped }, index) => {
    const from = next;
    next += count;
    const folder = known.get(path) ?? folderAt(table, path);
    if (folder === undefined) throw new Error(`${path} was listed before the folder it is in.`);
    table.setRow(folder.entry, rows, index);
    table.setFlag(folder.entry, racy, isRacyAt(table.columns, folder.entry, start));
    table.setFlag(folder.entry, unread, false);
    const children: number[] = [];
    let files: number[] = [];
    for (let entry = from; entry < next; entry++) {
      children.push(entry);
      const inner = table.place(entry, folder);
      if (inner === undefined) {
        files.push(entry);
        continue;
      }
      known.set(inner.path, inner);
      if (files.length > 0) onFiles(folder, files);
      files = [];
    }
    if (files.length > 0) onFiles(folder, files);
    table.fillFolder(folder, children);
    folder.onlyTracked = onlyTracked;
    table.setSkipped(folder, new Map(skipped));
    applied.push(folder);
  });
  return applied;
}

/**
 * A change within two ticks of the clock may have left the times as they are, so that they prove nothing. Goes by ctime,
 * which nobody can set; by mtime where the file system has none. Whole seconds mean a clock that ticks every two.
 */
export function isRacy({ mtimeNs, ctimeNs }: Stamp, start: number): boolean {
  return isRecent(ctimeNs > 0n ? ctimeNs : mtimeNs, start);
}

/** The same of a row of columns. */
export function isRacyAt(
  { mtime, ctime }: Pick<Columns, 'mtime' | 'ctime'>,
  row: number,
  start: number,
): boolean {
  const changed = ctime[row] ?? 0n;
  return isRecent(changed > 0n ? changed : (mtime[row] ?? 0n), start);
}

function isRecent(newest: bigint, start: number): boolean {
  // Most files are older than any clock's tick, which is told without large numbers.
  if (Number(newest) / 1e6 < start - 5000) return false;
  const tick = newest % 1_000_000_000n === 0n ? 2000 : 10;
  return newest >= BigInt(Math.floor(start) - 2 * tick) * 1_000_000n;
}

function applyFolder(
  table: FileTable,
  folder: Folder,
  listing: ListedFolder,
  toRead: number[],
): void {
  const old = new Map(folder.children.map((entry) => [table.names[entry] ?? '', entry]));
  let isSame = old.size === listing.entries.length;
  const children = listing.entries.map((listed) => {
    const known = old.get(listed.name);
    if (known !== undefined && hasSameType(table, known, listed)) {
      refresh(table, known, listed, toRead);
      return known;
    }
    isSame = false;
    const entry = table.add(folder, listed.name, listed);
    table.setFlag(entry, forced, listed.isForced);
    if (!isFolderMode(listed.mode)) toRead.push(entry);
    return entry;
  });
  if (!isSame) table.setChildren(folder, children);
  table.setSkipped(folder, new Map(listing.skipped));
}

function refresh(table: FileTable, entry: number, listed: ListedEntry, toRead: number[]): void {
  table.setFlag(entry, forced, listed.isForced);
  if (isFolderMode(listed.mode)) return;
  if (!table.stampEquals(entry, listed) || table.hasFlag(entry, racy | unread)) toRead.push(entry);
}

function hasSameType(table: FileTable, entry: number, stamp: Stamp): boolean {
  return ((table.columns.mode[entry] ?? 0) & typeBits) === (stamp.mode & typeBits);
}

function readIgnore(table: FileTable, folder: Folder): number | undefined {
  return table.childNamed(folder, ignoreFile);
}

function folderAt(table: FileTable, path: string): Folder | undefined {
  const found = table.deepest(path);
  return found && found.rest.length === 0 ? found.folder : undefined;
}
