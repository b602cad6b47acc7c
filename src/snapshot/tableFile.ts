/**
 * The table on the disk, so that a new process need not read the work tree again. A cache: whatever is wrong with it, it
 * is left aside and everything is read anew. It belongs to one snapshot, whose tree holds every blob it names.
 */
import fs from 'node:fs';
import zlib from 'node:zlib';
import { isMissing, writeFileAtomic } from '../base/atomicFile.ts';
import type { ObjectId } from '../git/gitObject.ts';
import { bytesToName, nameToBytes } from '../git/pathBytes.ts';
import { FileTable, type Folder, type SkipReason } from './fileTable.ts';
import { isFolderMode } from './listTree.ts';
import type { RuleSources } from './ruleKeeper.ts';

const magic = 'memcode snapshot index 1\n';

export interface SavedTable {
  readonly table: FileTable;
  readonly commit: ObjectId;
  readonly sources: RuleSources;
}

interface Head {
  readonly root: string;
  readonly commit: ObjectId;
  readonly sources: RuleSources;
  readonly count: number;
  readonly namesLength: number;
  /** In the order of the entries: folders with names left out, or of which only tracked files are captured. */
  readonly special: readonly {
    readonly at: number;
    readonly onlyTracked: boolean;
    readonly skipped: readonly (readonly [string, SkipReason])[];
  }[];
}

const widths = [8, 8, 8, 8, 4, 4, 1, 20] as const;

/** Replaces the file whole. Not flushed: losing it costs time only. */
export function saveTable(
  file: string,
  root: string,
  saved: { readonly table: FileTable; readonly commit: ObjectId; readonly sources: RuleSources },
): void {
  const { table, commit, sources } = saved;
  if (table.root === undefined) return;
  const order = preorder(table, table.root);
  const count = order.length;
  const names = nameToBytes(order.map((entry) => table.names[entry] ?? '').join('\0'));
  const special: Head['special'][number][] = [];
  const columns = makeColumns(count);
  const { columns: from } = table;
  order.forEach((entry, i) => {
    columns.mtime[i] = from.mtime[entry] ?? 0n;
    columns.ctime[i] = from.ctime[entry] ?? 0n;
    columns.ino[i] = from.ino[entry] ?? 0n;
    columns.size[i] = from.size[entry] ?? 0;
    columns.mode[i] = from.mode[entry] ?? 0;
    columns.flags[i] = from.flags[entry] ?? 0;
    table.ids.copy(columns.ids, i * 20, entry * 20, entry * 20 + 20);
    const folder = table.folderOf(entry);
    columns.children[i] = folder?.children.length ?? 0;
    if (folder && (folder.skipped.size > 0 || folder.onlyTracked))
      special.push({ at: i, onlyTracked: folder.onlyTracked, skipped: [...folder.skipped] });
  });
  const head: Head = { root, commit, sources, count, namesLength: names.length, special };
  const text = Buffer.from(JSON.stringify(head));
  const length = Buffer.alloc(4);
  length.writeUInt32LE(text.length);
  const body = Buffer.concat([length, text, columns.bytes, names]);
  const sum = Buffer.alloc(4);
  sum.writeUInt32LE(zlib.crc32(body));
  writeFileAtomic(file, Buffer.concat([Buffer.from(magic), sum, body]), { durable: false });
}

/** Undefined when there is none, or it cannot be used. */
export function loadTable(file: string, root: string): SavedTable | undefined {
  const bytes = readAll(file);
  const start = magic.length + 4;
  if (bytes === undefined || bytes.length < start + 4) return undefined;
  if (bytes.toString('latin1', 0, magic.length) !== magic) return undefined;
  const body = bytes.subarray(start);
  if (zlib.crc32(body) !== bytes.readUInt32LE(magic.length)) return undefined;
  const textEnd = 4 + body.readUInt32LE(0);
  const head: Head = JSON.parse(body.toString('utf8', 4, textEnd));
  if (head.root !== root) return undefined;
  const columnsEnd = textEnd + head.count * widths.reduce<number>((sum, width) => sum + width, 0);
  const columns = makeColumns(head.count, body.subarray(textEnd, columnsEnd));
  const names = bytesToName(body.subarray(columnsEnd, columnsEnd + head.namesLength)).split('\0');
  return { table: rebuild(head, columns, names), commit: head.commit, sources: head.sources };
}

/** Parents before their children, the children of one folder in git's order. */
function preorder(table: FileTable, root: Folder): readonly number[] {
  const order: number[] = [];
  const visit = (entry: number) => {
    order.push(entry);
    for (const child of table.folderOf(entry)?.children ?? []) visit(child);
  };
  visit(root.entry);
  return order;
}

function rebuild(head: Head, columns: SavedColumns, names: readonly string[]): FileTable {
  const table = new FileTable(Math.ceil(head.count * 1.2) + 256);
  const special = new Map(head.special.map((row) => [row.at, row]));
  let next = 0;
  const take = (parent: Folder | undefined): number => {
    const i = next++;
    const mode = columns.mode[i] ?? 0;
    const stamp = {
      mtimeNs: columns.mtime[i] ?? 0n,
      ctimeNs: columns.ctime[i] ?? 0n,
      ino: columns.ino[i] ?? 0n,
      size: columns.size[i] ?? 0,
      mode,
    };
    const entry = parent ? table.add(parent, names[i] ?? '', stamp) : table.makeRoot(stamp).entry;
    table.columns.flags[entry] = columns.flags[i] ?? 0;
    columns.ids.copy(table.ids, entry * 20, i * 20, i * 20 + 20);
    const folder = isFolderMode(mode) ? table.folderOf(entry) : undefined;
    if (folder === undefined) return entry;
    const row = special.get(i);
    if (row) {
      table.setSkipped(folder, new Map(row.skipped));
      folder.onlyTracked = row.onlyTracked;
    }
    folder.children = Array.from({ length: columns.children[i] ?? 0 }, () => take(folder));
    folder.isTreeDirty = false;
    return entry;
  };
  take(undefined);
  return table;
}

type SavedColumns = ReturnType<typeof makeColumns>;

/** Columns one after the other, the wide ones first so that each is aligned. */
function makeColumns(count: number, from?: Uint8Array) {
  const total = widths.reduce<number>((sum, width) => sum + width * count, 0);
  const buffer = new ArrayBuffer(total);
  const bytes = Buffer.from(buffer);
  if (from) bytes.set(from);
  let at = 0;
  const next = (width: number) => {
    const start = at;
    at += width * count;
    return start;
  };
  return {
    bytes,
    mtime: new BigInt64Array(buffer, next(8), count),
    ctime: new BigInt64Array(buffer, next(8), count),
    ino: new BigUint64Array(buffer, next(8), count),
    size: new Float64Array(buffer, next(8), count),
    mode: new Uint32Array(buffer, next(4), count),
    children: new Uint32Array(buffer, next(4), count),
    flags: new Uint8Array(buffer, next(1), count),
    ids: Buffer.from(buffer, next(20), count * 20),
  };
}

function readAll(file: string): Buffer | undefined {
  try {
    return fs.readFileSync(file);
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
}
