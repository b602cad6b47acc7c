/**
 * A lock between processes: a name created exclusively that tells its holder. It is a symbolic link to nowhere, since
 * that is made whole in one step: a process killed between making a file and writing into it would leave a lock of
 * nobody. Where there are no links (Windows, FAT) it is a file. Our own and not a library's because the
 * hook, which lives for some 30 ms, must take it synchronously and may load nothing (ARCHITECTURE, "Hook budget"); the
 * known libraries wait asynchronously and keep a heartbeat timer. Sections under it take milliseconds; slow work (copying
 * a large file) is done before.
 *
 * A lock is stale when its holder's process no longer exists on this host, or, if that cannot be told (another host),
 * when the file is older than 30 s. A process number may have been given to another process since: after two minutes
 * without `keep()` a lock is stale whoever seems to hold it. Breaking a stale lock happens under a second exclusive file, so that two who both
 * saw the same stale lock cannot remove a fresh one.
 */
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { systemCode } from '../core/errors.ts';
import { isMissing, makeFolder } from './atomicFile.ts';
import { letGo, parkedNonce, unpark } from './parkedLocks.ts';
import { isAlive } from './platform.ts';

const foreignStaleAfter = 30_000;
const reusedPidAfter = 120_000;
const breakerStaleAfter = 5_000;

export interface LockOptions {
  /** Milliseconds to wait for a holder. */
  readonly wait: number;
}

/**
 * Runs `work` while holding the lock file `file`, whose folder is made if need be. Reentrant calls deadlock until `wait` ends.
 * @returns what `work` returned, or `undefined` when the lock was not had in time (then `work` did not run).
 */
export function withLock<T>(
  file: string,
  options: LockOptions,
  work: (keep: () => void) => T,
): { value: T } | undefined {
  const nonce = parkedNonce(file) ?? newNonce();
  const deadline = Date.now() + options.wait;
  for (let pause = 1; !tryAcquire(file, nonce); pause = Math.min(pause * 2, longestPause)) {
    // What this very process holds is not let go while it sleeps here.
    if (Date.now() > deadline || held.has(file)) return undefined;
    sleep(pause);
  }
  try {
    return { value: work(() => keepLock(file)) };
  } finally {
    release(file, nonce);
  }
}

/** The same for work that takes its time, in a process that lives on meanwhile. */
export async function withLockHeld<T>(
  file: string,
  options: LockOptions,
  work: () => T | Promise<T>,
): Promise<{ value: T } | undefined> {
  const nonce = newNonce();
  const deadline = Date.now() + options.wait;
  for (let pause = 1; !tryAcquire(file, nonce); pause = Math.min(pause * 2, longestPause)) {
    if (Date.now() > deadline) return undefined;
    await delay(pause);
  }
  held.add(file);
  try {
    return { value: await work() };
  } finally {
    held.delete(file);
    release(file, nonce);
  }
}

/** Whether somebody holds it who is not known to be dead. Looks only. */
export function isLocked(file: string): boolean {
  return readHolder(file)?.stale === false;
}

/** Locks that this process holds while it does other things. */
const held = new Set<string>();

/** Milliseconds between two looks at a lock that is taken. */
const longestPause = 25;

/** Short: a link to less than 60 characters needs no block of its own on the disk, which shows. */
function newNonce(): string {
  return Date.now().toString(36) + process.hrtime()[1].toString(36);
}

function delay(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}

function tryAcquire(file: string, nonce: string): boolean {
  try {
    if (nonce === parkedNonce(file) && unpark(file)) return true;
    create(file, JSON.stringify({ pid: process.pid, host: os.hostname(), nonce }));
    return true;
  } catch (error) {
    if (isMissing(error)) {
      makeFolder(path.dirname(file));
      return false;
    }
    if (!isTaken(error)) throw error;
    const seen = readHolder(file);
    if (seen?.stale) breakLock(file, seen.text);
    return false;
  }
}

const withoutLinks = new Set(['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'ENAMETOOLONG']);

/** @throws EEXIST when it is taken. */
function create(file: string, text: string): void {
  if (process.platform !== 'win32') {
    try {
      fs.symlinkSync(text, file);
      return;
    } catch (error) {
      if (!withoutLinks.has(systemCode(error) ?? '')) throw error;
    }
  }
  const fd = fs.openSync(file, 'wx', 0o600);
  let isWritten = false;
  try {
    fs.writeSync(fd, text);
    isWritten = true;
  } finally {
    fs.closeSync(fd);
    // On a full disk no lock without a name must stay: everybody else would wait for it.
    if (!isWritten) fs.rmSync(file, { force: true });
  }
}

/** Long work under a lock calls this now and then, so that nobody takes its holder for dead. */
export function keepLock(file: string): void {
  const now = new Date();
  fs.lutimesSync(file, now, now);
}

/** Tried again at once, and then left to go stale: what was done under the lock is done, and must not fail for it. */
function release(file: string, nonce: string): void {
  for (let attempt = 1; attempt <= 2; attempt++) {
    try {
      if (readHolder(file)?.text.includes(nonce)) letGo(file, nonce);
      return;
    } catch (error) {
      if (systemCode(error) === undefined) throw error;
    }
  }
}

function readHolder(file: string): { readonly text: string; readonly stale: boolean } | undefined {
  try {
    const stat = fs.lstatSync(file);
    const text = stat.isSymbolicLink() ? fs.readlinkSync(file) : fs.readFileSync(file, 'utf8');
    return { text, stale: isStale(text, Date.now() - stat.mtimeMs) };
  } catch (error) {
    if (isMissing(error) || isBusyOnWindows(error)) return undefined;
    // It was taken over between the two looks.
    if (systemCode(error) === 'EINVAL') return undefined;
    throw error;
  }
}

function isStale(text: string, age: number): boolean {
  const pid = Number(/"pid":(\d+)/.exec(text)?.[1]);
  const sameHost = text.includes(`"host":${JSON.stringify(os.hostname())}`);
  // An empty file (where there are no links): its holder is between creating and writing it, or died there.
  if (!sameHost || !Number.isSafeInteger(pid))
    return age > foreignStaleAfter || (text === '' && age > breakerStaleAfter);
  return age > reusedPidAfter || !isAlive(pid);
}

function breakLock(file: string, seen: string): void {
  const breaker = `${file}.break`;
  try {
    fs.closeSync(fs.openSync(breaker, 'wx', 0o600));
  } catch (error) {
    if (!isTaken(error)) throw error;
    const age =
      Date.now() - (fs.statSync(breaker, { throwIfNoEntry: false })?.mtimeMs ?? Date.now());
    if (age > breakerStaleAfter) fs.rmSync(breaker, { force: true });
    return;
  }
  try {
    if (readHolder(file)?.text === seen) fs.rmSync(file, { force: true });
  } finally {
    fs.rmSync(breaker, { force: true });
  }
}

function isTaken(error: unknown): boolean {
  return (
    (error instanceof Error && 'code' in error && error.code === 'EEXIST') || isBusyOnWindows(error)
  );
}

/** Windows answers EPERM or EBUSY while another process is deleting the file. */
function isBusyOnWindows(error: unknown): boolean {
  if (process.platform !== 'win32' || !(error instanceof Error) || !('code' in error)) return false;
  return error.code === 'EPERM' || error.code === 'EBUSY' || error.code === 'EACCES';
}

function sleep(milliseconds: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, milliseconds);
}
