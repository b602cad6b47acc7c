/**
 * The lock of the user's index, as git itself takes it: `index.lock`, created exclusively. Ours holds a nonce from the
 * moment it exists, so that what a crash leaves is known to be ours; a lock of anybody else is never touched.
 */
import fs from 'node:fs';
import { readIfExists } from '../base/atomicFile.ts';
import { systemCode } from '../core/errors.ts';

export const indexLockFile = (indexFile: string): string => `${indexFile}.lock`;
/** What becomes the lock. */
const draftFile = (indexFile: string, nonce: string) => `${indexFile}.memcode-${nonce}`;
/** What becomes the index. */
export const nextIndexFile = (indexFile: string, nonce: string): string =>
  `${indexFile}.memcode-${nonce}-next`;

const textOf = (nonce: string) => `memcode-timeline ${nonce}\n`;

/** Whether a lock with this text was taken by some process of ours. */
export function isOurLock(text: string): boolean {
  return /^memcode-timeline \S+\n$/.test(text);
}

const withoutLinks = new Set(['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EMLINK']);

/** False when somebody else holds it. @throws other system errors. */
export function takeIndexLock(indexFile: string, nonce: string): boolean {
  const draft = draftFile(indexFile, nonce);
  const lock = indexLockFile(indexFile);
  fs.writeFileSync(draft, textOf(nonce), { mode: 0o600 });
  try {
    fs.linkSync(draft, lock);
    return true;
  } catch (error) {
    if (systemCode(error) === 'EEXIST') return false;
    if (!withoutLinks.has(systemCode(error) ?? '')) throw error;
    return takeWithoutLinks(lock, nonce);
  } finally {
    fs.rmSync(draft, { force: true });
  }
}

function takeWithoutLinks(lock: string, nonce: string): boolean {
  try {
    fs.writeFileSync(lock, textOf(nonce), { flag: 'wx', mode: 0o600 });
    return true;
  } catch (error) {
    if (systemCode(error) === 'EEXIST') return false;
    throw error;
  }
}

export function holdsIndexLock(indexFile: string, nonce: string): boolean {
  return readIfExists(indexLockFile(indexFile)) === textOf(nonce);
}

/** Also what taking it and replacing the index may have left. Does nothing to a lock of somebody else. */
export function releaseIndexLock(indexFile: string, nonce: string): void {
  const next = nextIndexFile(indexFile, nonce);
  for (const file of [draftFile(indexFile, nonce), next, indexLockFile(next)])
    fs.rmSync(file, { force: true });
  if (holdsIndexLock(indexFile, nonce)) fs.rmSync(indexLockFile(indexFile), { force: true });
}
