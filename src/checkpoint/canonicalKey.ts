/**
 * The one name a file has inside the store, and the guard that no name leaves the root: what an agent, a manifest or a
 * link says is only ever used through here (spec/checkpoints A.3.2; invariant 1).
 */
import fs from 'node:fs';
import path from 'node:path';
import { isMissing } from '../base/atomicFile.ts';
import { textOf } from '../base/bytesAsText.ts';
import { lstatIfExists } from '../base/lstatIfExists.ts';
import { foldName, foldsNames, isInside } from '../base/platform.ts';
import { messageOf } from '../core/errors.ts';
import type { Key, Root } from '../core/ids.ts';

export type KeyResult =
  | { readonly key: Key; readonly absolute: string }
  /** `onDisk`: the name itself is fine; what is on the disk today stands against it. */
  | { readonly refused: string; readonly onDisk?: Obstacle };

/** A parent folder that is a link, or that cannot be looked at. */
export interface Obstacle {
  /** Absolute. */
  readonly at: string;
  readonly isLink: boolean;
  /** A sentence. */
  readonly why: string;
  /** The system's, when it cannot be looked at. */
  readonly error?: unknown;
}

/**
 * @param root real path of the root
 * @param given what the agent named: absolute, or relative to `base`
 * @param base absolute folder that relative names start from (the agent's working directory, or the root)
 * @returns the key (relative, `/`, the disk's spelling) and the path to use, or a sentence why it is refused.
 */
export function canonicalKey(
  root: Root,
  given: string,
  base: string = root,
  platform: NodeJS.Platform = process.platform,
): KeyResult {
  const fault = faultOfName(given, platform);
  if (fault !== undefined) return { refused: fault };
  // Joined by hand: path.join would resolve `link/..` by its letters, while the disk goes through the link.
  const joined = path.isAbsolute(given) ? given : `${base}${path.sep}${given}`;
  const { name, folder } = splitLast(joined);
  if (name === '' || name === '.' || name === '..') return keyOfFolder(root, joined, platform);
  const parent = realParent(folder);
  if (typeof parent === 'object') return parent;
  return finish(root, path.join(parent, spellingOnDisk(parent, name, platform)), platform);
}

/**
 * The path a manifest's key stands for, checked anew: syntax, and that no link leads out of the root on the way there.
 * Absolute keys, `..` and `.` segments are refused even where they would stay inside (spec A.2.3).
 */
export function pathOfKey(
  root: Root,
  key: string,
  platform: NodeJS.Platform = process.platform,
): KeyResult {
  const fault = faultOfName(key, platform);
  if (fault !== undefined) return { refused: fault };
  const segments = key.split(platform === 'win32' ? /[\\/]/ : '/');
  const isDriven = platform === 'win32' && key.includes(':');
  if (isDriven || segments.some((s) => s === '' || s === '.' || s === '..')) {
    return { refused: 'It is not a plain relative path.' };
  }
  const stored = faultOfSegments(segments, platform);
  if (stored !== undefined) return { refused: stored };
  const obstacle = obstacleOnTheWay(root, segments.slice(0, -1));
  if (obstacle) return { refused: obstacle.why, onDisk: obstacle };
  return { key: segments.join('/') as Key, absolute: path.join(root, ...segments) };
}

/** The first of these folders, each inside the one before it, that nothing of ours goes through. */
export function obstacleOnTheWay(start: string, folders: readonly string[]): Obstacle | undefined {
  let at = start;
  for (const folder of folders) {
    at = path.join(at, folder);
    try {
      const stat = lstatIfExists(at);
      if (stat === undefined) return undefined;
      const why = `${path.relative(start, at)} on the way there is a link.`;
      if (stat.isSymbolicLink()) return { at, isLink: true, why };
    } catch (error) {
      const why = `A folder on the way there cannot be read (${messageOf(error)}).`;
      return { at, isLink: false, why, error };
    }
  }
  return undefined;
}

/** True when both keys name one file on a disk of this platform. */
export function sameKey(
  a: string,
  b: string,
  platform: NodeJS.Platform = process.platform,
): boolean {
  return a === b || keyName(a, platform) === keyName(b, platform);
}

/** One text for all keys that name one file, for looking up many of them. */
export function keyName(key: string, platform: NodeJS.Platform = process.platform): string {
  return foldsNames(platform) ? foldName(key) : key;
}

const nameless = 'Its name is not valid Unicode.';

function faultOfName(name: string, platform: NodeJS.Platform): string | undefined {
  if (name === '') return 'It has no name.';
  if (name.includes('\0')) return 'Its name holds a NUL character.';
  // The disk would take it for another name, which has a record of its own.
  if (!name.isWellFormed()) return nameless;
  if (platform === 'win32') {
    if (/^[\\/]{2}/.test(name)) return 'It is on another machine or a device.';
    if (/^[A-Za-z]:(?![\\/])/.test(name)) return 'It is relative to a drive.';
    if (/:/.test(name.slice(2))) return 'Its name holds a colon.';
  }
  return undefined;
}

/** Why a path of these segments, counted from the root, is never captured or written. */
function faultOfSegments(
  segments: readonly string[],
  platform: NodeJS.Platform,
): string | undefined {
  const folded = segments.map((segment) => foldName(nameOnDisk(segment, platform)));
  if (folded.some((name) => name === '.git' || (platform === 'win32' && name === 'git~1')))
    return 'It belongs to a git repository itself.';
  if (folded[0] === '.memcode' && folded[1] === 'checkpoints')
    return 'It belongs to the checkpoint store.';
  return undefined;
}

/** As some disks take it: HFS+ leaves out characters without width, Windows dots and spaces at the end. */
function nameOnDisk(segment: string, platform: NodeJS.Platform): string {
  const visible = segment.replace(/[\u200c-\u200f\u202a-\u202e\u206a-\u206f\ufeff]/g, '');
  return platform === 'win32' ? visible.replace(/[. ]+$/, '') : visible;
}

function splitLast(joined: string): { folder: string; name: string } {
  const pattern = path.sep === '\\' ? /[\\/]+$/ : /\/+$/;
  const trimmed = joined.replace(pattern, '');
  const at = Math.max(trimmed.lastIndexOf('/'), path.sep === '\\' ? trimmed.lastIndexOf('\\') : -1);
  return { folder: trimmed.slice(0, at) || path.sep, name: trimmed.slice(at + 1) };
}

/** Real path of a folder of which the last parts may not exist yet. */
function realParent(folder: string): string | { refused: string } {
  const missing: string[] = [];
  for (let at = folder; ; ) {
    try {
      const real = textOf(fs.realpathSync.native(at, 'buffer'));
      if (real === undefined) return { refused: nameless };
      return path.join(real, ...missing);
    } catch (error) {
      if (!isMissing(error)) return { refused: `Its folder cannot be read (${String(error)}).` };
      if (lstatIfExists(at)?.isSymbolicLink()) {
        return { refused: 'A link on the way there leads nowhere.' };
      }
      const { folder: up, name } = splitLast(at);
      if (name === '..' || up === at)
        return { refused: 'A folder on the way there does not exist.' };
      if (name !== '.') missing.unshift(name);
      at = up;
    }
  }
}

function keyOfFolder(root: Root, joined: string, platform: NodeJS.Platform): KeyResult {
  try {
    const real = textOf(fs.realpathSync.native(joined, 'buffer'));
    return real === undefined ? { refused: nameless } : finish(root, real, platform);
  } catch (error) {
    return { refused: `It cannot be read (${String(error)}).` };
  }
}

function finish(root: Root, absolute: string, platform: NodeJS.Platform): KeyResult {
  if (!isInside(root, absolute, platform)) return { refused: 'It is outside the project folder.' };
  const segments = path.relative(root, absolute).split(path.sep);
  if (segments[0] === '') return { refused: 'It is the project folder itself.' };
  const fault = faultOfSegments(segments, platform);
  return fault === undefined ? { key: segments.join('/') as Key, absolute } : { refused: fault };
}

/** A folding disk finds `README` for `readme`: take the name the folder lists. */
function spellingOnDisk(folder: string, name: string, platform: NodeJS.Platform): string {
  if (!foldsNames(platform)) return name;
  try {
    const names = fs.readdirSync(folder);
    return names.includes(name)
      ? name
      : (names.find((n) => foldName(n) === foldName(name)) ?? name);
  } catch (error) {
    if (isMissing(error)) return name;
    throw error;
  }
}
