/**
 * A fresh address for a helper to listen at: a socket in a folder that only its user can enter, or a named pipe of Windows
 * whose name nobody can guess. Sockets' paths may have some 100 bytes; where our home store lies deeper, a folder of ours
 * beside the system's temporaries serves.
 */
import { randomBytes } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { makeFolder } from '../../base/atomicFile.ts';
import { UserError } from '../../core/errors.ts';

/** Bytes; macOS has 104 with the NUL. */
const longestPath = 100;

export interface AddressOptions {
  readonly home: string;
  readonly temporaryFolder: string;
  readonly platform: NodeJS.Platform;
}

/** @throws UserError `unsupported` when there is no place that only this user can enter. */
export function freshAddress({ home, temporaryFolder, platform }: AddressOptions): string {
  const name = randomBytes(platform === 'win32' ? 16 : 6).toString('hex');
  if (platform === 'win32') return `\\\\.\\pipe\\memcode-timeline-${name}`;
  const file = `${name}.sock`;
  const folders = [
    path.join(home, 'run'),
    path.join(temporaryFolder, `memcode-timeline-${userId()}`),
  ];
  for (const folder of folders) {
    const address = path.join(folder, file);
    if (Buffer.byteLength(address) > longestPath) continue;
    makeFolder(folder);
    if (isPrivate(folder)) return address;
  }
  throw new UserError('unsupported', 'There is no folder for a socket that only you can open.', {
    folders,
  });
}

/** A folder of this user that nobody else can enter; others may have made one of this name among the temporaries. */
function isPrivate(folder: string): boolean {
  const stat = fs.lstatSync(folder);
  if (!stat.isDirectory() || stat.uid !== userId()) return false;
  if ((stat.mode & 0o077) !== 0) fs.chmodSync(folder, 0o700);
  return true;
}

function userId(): number {
  return process.getuid?.() ?? 0;
}
