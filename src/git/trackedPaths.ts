/**
 * What the user's git index says: which paths are tracked, and the stat data and blob of each. Reads versions 2 to 4 and
 * never writes. The bytes may lie in shared memory, so that worker threads look in the same copy.
 */
import fs from 'node:fs';
import { isMissing } from '../base/atomicFile.ts';
import { nameToBytes } from './pathBytes.ts';

/** What can be passed between threads. */
export interface IndexData {
  /** The file as it is. */
  readonly bytes: Uint8Array;
  /** All paths in order, one after the other. */
  readonly paths: Uint8Array;
  /** Where each path starts in `paths`; one more at the end. */
  readonly starts: Uint32Array;
  /** Where each entry's stat data starts in `bytes`. */
  readonly entries: Uint32Array;
}

/** Stat data of files, a row each. */
export interface StatColumns {
  readonly mtime: BigInt64Array;
  readonly ctime: BigInt64Array;
  readonly ino: BigUint64Array;
  readonly size: Float64Array;
}

const entryFixed = 62;

/** Undefined when there is no index, or it is of a kind not known here (SHA-256, split, sparse, damaged). */
export function readIndex(file: string): IndexData | undefined {
  try {
    return parseIndex(readShared(file));
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
}

export function parseIndex(source: Buffer): IndexData | undefined {
  if (source.length < 32 || source.toString('latin1', 0, 4) !== 'DIRC') return undefined;
  const version = source.readUInt32BE(4);
  const count = source.readUInt32BE(8);
  if (version < 2 || version > 4 || count > source.length / entryFixed) return undefined;
  const bytes = source.buffer instanceof SharedArrayBuffer ? source : shared(source);
  const starts = new Uint32Array(new SharedArrayBuffer(4 * (count + 1)));
  const entries = new Uint32Array(new SharedArrayBuffer(4 * count));
  let paths: Buffer = Buffer.from(new SharedArrayBuffer(Math.max(1024, source.length)));
  let filled = 0;
  let previous = 0;
  let at = 12;
  for (let i = 0; i < count; i++) {
    entries[i] = at;
    const flags = source.readUInt16BE(at + 60);
    let name = at + entryFixed + (flags & 0x4000 ? 2 : 0);
    let kept = 0;
    if (version === 4) {
      const cut = offsetAt(source, name);
      kept = filled - previous - cut.value;
      name = cut.end;
    }
    const end = source.indexOf(0, name);
    if (end < 0 || kept < 0) return undefined;
    const length = kept + end - name;
    if (filled + length > paths.length) paths = grown(paths, filled + length);
    if (kept > 0) paths.copy(paths, filled, previous, previous + kept);
    source.copy(paths, filled + kept, name, end);
    starts[i] = filled;
    previous = filled;
    filled += length;
    at = version === 4 ? end + 1 : at + ((end - at + 8) & ~7);
  }
  starts[count] = filled;
  return isWhole(source, at) ? { bytes, paths, starts, entries } : undefined;
}

/** Look-ups in index data; as good as empty without any. */
export class TrackedPaths {
  readonly data: IndexData | undefined;
  readonly #paths: Buffer;
  readonly #bytes: Buffer;

  constructor(data: IndexData | undefined) {
    this.data = data;
    this.#bytes = data ? viewOf(data.bytes) : Buffer.alloc(0);
    this.#paths = data ? viewOf(data.paths) : Buffer.alloc(0);
  }

  get count(): number {
    return this.data?.entries.length ?? 0;
  }

  has(path: string): boolean {
    return this.find(path) >= 0;
  }

  /** Whether anything below this folder is tracked. */
  hasUnder(folder: string): boolean {
    if (this.data === undefined) return false;
    const prefix = nameToBytes(`${folder}/`);
    const at = this.#lowerBound(prefix);
    if (at >= this.count) return false;
    const start = this.data.starts[at] ?? 0;
    const end = Math.min(this.data.starts[at + 1] ?? 0, start + prefix.length);
    return this.#paths.compare(prefix, 0, prefix.length, start, end) === 0;
  }

  /** Position, or -1. */
  find(path: string): number {
    if (this.data === undefined) return -1;
    const name = nameToBytes(path);
    const at = this.#lowerBound(name);
    if (at >= this.count) return -1;
    return this.#compare(at, name) === 0 ? at : -1;
  }

  /**
   * Whether the paths from a position on are these names, each in this folder (with a `/` at its end; empty for the root).
   * May say no for names that are not ASCII.
   */
  areAt(position: number, folder: string, names: readonly string[]): boolean {
    const { data } = this;
    if (data === undefined || position < 0 || position + names.length > this.count) return false;
    const { starts } = data;
    const isAsLong = (name: string, i: number) =>
      (starts[position + i + 1] ?? 0) - (starts[position + i] ?? 0) === folder.length + name.length;
    if (!names.every(isAsLong)) return false;
    // All at once, since strings are compared faster than bytes one by one.
    const wanted = `${folder}${names.join(folder)}`;
    const found = this.#paths.toString('latin1', starts[position], starts[position + names.length]);
    return found === wanted && isAscii(wanted);
  }

  /** Raw 20 bytes of the blob's id. */
  idAt(position: number): Uint8Array {
    const at = (this.data?.entries[position] ?? 0) + 40;
    return this.#bytes.subarray(at, at + 20);
  }

  /**
   * Whether the entry speaks of the file of these columns as it is, looked at after its last change, and is a plain one:
   * stage 0, not assumed unchanged, not skipped, not only intended.
   * @param indexTime when the index was written
   */
  proves(
    position: number,
    columns: StatColumns,
    row: number,
    mode: number,
    indexTime: bigint,
  ): boolean {
    const bytes = this.#bytes;
    const at = this.data?.entries[position] ?? 0;
    if (bytes.readUInt32BE(at + 24) !== mode) return false;
    if (bytes.readUInt32BE(at + 36) !== columns.size[row]) return false;
    const mtime = columns.mtime[row] ?? 0n;
    const ctime = columns.ctime[row] ?? 0n;
    if (!this.#isTimeAt(at + 8, mtime) || !this.#isTimeAt(at, ctime)) return false;
    if (mtime >= indexTime || ctime >= indexTime) return false;
    if (bytes.readUInt32BE(at + 20) !== Number((columns.ino[row] ?? 0n) & 0xffff_ffffn))
      return false;
    const flags = bytes.readUInt16BE(at + 60);
    const extended = flags & 0x4000 ? bytes.readUInt16BE(at + 62) : 0;
    return (flags & 0xb000) === 0 && (extended & 0x6000) === 0;
  }

  /** Compared as seconds and rest: arithmetic with large numbers is slow, and there are many of them. */
  #isTimeAt(at: number, time: bigint): boolean {
    const bytes = this.#bytes;
    const seconds = bytes.readUInt32BE(at);
    const rest = bytes.readUInt32BE(at + 4);
    // Exact modulo 2^32 (4.3 s), and the other within a microsecond.
    const low = (Math.imul(seconds, 1_000_000_000) + rest) | 0;
    return (
      low === Number(BigInt.asIntN(32, time)) &&
      Math.abs(Number(time) - (seconds * 1e9 + rest)) < 1e9
    );
  }

  #lowerBound(name: Buffer): number {
    let low = 0;
    let high = this.count;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.#compare(middle, name) < 0) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  #compare(position: number, name: Buffer): number {
    const start = this.data?.starts[position] ?? 0;
    const end = this.data?.starts[position + 1] ?? 0;
    return this.#paths.compare(name, 0, name.length, start, end);
  }
}

function isAscii(text: string): boolean {
  return /^[\0-\x7f]*$/.test(text);
}

/** Extensions whose name begins in lower case change what the entries mean: split (`link`) and sparse (`sdir`) indexes. */
function isWhole(source: Buffer, start: number): boolean {
  const end = source.length - 20;
  let at = start;
  while (at + 8 <= end) {
    if ((source[at] ?? 0) >= 0x61) return false;
    at += 8 + source.readUInt32BE(at + 4);
  }
  return at === end;
}

function offsetAt(source: Buffer, start: number): { value: number; end: number } {
  let at = start;
  let byte = source[at++] ?? 0;
  let value = byte & 0x7f;
  while (byte & 0x80) {
    byte = source[at++] ?? 0;
    value = (value + 1) * 128 + (byte & 0x7f);
  }
  return { value, end: at };
}

/** Read to where threads see it: a copy of ten megabytes costs as much as reading them. */
function readShared(file: string): Buffer {
  const fd = fs.openSync(file, 'r');
  try {
    const bytes = Buffer.from(new SharedArrayBuffer(fs.fstatSync(fd).size));
    let got = 0;
    while (got < bytes.length) {
      const read = fs.readSync(fd, bytes, got, bytes.length - got, got);
      // Git replaces an index and never shortens one: this is none of git's.
      if (read === 0) return bytes.subarray(0, got);
      got += read;
    }
    return bytes;
  } finally {
    fs.closeSync(fd);
  }
}

function shared(source: Buffer): Buffer {
  const copy = Buffer.from(new SharedArrayBuffer(source.length));
  source.copy(copy);
  return copy;
}

function grown(old: Buffer, needed: number): Buffer {
  const next = Buffer.from(new SharedArrayBuffer(Math.max(needed, old.length * 2)));
  old.copy(next);
  return next;
}

function viewOf(bytes: Uint8Array): Buffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}
