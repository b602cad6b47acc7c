/** Kills a hook at any operation on the disk. */
import fs from 'node:fs';
import path from 'node:path';
import type { StoreDriver } from './storeDriver.ts';

const mutators = [
  'openSync',
  'writeFileSync',
  'writeSync',
  'renameSync',
  'copyFileSync',
  'mkdirSync',
  'rmSync',
  'fsyncSync',
  'linkSync',
  'chmodSync',
  'utimesSync',
  'appendFileSync',
  'unlinkSync',
  'symlinkSync',
  'lutimesSync',
];

/**
 * A program to load before a hook, which kills its process before the call of a number (`KILL_AT`) that changes the disk;
 * without a number it leaves the count of them in the file `count`.
 */
export function killer(d: StoreDriver): string {
  const file = path.join(d.folder, 'killer.cjs');
  fs.writeFileSync(
    file,
    `const fs = require('node:fs');
     const write = fs.writeFileSync;
     let count = 0;
     for (const name of ${JSON.stringify(mutators)}) {
       const original = fs[name];
       fs[name] = (...args) => {
         count++;
         if (count === Number(process.env.KILL_AT)) process.kill(process.pid, 'SIGKILL');
         return original(...args);
       };
     }
     process.on('exit', () => write(${JSON.stringify(path.join(d.folder, 'count'))}, String(count)));`,
  );
  return file;
}
