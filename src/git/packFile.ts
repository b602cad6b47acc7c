/** One pack with its index (version 2), ours or one that `git gc` made: look-up by id, objects with deltas resolved. */
import fs from 'node:fs';
import zlib from 'node:zlib';
import type { ObjectId, ObjectKind } from './gitObject.ts';

export interface ReadObject {
  readonly kind: ObjectKind;
  readonly bytes: Buffer;
}

const kinds: Readonly<Record<number, ObjectKind>> = { 1: 'commit', 2: 'tree', 3: 'blob' };
const offsetDelta = 6;
const refDelta = 7;
const headerRoom = 64;

export class PackFile {
  readonly #base: string;
  readonly #index: Buffer;
  readonly #count: number;
  #fd: number | undefined;
  #starts: Float64Array | undefined;
  #asked = 0;
  #slots: Uint32Array | undefined;

  /** @param base path without suffix. @throws Error when the index cannot be read or understood. */
  constructor(base: string) {
    this.#base = base;
    this.#index = fs.readFileSync(`${base}.idx`);
    if (this.#index.length < 1072 || this.#index.readUInt32BE(0) !== 0xff744f63)
      throw new Error(`${base}.idx is no pack index of version 2.`);
    this.#count = this.#index.readUInt32BE(8 + 255 * 4);
  }

  /** Ids that begin with these hex digits, at most `limit`. */
  withPrefix(prefix: string, limit: number): ObjectId[] {
    const found: ObjectId[] = [];
    const low = Buffer.from(prefix.padEnd(40, '0'), 'hex');
    for (let at = this.#lowerBound(low); at < this.#count && found.length < limit; at++) {
      const id = this.#index.toString('hex', 1032 + at * 20, 1052 + at * 20);
      if (!id.startsWith(prefix)) break;
      found.push(id);
    }
    return found;
  }

  has(id: Uint8Array): boolean {
    return this.#find(id) >= 0;
  }

  /** Undefined when it is not in here. @param external finds the base of a delta that is in another pack */
  read(id: Uint8Array, external: (id: ObjectId) => ReadObject): ReadObject | undefined {
    const at = this.#find(id);
    return at < 0 ? undefined : this.#readAt(this.#offsetOf(at), external);
  }

  /** Size of the object, without reading all of it. */
  size(id: Uint8Array): number | undefined {
    const at = this.#find(id);
    if (at < 0) return undefined;
    const start = this.#offsetOf(at);
    const bytes = this.#bytesAt(start, Math.min(start + 512, this.#endOf(start)));
    const header = entryHeader(bytes);
    if (header.type !== offsetDelta && header.type !== refDelta) return header.size;
    const skip =
      header.type === refDelta ? header.length + 20 : baseOffset(bytes, header.length).end;
    const delta = zlib.inflateSync(bytes.subarray(skip), {
      finishFlush: zlib.constants.Z_SYNC_FLUSH,
    });
    return varint(delta, varint(delta, 0).end).value;
  }

  close(): void {
    if (this.#fd !== undefined) fs.closeSync(this.#fd);
    this.#fd = undefined;
  }

  #readAt(start: number, external: (id: ObjectId) => ReadObject): ReadObject {
    const bytes = this.#bytesAt(start, this.#endOf(start));
    const { type, size, length } = entryHeader(bytes);
    if (type === offsetDelta) {
      const { distance, end } = baseOffset(bytes, length);
      const base = this.#readAt(start - distance, external);
      return {
        kind: base.kind,
        bytes: applyDelta(base.bytes, zlib.inflateSync(bytes.subarray(end))),
      };
    }
    if (type === refDelta) {
      const raw = bytes.subarray(length, length + 20);
      const base = this.read(raw, external) ?? external(raw.toString('hex'));
      const delta = zlib.inflateSync(bytes.subarray(length + 20));
      return { kind: base.kind, bytes: applyDelta(base.bytes, delta) };
    }
    const kind = kinds[type];
    if (kind === undefined) throw new Error(`${this.#base}.pack holds an object of type ${type}.`);
    const inflated = zlib.inflateSync(bytes.subarray(length));
    if (inflated.length !== size) throw new Error(`An object in ${this.#base}.pack is cut short.`);
    return { kind, bytes: inflated };
  }

  #bytesAt(start: number, end: number): Buffer {
    this.#fd ??= fs.openSync(`${this.#base}.pack`, 'r');
    const bytes = Buffer.allocUnsafe(end - start);
    let got = 0;
    while (got < bytes.length) {
      const read = fs.readSync(this.#fd, bytes, got, bytes.length - got, start + got);
      if (read === 0) throw new Error(`${this.#base}.pack is cut short.`);
      got += read;
    }
    return bytes;
  }

  #find(id: Uint8Array): number {
    if (this.#slots !== undefined) return this.#findInSlots(id, this.#slots);
    if (this.#count > 1024 && ++this.#asked > this.#count / 8) this.#slots = this.#makeSlots();
    const at = this.#lowerBound(id);
    if (at >= this.#count) return -1;
    return this.#compare(at, id) === 0 ? at : -1;
  }

  /** For who asks about very many: a hash table of positions, which need not be searched for. */
  #makeSlots(): Uint32Array {
    const slots = new Uint32Array(2 ** Math.ceil(Math.log2(this.#count * 2)));
    for (let position = 0; position < this.#count; position++) {
      let slot = this.#index.readUInt32LE(1036 + position * 20) & (slots.length - 1);
      while (slots[slot] !== 0) slot = (slot + 1) & (slots.length - 1);
      slots[slot] = position + 1;
    }
    return slots;
  }

  #findInSlots(id: Uint8Array, slots: Uint32Array): number {
    const hash = (id[4] ?? 0) | ((id[5] ?? 0) << 8) | ((id[6] ?? 0) << 16) | ((id[7] ?? 0) << 24);
    for (let slot = hash & (slots.length - 1); ; slot = (slot + 1) & (slots.length - 1)) {
      const position = (slots[slot] ?? 0) - 1;
      if (position < 0 || this.#compare(position, id) === 0) return position;
    }
  }

  /** First position whose id is not below `id`. */
  #lowerBound(id: Uint8Array): number {
    const first = id[0] ?? 0;
    let low = first === 0 ? 0 : this.#index.readUInt32BE(8 + (first - 1) * 4);
    let high = this.#index.readUInt32BE(8 + first * 4);
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.#compare(middle, id) < 0) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  #compare(position: number, id: Uint8Array): number {
    const start = 1032 + position * 20;
    // The first byte is the same for all that are asked about; the next three nearly always decide.
    const ours = this.#index.readUInt32BE(start);
    const theirs =
      (((id[0] ?? 0) << 24) | ((id[1] ?? 0) << 16) | ((id[2] ?? 0) << 8) | (id[3] ?? 0)) >>> 0;
    if (ours !== theirs) return ours - theirs;
    for (let i = 4; i < 20; i++) {
      const difference = (this.#index[start + i] ?? 0) - (id[i] ?? 0);
      if (difference !== 0) return difference;
    }
    return 0;
  }

  #offsetOf(position: number): number {
    const offsets = 1032 + this.#count * 24;
    const offset = this.#index.readUInt32BE(offsets + position * 4);
    if (offset < 0x8000_0000) return offset;
    const wide = offsets + this.#count * 4 + (offset - 0x8000_0000) * 8;
    return Number(this.#index.readBigUInt64BE(wide));
  }

  /** Where the next object begins, or the checksum. */
  #endOf(start: number): number {
    this.#starts ??= this.#sortedStarts();
    let low = 0;
    let high = this.#starts.length - 1;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((this.#starts[middle] ?? 0) <= start) low = middle + 1;
      else high = middle;
    }
    return this.#starts[low] ?? start + headerRoom;
  }

  #sortedStarts(): Float64Array {
    const starts = new Float64Array(this.#count + 1);
    for (let i = 0; i < this.#count; i++) starts[i] = this.#offsetOf(i);
    starts[this.#count] = fs.statSync(`${this.#base}.pack`).size - 20;
    return starts.sort();
  }
}

function entryHeader(bytes: Buffer): { type: number; size: number; length: number } {
  let byte = bytes[0] ?? 0;
  const type = (byte >> 4) & 7;
  let size = byte & 15;
  let length = 1;
  for (let factor = 16; byte & 0x80; factor *= 128) {
    byte = bytes[length++] ?? 0;
    size += (byte & 0x7f) * factor;
  }
  return { type, size, length };
}

function baseOffset(bytes: Buffer, at: number): { distance: number; end: number } {
  let byte = bytes[at++] ?? 0;
  let distance = byte & 0x7f;
  while (byte & 0x80) {
    byte = bytes[at++] ?? 0;
    distance = (distance + 1) * 128 + (byte & 0x7f);
  }
  return { distance, end: at };
}

function varint(bytes: Buffer, at: number): { value: number; end: number } {
  let value = 0;
  let factor = 1;
  let byte = 0x80;
  while (byte & 0x80) {
    byte = bytes[at++] ?? 0;
    value += (byte & 0x7f) * factor;
    factor *= 128;
  }
  return { value, end: at };
}

/** Rebuilds an object from its base: copies of ranges and literal bytes. */
function applyDelta(base: Buffer, delta: Buffer): Buffer {
  const from = varint(delta, 0);
  const to = varint(delta, from.end);
  if (from.value !== base.length) throw new Error('A delta does not fit its base.');
  const out = Buffer.allocUnsafe(to.value);
  let filled = 0;
  for (let at = to.end; at < delta.length; ) {
    const command = delta[at++] ?? 0;
    if (command & 0x80) {
      let offset = 0;
      let size = 0;
      for (let i = 0; i < 4; i++)
        if (command & (1 << i)) offset += (delta[at++] ?? 0) * 2 ** (8 * i);
      for (let i = 0; i < 3; i++)
        if (command & (1 << (4 + i))) size += (delta[at++] ?? 0) * 2 ** (8 * i);
      if (size === 0) size = 0x10000;
      filled += base.copy(out, filled, offset, offset + size);
    } else {
      filled += delta.copy(out, filled, at, at + command);
      at += command;
    }
  }
  if (filled !== to.value) throw new Error('A delta is cut short.');
  return out;
}
