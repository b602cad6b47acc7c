/** Reads one captured path as git's blob has it: a file's bytes, a link's text. Opens nothing but regular files. */
import fs from 'node:fs';
import { isMissing } from '../base/atomicFile.ts';
import { fsPathIn } from '../git/pathBytes.ts';
import { isDenied } from './captureRules.ts';
import type { Stamp } from './fileTable.ts';
import { stampOfStat } from './listTree.ts';

export type BlobRead =
  | { readonly kind: 'blob'; readonly bytes: Buffer; readonly stamp: Stamp }
  /** `changed`: it is no longer a file or link. */
  | { readonly kind: 'gone' | 'unreadable' | 'tooLarge' | 'changed' };

const { O_RDONLY, O_NOFOLLOW = 0, O_NONBLOCK = 0 } = fs.constants;

/** The stamp is taken before the bytes, so that a later change shows in it. */
export function readBlob(
  root: string,
  path: string,
  isLink: boolean,
  maxFileSize: number,
): BlobRead {
  const place = fsPathIn(root, path);
  try {
    return isLink ? readLink(place) : readFile(place, maxFileSize);
  } catch (error) {
    if (isMissing(error)) return { kind: 'gone' };
    if (hasCode(error, 'ELOOP') || hasCode(error, 'EINVAL') || hasCode(error, 'EISDIR'))
      return { kind: 'changed' };
    if (isDenied(error)) return { kind: 'unreadable' };
    throw error;
  }
}

function readFile(place: string | Buffer, maxFileSize: number): BlobRead {
  const fd = fs.openSync(place, O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
  try {
    const stat = fs.fstatSync(fd, { bigint: true });
    if (!stat.isFile()) return { kind: 'changed' };
    const size = Number(stat.size);
    if (size > maxFileSize) return { kind: 'tooLarge' };
    const bytes = readOpen(fd, size, maxFileSize);
    if (bytes === undefined) return { kind: 'tooLarge' };
    return { kind: 'blob', bytes, stamp: stampOfStat(stat) };
  } finally {
    fs.closeSync(fd);
  }
}

/** All there is, also when the file grows meanwhile; undefined beyond the limit. */
function readOpen(fd: number, size: number, maxFileSize: number): Buffer | undefined {
  let bytes = Buffer.allocUnsafe(size);
  let got = 0;
  for (;;) {
    const read = got < bytes.length ? fs.readSync(fd, bytes, got, bytes.length - got, null) : 0;
    got += read;
    if (read === 0) {
      const probe = Buffer.allocUnsafe(1);
      // Only a file that was as long as it said can have grown.
      if (got < bytes.length || fs.readSync(fd, probe, 0, 1, null) === 0)
        return bytes.subarray(0, got);
      if (got + 1 > maxFileSize) return undefined;
      bytes = Buffer.concat([bytes, probe, Buffer.allocUnsafe(Math.max(4096, got))]);
      got++;
    }
  }
}

function readLink(place: string | Buffer): BlobRead {
  const stat = fs.lstatSync(place, { bigint: true });
  if (!stat.isSymbolicLink()) return { kind: 'changed' };
  const bytes = fs.readlinkSync(place, { encoding: 'buffer' });
  return { kind: 'blob', bytes, stamp: stampOfStat(stat) };
}

function hasCode(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code;
}
