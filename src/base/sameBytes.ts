/** Whether two files hold the same bytes, in constant memory and without hashing: cheap enough for the hook. */
import fs from 'node:fs';

const chunkSize = 64 * 1024;

/** @throws system errors. */
export function haveSameBytes(one: string, other: string): boolean {
  const first = fs.openSync(one, 'r');
  try {
    const second = fs.openSync(other, 'r');
    try {
      return compare(first, second);
    } finally {
      fs.closeSync(second);
    }
  } finally {
    fs.closeSync(first);
  }
}

function compare(first: number, second: number): boolean {
  const [a, b] = [Buffer.allocUnsafe(chunkSize), Buffer.allocUnsafe(chunkSize)];
  for (;;) {
    const read = fs.readSync(first, a);
    if (read !== fs.readSync(second, b)) return false;
    if (read === 0) return true;
    if (!a.subarray(0, read).equals(b.subarray(0, read))) return false;
  }
}
