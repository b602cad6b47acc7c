/** Reads what is at a path. Never opens anything but regular files, never follows a link in the last place. */
import fs from 'node:fs';
import { isMissing } from '../base/atomicFile.ts';
import { textOf } from '../base/bytesAsText.ts';
import { absent, type PathState } from '../core/state.ts';

/** Without a hash. @throws the system error of an unreadable path. */
export function statState(absolute: string): PathState {
  let stat: fs.Stats;
  try {
    stat = fs.lstatSync(absolute);
  } catch (error) {
    if (isMissing(error)) return absent;
    throw error;
  }
  const mode = stat.mode & 0o7777;
  if (stat.isFile()) return { kind: 'file', mode, size: stat.size };
  if (stat.isSymbolicLink()) return linkState(absolute);
  if (stat.isDirectory()) return { kind: 'directory', mode };
  return { kind: 'other' };
}

/** A link to a name that is no text could not be made again from what a manifest can hold. */
function linkState(absolute: string): PathState {
  const target = textOf(fs.readlinkSync(absolute, 'buffer'));
  return target === undefined ? { kind: 'other' } : { kind: 'symlink', target };
}
