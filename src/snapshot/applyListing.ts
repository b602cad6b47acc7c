/** Brings the table in line with folders that were listed anew. Decides what has to be read; reads nothing. */
import { ignoreFile } from './captureRules.ts';
import {
  type FileTable,
  type Folder,
  forced,
  racy,
  type Stamp,
  typeBits,
  unread,
} from './fileTable.ts';
import { type EncodedListing, forcedBit } from './listingCodec.ts';
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

/** As `applyListing`, for folders of which the table knows nothing yet, as threads list them. @param toRead is added to */
export function applyNewListing(
  table: FileTable,
  { folders, names: joined, times, sizes, modes }: EncodedListing,
  start: number,
  toRead: Set<number>,
): void {
  const names = joined.split('\0');
  const halves = new Int32Array(times.buffer, times.byteOffset, times.length * 2);
  const known = new Map<string, Folder>();
  let next = 0;
  folders.forEach(({ path, onlyTracked, count, skipped }, index) => {
    const first = folders.length + next;
    const folder = known.get(path) ?? folderAt(table, path);
    next += count;
    if (folder === undefined) return;
    table.setRow(folder.entry, halves, index, sizes[index] ?? 0, (modes[index] ?? 0) & 0xffff);
    table.setFlag(folder.entry, racy, isRacyAt(table, folder.entry, start));
    table.setFlag(folder.entry, unread, false);
    const children: number[] = [];
    for (let at = first; at < first + count; at++) {
      const mode = (modes[at] ?? 0) & 0xffff;
      const name = names[at - folders.length] ?? '';
      const entry = table.addRow(folder, name, { times: halves, at, size: sizes[at] ?? 0, mode });
      table.setFlag(entry, forced, ((modes[at] ?? 0) & forcedBit) !== 0);
      children.push(entry);
      const inner = isFolderMode(mode) ? table.folderOf(entry) : undefined;
      if (inner) known.set(inner.path, inner);
      else toRead.add(entry);
    }
    table.fillFolder(folder, children);
    folder.onlyTracked = onlyTracked;
    table.setSkipped(folder, new Map(skipped));
  });
}

/**
 * A change within two ticks of the clock may have left the times as they are, so that they prove nothing. Goes by ctime,
 * which nobody can set; by mtime where the file system has none. Whole seconds mean a clock that ticks every two.
 */
export function isRacy({ mtimeNs, ctimeNs }: Stamp, start: number): boolean {
  return isRecent(ctimeNs > 0n ? ctimeNs : mtimeNs, start);
}

/** The same of an entry as the table has it. */
export function isRacyAt({ columns }: FileTable, entry: number, start: number): boolean {
  const ctime = columns.ctime[entry] ?? 0n;
  return isRecent(ctime > 0n ? ctime : (columns.mtime[entry] ?? 0n), start);
}

function isRecent(newest: bigint, start: number): boolean {
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
