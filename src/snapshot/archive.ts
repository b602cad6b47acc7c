/**
 * Copies of checkpoint folders in the snapshot store, for the day on which somebody removes `.memcode`: one commit of the
 * folder's files on `refs/checkpoints/<name>`, without a parent. Equal bytes are stored once, with those of the snapshots.
 */
import fs from 'node:fs';
import path from 'node:path';
import { isMissing, listIfExists, makeFolder, syncFolder } from '../base/atomicFile.ts';
import { temporaryPrefix } from '../base/temporaryPrefix.ts';
import { isUserError, UserError } from '../core/errors.ts';
import { deleteRef, listRefs, readRef, updateRef } from '../git/bareRepository.ts';
import {
  decodeCommit,
  decodeTree,
  encodeCommit,
  encodeTree,
  fileMode,
  folderMode,
  type ObjectId,
  objectId,
  type TreeEntry,
} from '../git/gitObject.ts';
import type { ObjectStore } from '../git/objectStore.ts';
import { PackWriter } from '../git/packWriter.ts';
import { fsPathIn } from '../git/pathBytes.ts';
import { identity } from './snapshotMessage.ts';

export interface ArchivedCheckpoint {
  /** As it was given to `archive`. */
  readonly name: string;
  readonly id: ObjectId;
  /** Milliseconds since 1970, to the second. */
  readonly at: number;
}

export interface ArchiveResult {
  readonly id: ObjectId;
  /** False: it was archived in this state already. */
  readonly isNew: boolean;
}

export interface ArchiveStore {
  /** The bare repository; must exist. */
  readonly folder: string;
  readonly objects: ObjectStore;
  readonly now: () => number;
  readonly durable: boolean;
}

const prefix = 'refs/checkpoints/';
const attempts = 20;
/** At the top of a copy: no folder of the checkpoint's. */
const heldName = 'held';
/** Bytes. Larger files would be held in memory; they are left out, and missed by name when the copy is brought back. */
const largestFile = 64 * 1024 * 1024;

/**
 * @param source a folder of ours: files and folders only
 * @param held blobs of the store that stay in it as long as the copy does
 * @throws UserError `locked`, `usage` for a bad name.
 */
export function archiveFolder(
  store: ArchiveStore,
  name: string,
  source: string,
  held: readonly ObjectId[] = [],
): ArchiveResult {
  const ref = refOf(name);
  const { folder, objects, durable } = store;
  for (let attempt = 0; attempt < attempts; attempt++) {
    const from = readRef(folder, ref);
    const pack = new PackWriter(path.join(folder, 'objects', 'pack'), { durable });
    try {
      const tree = packFolder(objects, pack, source, heldTree(objects, pack, held));
      if (from !== undefined && isCommitOf(objects, from, tree)) {
        pack.discard();
        return { id: from, isNew: false };
      }
      const at = Math.floor(store.now() / 1000);
      const commit = { tree, parents: [], at, message: JSON.stringify({ checkpoint: name }) };
      const id = pack.add('commit', encodeCommit(commit, identity));
      const base = pack.finish();
      if (base !== undefined) objects.addPack(base);
      const moved = updateRef(folder, { ref, from, to: id, durable });
      if (base !== undefined) PackWriter.release(base);
      if (moved === 'done') return { id, isNew: true };
    } catch (error) {
      pack.discard();
      throw error;
    }
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 5);
  }
  throw new UserError('locked', 'Another process holds the snapshot store. Try again.', { name });
}

/** By name; none that cannot be read. */
export function archivedFolders(store: ArchiveStore): readonly ArchivedCheckpoint[] {
  return listRefs(store.folder, prefix).flatMap(({ ref, id }) => {
    try {
      const { at } = decodeCommit(store.objects.read(id, 'commit'));
      return [{ name: nameOf(ref), id, at: at * 1000 }];
    } catch (error) {
      if (isUserError(error, 'damaged')) return [];
      throw error;
    }
  });
}

/**
 * Writes the archived files, flushed, to `target`, which must not exist; only when all of them can be had.
 * @throws UserError `notFound`, `damaged`; EEXIST.
 */
export function unarchiveFolder(store: ArchiveStore, name: string, target: string): void {
  const id = readRef(store.folder, refOf(name));
  if (id === undefined)
    throw new UserError('notFound', `There is no archived checkpoint ${name}.`, { name });
  const { objects } = store;
  const all = filesOf(objects, decodeCommit(objects.read(id, 'commit')).tree, '');
  for (const file of all) objects.read(file.id, 'blob');
  const files = all.filter(({ at }) => !at.startsWith(`${heldName}/`));
  makeFolder(path.dirname(target));
  fs.mkdirSync(target, { mode: 0o700 });
  const folders = new Set([target, path.dirname(target)]);
  for (const { at, id: blob } of files) {
    const file = fsPathIn(target, at);
    const folder = path.dirname(String(file));
    makeFolder(folder);
    folders.add(folder);
    fs.writeFileSync(file, objects.read(blob, 'blob'), { mode: 0o600, flag: 'wx', flush: true });
  }
  for (const folder of folders) syncFolder(folder);
}

export function hasArchived(store: Pick<ArchiveStore, 'folder'>, name: string): boolean {
  return readRef(store.folder, refOf(name)) !== undefined;
}

export function dropArchived(store: ArchiveStore, name: string): void {
  deleteRef(store.folder, refOf(name));
}

function isCommitOf(objects: ObjectStore, id: ObjectId, tree: ObjectId): boolean {
  try {
    return decodeCommit(objects.read(id, 'commit')).tree === tree;
  } catch (error) {
    // What was kept before cannot be read: it is replaced.
    if (isUserError(error, 'damaged')) return false;
    throw error;
  }
}

/** A tree that names them; none without any. */
function heldTree(
  objects: ObjectStore,
  pack: PackWriter,
  held: readonly ObjectId[],
): readonly TreeEntry[] {
  const blobs = [...new Set(held)].filter((id) => objects.has(id));
  if (blobs.length === 0) return [];
  const tree = encodeTree(blobs.map((id) => ({ mode: fileMode, name: id, id })));
  return [{ mode: folderMode, name: heldName, id: keep(objects, pack, 'tree', tree) }];
}

function packFolder(
  objects: ObjectStore,
  pack: PackWriter,
  folder: string,
  more: readonly TreeEntry[] = [],
): ObjectId {
  const entries = [...more];
  for (const entry of listIfExists(folder)) {
    const at = path.join(folder, entry.name);
    if (entry.name.toLowerCase() === '.git') continue;
    if (entry.isDirectory())
      entries.push({ mode: folderMode, name: entry.name, id: packFolder(objects, pack, at) });
    if (!entry.isFile() || entry.name.startsWith(temporaryPrefix)) continue;
    const bytes = readUnlessGone(at);
    if (bytes === undefined) continue;
    entries.push({ mode: fileMode, name: entry.name, id: keep(objects, pack, 'blob', bytes) });
  }
  return keep(objects, pack, 'tree', encodeTree(entries));
}

function keep(
  objects: ObjectStore,
  pack: PackWriter,
  kind: 'blob' | 'tree',
  bytes: Buffer,
): ObjectId {
  const id = objectId(kind, bytes);
  if (!objects.has(id)) pack.add(kind, bytes);
  return id;
}

/** Also undefined for a file that is too large. A temporary may go between listing and reading. */
function readUnlessGone(file: string): Buffer | undefined {
  try {
    return fs.statSync(file).size > largestFile ? undefined : fs.readFileSync(file);
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
}

function filesOf(
  objects: ObjectStore,
  tree: ObjectId,
  folder: string,
): readonly { readonly at: string; readonly id: ObjectId }[] {
  return decodeTree(objects.read(tree, 'tree')).flatMap(({ mode, name, id }) => {
    if (name === '' || name === '.' || name === '..' || /[/\\\0]/.test(name))
      throw new UserError('damaged', `An archived checkpoint has a file ${name}.`, { name });
    const at = folder === '' ? name : `${folder}/${name}`;
    return mode === folderMode ? filesOf(objects, id, at) : [{ at, id }];
  });
}

/** Git refuses some names that folders may have; those characters are written as `%xx`. */
function refOf(name: string): string {
  if (!/^[A-Za-z0-9~._-]+\/\d+$/.test(name))
    throw new UserError('usage', `${name} is no name of a checkpoint.`, { name });
  return prefix + name.replace(/~|^\.|\.(?=\.|\/|lock\/)/g, (char) => `%${hex(char)}`);
}

function nameOf(ref: string): string {
  return ref
    .slice(prefix.length)
    .replace(/%([0-9a-f]{2})/g, (_, code: string) =>
      String.fromCharCode(Number.parseInt(code, 16)),
    );
}

function hex(char: string): string {
  return char.charCodeAt(0).toString(16);
}
