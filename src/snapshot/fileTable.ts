/**
 * What the engine knows of the work tree: one entry a captured path with its stat data and blob or tree id, in columns of
 * shared memory that worker threads read, and the folders that hold them. Knows nothing of the disk.
 */
import {
  compareEntries,
  executableMode,
  fileMode,
  folderMode,
  linkMode,
} from '../git/gitObject.ts';

/** Why something in a folder is not captured. */
export type SkipReason = 'ignored' | 'excluded' | 'tooLarge' | 'special' | 'unreadable';

export interface Folder {
  readonly index: number;
  readonly entry: number;
  readonly parent: Folder | undefined;
  /** '' for the root. */
  readonly path: string;
  /** Entries in git's order. */
  children: readonly number[];
  /** Names that are there and are not captured. */
  skipped: ReadonlyMap<string, SkipReason>; // set by `setSkipped`
  /** Ignored as a whole: only what the user's git tracks is captured. */
  onlyTracked: boolean;
  isTreeDirty: boolean;
}

/** The stat data that tells one state of a path from another. */
export interface Stamp {
  readonly mtimeNs: bigint;
  readonly ctimeNs: bigint;
  readonly ino: bigint;
  readonly size: number;
  /** Type and permission bits. */
  readonly mode: number;
}

export interface Columns<B extends ArrayBufferLike = ArrayBufferLike> {
  readonly mtime: BigInt64Array<B>;
  readonly ctime: BigInt64Array<B>;
  readonly ino: BigUint64Array<B>;
  readonly size: Float64Array<B>;
  readonly mode: Uint32Array<B>;
  readonly flags: Uint8Array<B>;
}

/** Columns on their way from a thread: memory that can be moved. */
export type Rows = Columns<ArrayBuffer>;

/** Changed so shortly before it was read that its times cannot tell a later change. */
export const racy = 1;
/** Captured only because the user's git tracks it. */
export const forced = 2;
/** Never read yet. */
export const unread = 4;

export const typeBits = 0o170000;
const folderType = 0o040000;
const linkType = 0o120000;

export class FileTable {
  columns: Columns;
  /** 20 bytes an entry. */
  ids: Buffer;
  /** Counts up when the columns are replaced by larger ones. */
  generation = 0;
  /** Folders that worker threads have not been told of; undefined content means removed. */
  readonly untold = new Set<number>();
  /** Folders that have come since somebody cleared this. */
  readonly unwatched = new Set<number>();
  /** Counts up when what trees cannot hold may be another: modes, what is left out, which paths there are. */
  sideVersion = 0;
  readonly names: string[] = [];
  readonly folders: (Folder | undefined)[] = [];
  readonly #folderOf = new Map<number, Folder>();
  readonly #parentOf: Folder[] = [];
  readonly #free: number[] = [];
  readonly #freeFolders: number[] = [];

  constructor(capacity = 1024) {
    this.columns = makeColumns(capacity);
    this.ids = Buffer.alloc(capacity * 20);
  }

  get root(): Folder | undefined {
    return this.folders[0];
  }

  /** Entries in use, the root's own included. */
  get count(): number {
    return this.names.length - this.#free.length;
  }

  get folderCount(): number {
    return this.#folderOf.size;
  }

  makeRoot(stamp: Stamp): Folder {
    const entry = this.#allocate('');
    this.setStamp(entry, stamp);
    return this.#makeFolder(entry, undefined, '');
  }

  /**
   * Adds many entries at once, from rows of which the first `skip` are left out; `place` then says where each belongs. Makes
   * no objects, since there may be a hundred thousand of them.
   * @returns the first entry; the others follow it
   */
  addRows(names: readonly string[], rows: Rows, skip: number): number {
    const first = this.names.length;
    const count = rows.mode.length - skip;
    if (first + count > this.columns.mode.length)
      this.#grow(Math.max(1024, Math.ceil((first + count) * 1.5)));
    const { mtime, ctime, ino, size, mode, flags } = this.columns;
    mtime.set(rows.mtime.subarray(skip), first);
    ctime.set(rows.ctime.subarray(skip), first);
    ino.set(rows.ino.subarray(skip), first);
    size.set(rows.size.subarray(skip), first);
    mode.set(rows.mode.subarray(skip), first);
    flags.set(rows.flags.subarray(skip), first);
    for (let i = 0; i < count; i++) this.names.push(names[i] ?? '');
    this.sideVersion++;
    return first;
  }

  /** @returns the folder that an added entry is, if it is one */
  place(entry: number, parent: Folder): Folder | undefined {
    this.#parentOf[entry] = parent;
    return this.isFolder(entry)
      ? this.#makeFolder(entry, parent, join(parent.path, this.names[entry] ?? ''))
      : undefined;
  }

  /** As `setStamp`, from a row. */
  setRow(entry: number, rows: Rows, at: number): void {
    const { mtime, ctime, ino, size } = this.columns;
    mtime[entry] = rows.mtime[at] ?? 0n;
    ctime[entry] = rows.ctime[at] ?? 0n;
    ino[entry] = rows.ino[at] ?? 0n;
    size[entry] = rows.size[at] ?? 0;
    this.#setMode(entry, rows.mode[at] ?? 0);
  }

  /** The children of a folder that had none. @param children in git's order */
  fillFolder(folder: Folder, children: readonly number[]): void {
    folder.children = children;
    this.untold.add(folder.index);
    this.markDirty(folder);
  }

  /** Adds a child; the caller puts it into the folder's `children` by `setChildren`. */
  add(parent: Folder, name: string, stamp: Stamp): number {
    const entry = this.#allocate(name);
    this.#parentOf[entry] = parent;
    this.setStamp(entry, stamp);
    if ((stamp.mode & typeBits) === folderType)
      this.#makeFolder(entry, parent, join(parent.path, name));
    return entry;
  }

  /** @param children in any order; those no longer named are removed with all below them */
  setChildren(folder: Folder, children: readonly number[]): void {
    if (folder.children.length > 0) {
      const kept = new Set(children);
      for (const old of folder.children) if (!kept.has(old)) this.#remove(old);
    }
    folder.children = children
      .map((entry) => ({ entry, name: this.names[entry] ?? '', isFolder: this.isFolder(entry) }))
      .sort(compareEntries)
      .map(({ entry }) => entry);
    this.untold.add(folder.index);
    this.markDirty(folder);
  }

  /** The trees of this folder and of those above it must be built anew. */
  markDirty(folder: Folder): void {
    for (let at: Folder | undefined = folder; at && !at.isTreeDirty; at = at.parent)
      at.isTreeDirty = true;
  }

  folderOf(entry: number): Folder | undefined {
    return this.#folderOf.get(entry);
  }

  parentOf(entry: number): Folder {
    const parent = this.#parentOf[entry];
    if (parent === undefined) throw new Error('The root has no parent.');
    return parent;
  }

  pathOf(entry: number): string {
    const own = this.#folderOf.get(entry);
    return own ? own.path : join(this.parentOf(entry).path, this.names[entry] ?? '');
  }

  isFolder(entry: number): boolean {
    return ((this.columns.mode[entry] ?? 0) & typeBits) === folderType;
  }

  isLink(entry: number): boolean {
    return ((this.columns.mode[entry] ?? 0) & typeBits) === linkType;
  }

  childNamed(folder: Folder, name: string): number | undefined {
    return folder.children.find((entry) => this.names[entry] === name);
  }

  /** The deepest known folder on the way to a path, and what remains of it. */
  deepest(path: string): { readonly folder: Folder; readonly rest: readonly string[] } | undefined {
    let folder = this.root;
    if (folder === undefined) return undefined;
    const segments = path === '' ? [] : path.split('/');
    for (const [at, segment] of segments.entries()) {
      const child = this.childNamed(folder, segment);
      const next: Folder | undefined = child === undefined ? undefined : this.folderOf(child);
      if (next === undefined) return { folder, rest: segments.slice(at) };
      folder = next;
    }
    return { folder, rest: [] };
  }

  /** This folder and all below it. */
  *subtree(folder: Folder): Generator<Folder> {
    yield folder;
    for (const child of folder.children) {
      const inner = this.folderOf(child);
      if (inner) yield* this.subtree(inner);
    }
  }

  stampEquals(entry: number, stamp: Stamp): boolean {
    const c = this.columns;
    return (
      c.mtime[entry] === stamp.mtimeNs &&
      c.ctime[entry] === stamp.ctimeNs &&
      c.ino[entry] === stamp.ino &&
      c.size[entry] === stamp.size &&
      c.mode[entry] === stamp.mode
    );
  }

  setStamp(entry: number, stamp: Stamp): void {
    const c = this.columns;
    c.mtime[entry] = stamp.mtimeNs;
    c.ctime[entry] = stamp.ctimeNs;
    c.ino[entry] = stamp.ino;
    c.size[entry] = stamp.size;
    this.#setMode(entry, stamp.mode);
  }

  #setMode(entry: number, mode: number): void {
    if (this.columns.mode[entry] !== mode) this.sideVersion++;
    this.columns.mode[entry] = mode;
  }

  setSkipped(folder: Folder, skipped: ReadonlyMap<string, SkipReason>): void {
    const old = folder.skipped;
    const isSame =
      old.size === skipped.size && [...skipped].every(([name, why]) => old.get(name) === why);
    if (!isSame) this.sideVersion++;
    folder.skipped = skipped;
  }

  hasFlag(entry: number, flag: number): boolean {
    return ((this.columns.flags[entry] ?? 0) & flag) !== 0;
  }

  setFlag(entry: number, flag: number, isSet: boolean): void {
    const flags = this.columns.flags[entry] ?? 0;
    this.columns.flags[entry] = isSet ? flags | flag : flags & ~flag;
  }

  idOf(entry: number): Buffer {
    return this.ids.subarray(entry * 20, entry * 20 + 20);
  }

  /** The mode git records. */
  gitMode(entry: number): number {
    const mode = this.columns.mode[entry] ?? 0;
    if ((mode & typeBits) === folderType) return folderMode;
    if ((mode & typeBits) === linkType) return linkMode;
    return mode & 0o100 ? executableMode : fileMode;
  }

  #remove(entry: number): void {
    this.sideVersion++;
    const folder = this.#folderOf.get(entry);
    if (folder) {
      for (const child of folder.children) this.#remove(child);
      this.#folderOf.delete(entry);
      this.folders[folder.index] = undefined;
      this.#freeFolders.push(folder.index);
      this.untold.add(folder.index);
    }
    this.names[entry] = '';
    this.columns.flags[entry] = 0;
    this.#free.push(entry);
  }

  #allocate(name: string): number {
    const freed = this.#free.pop();
    const entry = freed ?? this.names.length;
    if (entry >= this.columns.mode.length) this.#grow(Math.max(1024, Math.ceil(entry * 1.5)));
    this.sideVersion++;
    this.names[entry] = name;
    this.columns.flags[entry] = unread;
    if (freed !== undefined) this.ids.fill(0, entry * 20, entry * 20 + 20);
    return entry;
  }

  #makeFolder(entry: number, parent: Folder | undefined, path: string): Folder {
    const index = this.#freeFolders.pop() ?? this.folders.length;
    const folder: Folder = {
      index,
      entry,
      parent,
      path,
      children: [],
      skipped: new Map(),
      onlyTracked: false,
      isTreeDirty: true,
    };
    this.folders[index] = folder;
    this.#folderOf.set(entry, folder);
    this.untold.add(index);
    this.unwatched.add(index);
    return folder;
  }

  #grow(capacity: number): void {
    const old = this.columns;
    const next = makeColumns(capacity);
    next.mtime.set(old.mtime);
    next.ctime.set(old.ctime);
    next.ino.set(old.ino);
    next.size.set(old.size);
    next.mode.set(old.mode);
    next.flags.set(old.flags);
    this.columns = next;
    const ids = Buffer.alloc(capacity * 20);
    this.ids.copy(ids);
    this.ids = ids;
    this.generation++;
  }
}

export function join(folder: string, name: string): string {
  return folder === '' ? name : `${folder}/${name}`;
}

function makeColumns(capacity: number): Columns {
  const bytes = (width: number) => new SharedArrayBuffer(capacity * width);
  return {
    mtime: new BigInt64Array(bytes(8)),
    ctime: new BigInt64Array(bytes(8)),
    ino: new BigUint64Array(bytes(8)),
    size: new Float64Array(bytes(8)),
    mode: new Uint32Array(bytes(4)),
    flags: new Uint8Array(bytes(1)),
  };
}
