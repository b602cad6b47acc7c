/** The difference between two objects of which the second is the first with bytes put in at one place. Git's delta form. */

const longestCopy = 0xff_ffff;
const longestInsert = 127;

/** What `base` with `added` at `at` is made of. */
export function appendDelta(base: number, at: number, added: Uint8Array): Buffer {
  const parts: Buffer[] = [size(base), size(base + added.length)];
  copy(parts, 0, at);
  for (let from = 0; from < added.length; from += longestInsert) {
    const piece = added.subarray(from, from + longestInsert);
    parts.push(Buffer.of(piece.length), Buffer.from(piece));
  }
  copy(parts, at, base - at);
  return Buffer.concat(parts);
}

function copy(parts: Buffer[], start: number, length: number): void {
  for (let done = 0; done < length; ) {
    const count = Math.min(longestCopy, length - done);
    const bytes = [0x80];
    const put = (value: number, width: number, firstBit: number) => {
      for (let i = 0; i < width; i++) {
        const byte = Math.floor(value / 256 ** i) % 256;
        if (byte === 0) continue;
        bytes[0] = (bytes[0] ?? 0) | (1 << (firstBit + i));
        bytes.push(byte);
      }
    };
    put(start + done, 4, 0);
    put(count, 3, 4);
    parts.push(Buffer.from(bytes));
    done += count;
  }
}

function size(value: number): Buffer {
  const bytes: number[] = [];
  for (let rest = value; ; rest = Math.floor(rest / 128)) {
    if (rest < 128) {
      bytes.push(rest);
      return Buffer.from(bytes);
    }
    bytes.push(0x80 | (rest % 128));
  }
}
