/** SHA-256 of a file in constant memory. Kept apart because loading `node:crypto` costs the hook 6 ms. */
import { createHash } from 'node:crypto';
import fs from 'node:fs';

const chunkSize = 1 << 20;

/** Lower-case hex of the file's bytes, and how many there were. Does not follow a link in the last place. @throws system errors. */
export function hashFile(file: string): { readonly sha256: string; readonly size: number } {
  const fd = fs.openSync(
    file,
    fs.constants.O_RDONLY | (fs.constants.O_NOFOLLOW ?? 0) | (fs.constants.O_NONBLOCK ?? 0),
  );
  try {
    const hash = createHash('sha256');
    const size = fs.fstatSync(fd).size;
    const chunk = Buffer.allocUnsafe(Math.max(1, Math.min(chunkSize, size + 1)));
    let total = 0;
    for (let read = fs.readSync(fd, chunk); read > 0; read = fs.readSync(fd, chunk)) {
      hash.update(chunk.subarray(0, read));
      total += read;
    }
    return { sha256: hash.digest('hex'), size: total };
  } finally {
    fs.closeSync(fd);
  }
}

/** Lower-case hex. */
export function hashBytes(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}
