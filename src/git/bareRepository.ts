/**
 * A bare repository of ours: creation, and its refs with git's own lock protocol (`<ref>.lock` created exclusively, then
 * renamed), so that git and we may work on it at once. Never a repository of the user's.
 */
import fs from 'node:fs';
import path from 'node:path';
import {
  isMissing,
  listIfExists,
  makeFolder,
  readIfExists,
  writeFileAtomic,
} from '../base/atomicFile.ts';
import { renameOver } from '../base/renameOver.ts';
import type { ObjectId } from './gitObject.ts';

const staleLock = 10_000;

/**
 * Names and links that git warns of because checking them out could be abused; we keep what a folder has, byte for byte,
 * and nobody checks out from here.
 */
const tolerated = [
  'gitmodulesUrl',
  'gitmodulesName',
  'gitmodulesPath',
  'gitmodulesUpdate',
  'gitmodulesParse',
  'gitmodulesLarge',
  'gitmodulesSymlink',
  'gitattributesSymlink',
  'gitattributesLineLength',
  'gitattributesLarge',
  'gitignoreSymlink',
  'mailmapSymlink',
];

const config = `[core]
	repositoryformatversion = 0
	filemode = true
	bare = true
	logallrefupdates = false
[gc]
	auto = 0
[fsck]
${tolerated.map((id) => `\t${id} = ignore\n`).join('')}`;

/** Creates what is missing of the repository. HEAD comes last and makes it one. */
export function createBareRepository(folder: string): void {
  if (isRepository(folder)) return;
  for (const inner of ['objects/pack', 'objects/info', 'refs/heads', 'info'])
    makeFolder(path.join(folder, ...inner.split('/')));
  writeFileAtomic(path.join(folder, 'config'), config);
  writeFileAtomic(path.join(folder, 'HEAD'), 'ref: refs/heads/main\n');
}

export function isRepository(folder: string): boolean {
  return fs.existsSync(path.join(folder, 'HEAD')) && fs.existsSync(path.join(folder, 'objects'));
}

/** Undefined when there is no such ref. */
export function readRef(folder: string, ref: string): ObjectId | undefined {
  const loose = readIfExists(path.join(folder, ...ref.split('/')))?.trim();
  if (loose !== undefined && isId(loose)) return loose;
  const line = readIfExists(path.join(folder, 'packed-refs'))
    ?.split('\n')
    .find((text) => text.endsWith(` ${ref}`));
  const packed = line?.slice(0, 40);
  return packed !== undefined && isId(packed) ? packed : undefined;
}

/** Refs below a prefix that ends in `/`, by name. */
export function listRefs(
  folder: string,
  prefix: string,
): readonly { readonly ref: string; readonly id: ObjectId }[] {
  const found = new Set(
    packedRefs(folder)
      .map((line) => line.slice(41))
      .filter((ref) => ref.startsWith(prefix)),
  );
  const walk = (at: string): void => {
    for (const entry of listIfExists(path.join(folder, ...at.split('/')))) {
      if (entry.isDirectory()) walk(`${at}${entry.name}/`);
      else if (!entry.name.endsWith('.lock')) found.add(at + entry.name);
    }
  };
  walk(prefix);
  return [...found].sort().flatMap((ref) => {
    const id = readRef(folder, ref);
    return id === undefined ? [] : [{ ref, id }];
  });
}

/** Wherever git keeps it. Nothing happens when there is no such ref, or somebody is just writing it. */
export function deleteRef(folder: string, ref: string): void {
  const isPacked = packedRefs(folder).some((line) => line.endsWith(` ${ref}`));
  if (isPacked) {
    const lock = path.join(folder, 'packed-refs.lock');
    const fd = openLock(lock);
    if (fd === undefined) return;
    fs.closeSync(fd);
    try {
      const lines = (readIfExists(path.join(folder, 'packed-refs')) ?? '').split('\n');
      writeFileAtomic(
        path.join(folder, 'packed-refs'),
        lines.filter((line) => !line.endsWith(` ${ref}`)).join('\n'),
      );
    } finally {
      fs.rmSync(lock, { force: true });
    }
  }
  fs.rmSync(path.join(folder, ...ref.split('/')), { force: true });
}

function packedRefs(folder: string): readonly string[] {
  return (readIfExists(path.join(folder, 'packed-refs')) ?? '')
    .split('\n')
    .filter((line) => isId(line.slice(0, 40)) && line[40] === ' ');
}

export interface RefUpdate {
  readonly ref: string;
  /** What it must be now; undefined: it must not exist. */
  readonly from: ObjectId | undefined;
  readonly to: ObjectId;
  readonly durable?: boolean;
}

/** @returns 'moved' when the ref is not what was expected, 'busy' when somebody else holds its lock. */
export function updateRef(folder: string, update: RefUpdate): 'done' | 'moved' | 'busy' {
  const file = path.join(folder, ...update.ref.split('/'));
  const lock = `${file}.lock`;
  makeFolder(path.dirname(file));
  const fd = openLock(lock);
  if (fd === undefined) return 'busy';
  let isKept = false;
  try {
    if (readRef(folder, update.ref) !== update.from) return 'moved';
    fs.writeSync(fd, `${update.to}\n`);
    if (update.durable ?? true) fs.fsyncSync(fd);
    isKept = true;
  } finally {
    fs.closeSync(fd);
    if (!isKept) fs.rmSync(lock, { force: true });
  }
  // Without flushing the folder: a power cut may take the newest snapshot, never the chain.
  renameOver(lock, file);
  return 'done';
}

/** A lock that a killed process left is removed after ten seconds; holders keep it for milliseconds. */
function openLock(lock: string): number | undefined {
  try {
    return fs.openSync(lock, 'wx', 0o600);
  } catch (error) {
    if (!(error instanceof Error) || !('code' in error) || error.code !== 'EEXIST') throw error;
  }
  try {
    if (Date.now() - fs.statSync(lock).mtimeMs > staleLock) fs.rmSync(lock, { force: true });
  } catch (error) {
    if (!isMissing(error)) throw error;
  }
  return undefined;
}

function isId(text: string): boolean {
  return /^[0-9a-f]{40}$/.test(text);
}
