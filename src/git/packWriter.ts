/**
 * Writes one pack and its index (version 2): no deltas. Everything goes to temporaries that git's own `prune` knows
 * (`tmp_`); `finish` flushes them and gives them their names, the index last, since a pack exists for git once its index
 * does. Small packs are built in memory; above a few megabytes they go to the disk as they grow.
 */
import crypto from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import zlib from 'node:zlib';
import { removeFile, syncFolder } from '../base/atomicFile.ts';
import { deflateObject } from './deflateObject.ts';
import { type ObjectId, type ObjectKind, rawId } from './gitObject.ts';

const spillAt = 4 << 20;
const offsetDelta = 6;
const typeBits: Readonly<Record<ObjectKind, number>> = { commit: 1, tree: 2, blob: 3 };

/** Called before each step on the disk, for faults in tests. */
export type PackProbe = (at: string) => void;

export interface PackOptions {
  /** Flush to the disk before the names are given. Default true. */
  readonly durable?: boolean;
  readonly probe?: PackProbe;
}

interface Packed {
  readonly id: Buffer;
  readonly offset: number;
  readonly crc: number;
}

let counter = 0;

export class PackWriter {
  readonly #folder: string;
  readonly #durable: boolean;
  readonly #probe: PackProbe;
  readonly #temporary: string;
  readonly #objects: Packed[] = [];
  /** Where each object stands in the pack. */
  readonly #ids = new Map<ObjectId, number>();
  #chunks: Buffer[] = [Buffer.alloc(12)];
  #buffered = 12;
  #offset = 12;
  #fd: number | undefined;

  /** @param folder `objects/pack` of the repository */
  constructor(folder: string, { durable = true, probe = () => undefined }: PackOptions = {}) {
    this.#folder = folder;
    this.#durable = durable;
    this.#probe = probe;
    const nonce = `${process.pid}-${process.hrtime()[1]}-${counter++}`;
    this.#temporary = path.join(folder, `tmp_pack_${nonce}`);
  }

  get count(): number {
    return this.#objects.length;
  }

  has(id: ObjectId): boolean {
    return this.#ids.has(id);
  }

  /** Adds an object unless this pack has it. @returns its id */
  add(kind: ObjectKind, bytes: Uint8Array): ObjectId {
    const raw = rawId(kind, bytes);
    const id = raw.toString('hex');
    this.addKnown(kind, raw, id, bytes);
    return id;
  }

  /** As `add`, for a caller that has the id already. */
  addKnown(kind: ObjectKind, raw: Buffer, id: ObjectId, bytes: Uint8Array): void {
    if (this.#ids.has(id)) return;
    this.#put(raw, id, [
      entryHeader(typeBits[kind], bytes.length),
      deflateObject(bytes, kind === 'tree'),
    ]);
  }

  /**
   * As `add`, but keeps only what an object added before lacks. @param base must be in this pack
   * @param delta of git's form (`appendDelta`)
   */
  addDelta(kind: ObjectKind, bytes: Uint8Array, base: ObjectId, delta: Uint8Array): ObjectId {
    const raw = rawId(kind, bytes);
    const id = raw.toString('hex');
    const at = this.#ids.get(base);
    if (at === undefined) throw new Error(`The base ${base} is not in this pack.`);
    if (!this.#ids.has(id))
      this.#put(raw, id, [
        entryHeader(offsetDelta, delta.length),
        distance(this.#offset - at),
        deflateObject(delta, delta.length < 1024),
      ]);
    return id;
  }

  #put(raw: Buffer, id: ObjectId, parts: readonly Buffer[]): void {
    const entry = Buffer.concat(parts);
    this.#ids.set(id, this.#offset);
    this.#objects.push({ id: raw, offset: this.#offset, crc: zlib.crc32(entry) });
    this.#chunks.push(entry);
    this.#buffered += entry.length;
    this.#offset += entry.length;
    if (this.#buffered >= spillAt) this.#spill();
  }

  /**
   * Marks the pack as one that a repack must not drop, until `release`: no ref reaches its objects yet.
   * @returns the pack's path without its suffix; undefined when nothing was added (then nothing is written).
   */
  finish(): string | undefined {
    if (this.#objects.length === 0) return undefined;
    try {
      this.#probe('pack');
      const checksum = this.#close();
      const final = path.join(this.#folder, `pack-${checksum.toString('hex')}`);
      this.#probe('index');
      const index = this.#indexOf(checksum);
      const temporaryIndex = `${this.#temporary}.idx`;
      writeNew(temporaryIndex, [index], this.#durable);
      this.#probe('rename pack');
      fs.chmodSync(this.#temporary, 0o400);
      fs.chmodSync(temporaryIndex, 0o400);
      fs.writeFileSync(`${final}.keep`, '', { mode: 0o600 });
      fs.renameSync(this.#temporary, `${final}.pack`);
      this.#probe('rename index');
      fs.renameSync(temporaryIndex, `${final}.idx`);
      if (this.#durable) syncFolder(this.#folder);
      return final;
    } catch (error) {
      this.discard();
      throw error;
    }
  }

  /** After a ref reaches what is in the pack. */
  static release(base: string): void {
    removeFile(`${base}.keep`);
  }

  /** Removes what is on the disk. */
  discard(): void {
    if (this.#fd !== undefined) fs.closeSync(this.#fd);
    this.#fd = undefined;
    removeFile(this.#temporary);
    removeFile(`${this.#temporary}.idx`);
  }

  #spill(): void {
    this.#fd ??= fs.openSync(this.#temporary, 'wx+', 0o600);
    writeAll(this.#fd, this.#chunks);
    this.#chunks = [];
    this.#buffered = 0;
  }

  /** Completes the pack file. @returns its checksum */
  #close(): Buffer {
    const header = Buffer.alloc(12);
    header.write('PACK', 0, 'latin1');
    header.writeUInt32BE(2, 4);
    header.writeUInt32BE(this.#objects.length, 8);
    if (this.#fd === undefined) {
      this.#chunks[0] = header;
      const hash = crypto.createHash('sha1');
      for (const chunk of this.#chunks) hash.update(chunk);
      const checksum = hash.digest();
      writeNew(this.#temporary, [...this.#chunks, checksum], this.#durable);
      return checksum;
    }
    this.#spill();
    // The number of objects is known only now, so the checksum is taken from the file.
    fs.writeSync(this.#fd, header, 0, 12, 0);
    const checksum = hashOpenFile(this.#fd);
    fs.writeSync(this.#fd, checksum, 0, checksum.length, this.#offset);
    if (this.#durable) fs.fsyncSync(this.#fd);
    fs.closeSync(this.#fd);
    this.#fd = undefined;
    return checksum;
  }

  #indexOf(checksum: Buffer): Buffer {
    const sorted = this.#objects.toSorted((a, b) => a.id.compare(b.id));
    const large = sorted.filter(({ offset }) => offset >= 0x8000_0000);
    const count = sorted.length;
    const out = Buffer.alloc(8 + 1024 + count * 28 + large.length * 8 + 40);
    out.writeUInt32BE(0xff744f63, 0);
    out.writeUInt32BE(2, 4);
    let below = 0;
    for (let first = 0; first < 256; first++) {
      while (below < count && (sorted[below]?.id[0] ?? 0) <= first) below++;
      out.writeUInt32BE(below, 8 + first * 4);
    }
    const ids = 1032;
    const crcs = ids + count * 20;
    const offsets = crcs + count * 4;
    let wide = 0;
    sorted.forEach(({ id, crc, offset }, i) => {
      out.set(id, ids + i * 20);
      out.writeUInt32BE(crc, crcs + i * 4);
      if (offset < 0x8000_0000) out.writeUInt32BE(offset, offsets + i * 4);
      else {
        out.writeUInt32BE((0x8000_0000 | wide) >>> 0, offsets + i * 4);
        out.writeBigUInt64BE(BigInt(offset), offsets + count * 4 + wide++ * 8);
      }
    });
    const end = out.length - 40;
    out.set(checksum, end);
    out.set(
      crypto
        .createHash('sha1')
        .update(out.subarray(0, end + 20))
        .digest(),
      end + 20,
    );
    return out;
  }
}

/** How far back the base stands, as packs write it. */
function distance(offset: number): Buffer {
  const bytes = [offset % 128];
  for (let rest = Math.floor(offset / 128); rest > 0; rest = Math.floor(rest / 128)) {
    rest--;
    bytes.unshift(0x80 | (rest % 128));
  }
  return Buffer.from(bytes);
}

function entryHeader(type: number, size: number): Buffer {
  const bytes: number[] = [];
  let byte = (type << 4) | (size & 15);
  for (let rest = Math.floor(size / 16); rest > 0; rest = Math.floor(rest / 128)) {
    bytes.push(byte | 0x80);
    byte = rest & 0x7f;
  }
  bytes.push(byte);
  return Buffer.from(bytes);
}

function writeNew(file: string, chunks: readonly Buffer[], durable: boolean): void {
  const fd = fs.openSync(file, 'wx', 0o600);
  try {
    writeAll(fd, chunks);
    if (durable) fs.fsyncSync(fd);
  } finally {
    fs.closeSync(fd);
  }
}

function writeAll(fd: number, chunks: readonly Buffer[]): void {
  const bytes = Buffer.concat(chunks);
  for (let at = 0; at < bytes.length; ) at += fs.writeSync(fd, bytes, at);
}

function hashOpenFile(fd: number): Buffer {
  const hash = crypto.createHash('sha1');
  const chunk = Buffer.allocUnsafe(1 << 20);
  for (let at = 0; ; ) {
    const read = fs.readSync(fd, chunk, 0, chunk.length, at);
    if (read === 0) return hash.digest();
    hash.update(chunk.subarray(0, read));
    at += read;
  }
}
