/** The memory a pre-image takes does not depend on the file: a process that saves and seals one, small and large. */
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import type { Bar } from '../bar.ts';

const rounds = 3;
const million = 1_000_000;
const small = 10 * million;
const large = 500 * million;

export async function preImageMemory(): Promise<Bar> {
  const folder = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), 'memcode-bench-')));
  try {
    makeFile(path.join(folder, 'small.bin'), small);
    makeFile(path.join(folder, 'large.bin'), large);
    const peaks = Array.from({ length: rounds }, () => ({
      small: peakOf(folder, 'small.bin'),
      large: peakOf(folder, 'large.bin'),
    }));
    const least = (name: 'small' | 'large') => Math.min(...peaks.map((peak) => peak[name]));
    const told = (name: 'small' | 'large') => peaks.map((peak) => peak[name].toFixed(1)).join(', ');
    return {
      name: 'hook.preImageMemory',
      measured: least('large') / least('small'),
      limit: 1.2,
      notes: [
        `peak for a file of ${small / million} MB: ${told('small')} MB`,
        `peak for a file of ${large / million} MB: ${told('large')} MB`,
      ],
    };
  } finally {
    fs.rmSync(folder, { recursive: true, force: true });
  }
}

function makeFile(file: string, size: number): void {
  const chunk = Buffer.alloc(million, 'a million bytes\n');
  const fd = fs.openSync(file, 'wx');
  for (let written = 0; written < size; written += chunk.length) fs.writeSync(fd, chunk);
  fs.closeSync(fd);
}

/** Megabytes a process had resident at most. */
function peakOf(folder: string, name: string): number {
  const child = path.join(import.meta.dirname, 'saveAndSeal.ts');
  return Number(execFileSync(process.execPath, [child, folder, name], { encoding: 'utf8' }));
}
