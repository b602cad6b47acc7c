/** An object's bytes in the form packs hold them: a zlib stream, at level 1, or stored when they do not compress. */
import zlib from 'node:zlib';

const probeSize = 4096;
const storedBlock = 65_535;

/** @param store true for bytes known not to gain (trees: ids are random) */
export function deflateObject(bytes: Uint8Array, store = false): Buffer {
  if ((store || bytes.length < 48) && bytes.length <= storedBlock) return storedStream(bytes);
  if (store || isDense(bytes)) return zlib.deflateSync(bytes, { level: 0 });
  return zlib.deflateSync(bytes, settings(bytes.length));
}

/** Small inputs need no large window: setting one up costs more than compressing them. */
function settings(length: number): zlib.ZlibOptions {
  if (length > 16_384) return { level: 1 };
  return { level: 1, windowBits: length > 4096 ? 14 : 12, memLevel: length > 4096 ? 7 : 5 };
}

/** Media and archives: a sample from the middle that hardly shrinks. */
function isDense(bytes: Uint8Array): boolean {
  if (bytes.length < 4 * probeSize) return false;
  const middle = bytes.length >> 1;
  const sample = bytes.subarray(middle, middle + probeSize);
  return zlib.deflateSync(sample, settings(probeSize)).length > probeSize * 0.95;
}

/** One stored block, written by hand: no compressor is set up at all. */
function storedStream(bytes: Uint8Array): Buffer {
  const out = Buffer.allocUnsafe(bytes.length + 11);
  out.writeUInt16BE(0x7801, 0);
  out[2] = 1;
  out.writeUInt16LE(bytes.length, 3);
  out.writeUInt16LE(~bytes.length & 0xffff, 5);
  out.set(bytes, 7);
  out.writeUInt32BE(adler32(bytes), bytes.length + 7);
  return out;
}

function adler32(bytes: Uint8Array): number {
  let a = 1;
  let b = 0;
  for (let at = 0; at < bytes.length; ) {
    // The longest run whose sums fit 32 bits.
    const end = Math.min(at + 3800, bytes.length);
    for (; at < end; at++) {
      a += bytes[at] ?? 0;
      b += a;
    }
    a %= 65_521;
    b %= 65_521;
  }
  return ((b << 16) | a) >>> 0;
}
