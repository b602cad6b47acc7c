/** A temporary folder for the time of one bench. */
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';

export async function inBenchFolder<T>(work: (folder: string) => T | Promise<T>): Promise<T> {
  const folder = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), 'memcode-bench-')));
  try {
    return await work(folder);
  } finally {
    fs.rmSync(folder, { recursive: true, force: true });
  }
}
