/** The objects of one repository: packs and loose ones, read only. Looks again when git has repacked them meanwhile. */
import fs from 'node:fs';
import path from 'node:path';
import zlib from 'node:zlib';
import { isMissing, listIfExists } from '../base/atomicFile.ts';
import { UserError } from '../core/errors.ts';
import { type ObjectId, type ObjectKind, objectId } from './gitObject.ts';
import { PackFile, type ReadObject } from './packFile.ts';

export class ObjectStore {
  readonly #folder: string;
  readonly #packs = new Map<string, PackFile>();
  #newestFirst: readonly PackFile[] = [];
  #isLoaded = false;
  #seen = '';
  /** Two digits each; we write none, git and borrowing do. */
  #looseFolders: ReadonlySet<string> = new Set();

  /** @param folder `objects` of the repository; may not exist yet */
  constructor(folder: string) {
    this.#folder = folder;
  }

  has(id: ObjectId): boolean {
    return this.hasRaw(Buffer.from(id, 'hex'), id);
  }

  /** As `has`, for a caller that has the raw id. */
  hasRaw(raw: Uint8Array, id?: ObjectId): boolean {
    if (this.hasPacked(raw)) return true;
    if (this.#looseFolders.size === 0) return false;
    const name = id ?? Buffer.from(raw).toString('hex');
    return this.#looseFolders.has(name.slice(0, 2)) && fs.existsSync(this.#loosePath(name));
  }

  hasPacked(raw: Uint8Array): boolean {
    this.#load();
    return this.#newestFirst.some((pack) => pack.has(raw));
  }

  get packCount(): number {
    this.#load();
    return this.#packs.size;
  }

  /** @throws UserError `damaged` when the object is missing, unreadable, or not what its id says. */
  read(id: ObjectId, kind: ObjectKind): Buffer {
    const found = this.#read(id);
    if (found.kind !== kind || objectId(found.kind, found.bytes) !== id)
      throw damaged(id, new Error(`It is a ${found.kind}, or its bytes changed.`));
    return found.bytes;
  }

  /** Bytes of an object. @throws UserError `damaged`. */
  size(id: ObjectId): number {
    const raw = Buffer.from(id, 'hex');
    return this.#retry(id, () => {
      for (const pack of this.#newestFirst) {
        const size = pack.size(raw);
        if (size !== undefined) return size;
      }
      return this.#readLoose(id)?.bytes.length;
    });
  }

  /** Ids of packed objects with this prefix. */
  withPrefix(prefix: string, limit: number): readonly ObjectId[] {
    this.#load();
    return [...new Set(this.#newestFirst.flatMap((pack) => pack.withPrefix(prefix, limit)))];
  }

  /** A pack that was just written; saves looking at the whole folder again. @param base path without suffix */
  addPack(base: string): void {
    if (!this.#isLoaded || this.#packs.has(path.basename(base))) return;
    const pack = new PackFile(base);
    this.#packs.set(path.basename(base), pack);
    this.#newestFirst = [pack, ...this.#newestFirst];
  }

  /** Looks at the disk again if packs may have come or gone: another process repacked, or wrote. */
  refreshIfChanged(): void {
    if (!this.#isLoaded || this.#folderTime() !== this.#seen) this.refresh();
  }

  /** Looks at the disk again: packs may have come and gone. */
  refresh(): void {
    this.#seen = this.#folderTime();
    const folder = path.join(this.#folder, 'pack');
    const names = listIfExists(folder)
      .map((entry) => /^(pack-[0-9a-f]{40,64})\.idx$/.exec(entry.name)?.[1])
      .filter((name) => name !== undefined);
    const present = new Set(names);
    for (const [name, pack] of this.#packs) {
      if (present.has(name)) continue;
      pack.close();
      this.#packs.delete(name);
    }
    for (const name of names) if (!this.#packs.has(name)) this.#open(name, path.join(folder, name));
    this.#newestFirst = [...this.#packs.values()].reverse();
    this.#looseFolders = new Set(
      listIfExists(this.#folder)
        .map((entry) => entry.name)
        .filter((name) => name.length === 2),
    );
    this.#isLoaded = true;
  }

  close(): void {
    for (const pack of this.#packs.values()) pack.close();
    this.#packs.clear();
    this.#newestFirst = [];
    this.#isLoaded = false;
  }

  #open(name: string, base: string): void {
    try {
      this.#packs.set(name, new PackFile(base));
    } catch (error) {
      if (!isMissing(error)) throw damaged(name, error);
    }
  }

  #folderTime(): string {
    const place = path.join(this.#folder, 'pack');
    const stat = fs.statSync(place, { bigint: true, throwIfNoEntry: false });
    return stat ? `${stat.ino} ${stat.mtimeNs}` : '';
  }

  #load(): void {
    if (!this.#isLoaded) this.refresh();
  }

  #read(id: ObjectId): ReadObject {
    const raw = Buffer.from(id, 'hex');
    return this.#retry(id, () => {
      for (const pack of this.#newestFirst) {
        const found = pack.read(raw, (base) => this.#read(base));
        if (found) return found;
      }
      return this.#readLoose(id);
    });
  }

  /** Once more after looking at the disk again, for packs that a repack replaced. */
  #retry<T>(id: ObjectId, look: () => T | undefined): T {
    this.#load();
    for (const isLast of [false, true]) {
      try {
        const found = look();
        if (found !== undefined) return found;
      } catch (error) {
        if (isLast) throw damaged(id, error);
      }
      this.refresh();
    }
    throw damaged(id);
  }

  #readLoose(id: ObjectId): ReadObject | undefined {
    let bytes: Buffer;
    try {
      bytes = zlib.inflateSync(fs.readFileSync(this.#loosePath(id)));
    } catch (error) {
      if (isMissing(error)) return undefined;
      throw error;
    }
    const end = bytes.indexOf(0);
    const [kind = ''] = bytes.toString('latin1', 0, end).split(' ');
    if (kind !== 'blob' && kind !== 'tree' && kind !== 'commit') return undefined;
    return { kind, bytes: bytes.subarray(end + 1) };
  }

  #loosePath(id: ObjectId): string {
    return path.join(this.#folder, id.slice(0, 2), id.slice(2));
  }
}

function damaged(id: string, cause?: unknown): UserError {
  return new UserError(
    'damaged',
    `The snapshot store cannot give object ${id}.`,
    { object: id },
    cause,
  );
}
