/**
 * Rename over an existing file, on systems where that can fail for a moment: Windows refuses while an editor, indexer or
 * virus scanner has the target open, and always for a read-only target.
 */
import fs from 'node:fs';

const attempts = 8;
const retryable = new Set(['EPERM', 'EACCES', 'EBUSY']);

/** @throws the system error of the last attempt. `rename` and `platform` are arguments for tests. */
export function renameOver(
  from: string,
  to: string,
  platform: NodeJS.Platform = process.platform,
  rename: (from: string, to: string) => void = fs.renameSync,
): void {
  for (let attempt = 1; ; attempt++) {
    try {
      rename(from, to);
      return;
    } catch (error) {
      const code = error instanceof Error && 'code' in error ? String(error.code) : '';
      if (platform !== 'win32' || attempt === attempts || !retryable.has(code)) throw error;
      if (code === 'EPERM' && fs.existsSync(to)) fs.chmodSync(to, 0o666);
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 5 * 2 ** attempt);
    }
  }
}
