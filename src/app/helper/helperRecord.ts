/**
 * Where a root's helper is: `<home>/roots/<id>/helper.json`, readable by its user only. Whoever can read it may talk to
 * the helper. It may be stale: only a connection shows that the helper lives. Uses `node:fs` and `node:path` alone.
 */
import fs from 'node:fs';
import path from 'node:path';
import { makeFolder, readIfExists, writeFileAtomic } from '../../base/atomicFile.ts';
import { withLock } from '../../base/fileLock.ts';
import { rootFolder } from '../../base/home.ts';
import type { Root } from '../../core/ids.ts';

export interface HelperRecord {
  readonly pid: number;
  readonly root: string;
  /** Of a socket, or a named pipe of Windows. */
  readonly address: string;
  /** What a client must say first. */
  readonly token: string;
  readonly version: string;
  readonly protocol: number;
}

export function recordFile(home: string, root: Root): string {
  return path.join(rootFolder(home, root), 'helper.json');
}

/** Undefined when there is none, or it cannot be understood. */
export function readRecord(home: string, root: Root): HelperRecord | undefined {
  const text = readIfExists(recordFile(home, root));
  const record = text === undefined ? undefined : parseRecord(text);
  return record?.root === root ? record : undefined;
}

/**
 * Takes the place of the helper that is there, if that is still `previous`.
 * @returns false when another one came first
 */
export function publishRecord(
  home: string,
  record: HelperRecord,
  previous: HelperRecord | undefined,
): boolean {
  const root = record.root as Root;
  makeFolder(rootFolder(home, root));
  const done = withLock(lockOf(home, root), { wait: 2000 }, () => {
    if (readRecord(home, root)?.token !== previous?.token) return false;
    writeFileAtomic(recordFile(home, root), `${JSON.stringify(record)}\n`, { durable: false });
    return true;
  });
  return done?.value ?? false;
}

/** @returns false when another helper took its place */
export function withdrawRecord(home: string, record: HelperRecord): boolean {
  const root = record.root as Root;
  // Without the folder there is nothing to withdraw, and none must be made.
  if (!fs.existsSync(rootFolder(home, root))) return true;
  const done = withLock(lockOf(home, root), { wait: 500 }, () => {
    const isOurs = readRecord(home, root)?.token === record.token;
    if (isOurs) fs.rmSync(recordFile(home, root), { force: true });
    return isOurs;
  });
  return done?.value ?? false;
}

function lockOf(home: string, root: Root): string {
  return path.join(rootFolder(home, root), 'helper.lock');
}

function parseRecord(text: string): HelperRecord | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isRecord(value) ? value : undefined;
  } catch {
    // Half a file of another version, or somebody else's: as if there were none.
    return undefined;
  }
}

function isRecord(value: unknown): value is HelperRecord {
  return (
    typeof value === 'object' &&
    value !== null &&
    'pid' in value &&
    typeof value.pid === 'number' &&
    'root' in value &&
    typeof value.root === 'string' &&
    'address' in value &&
    typeof value.address === 'string' &&
    'token' in value &&
    typeof value.token === 'string' &&
    'version' in value &&
    typeof value.version === 'string' &&
    'protocol' in value &&
    typeof value.protocol === 'number'
  );
}
