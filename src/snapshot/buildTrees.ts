/** Git trees of the folders whose content changed, children first. Every other folder keeps the tree it has. */

import { rawId } from '../git/gitObject.ts';
import type { ObjectStore } from '../git/objectStore.ts';
import type { PackWriter } from '../git/packWriter.ts';
import { nameToBytes } from '../git/pathBytes.ts';
import type { FileTable, Folder } from './fileTable.ts';

/** @returns how many trees were built; the root's id is at its entry afterwards. */
export function buildTrees(
  table: FileTable,
  folder: Folder,
  store: ObjectStore,
  pack: PackWriter,
): number {
  let built = 1;
  for (const child of folder.children) {
    const inner = table.folderOf(child);
    if (inner?.isTreeDirty) built += buildTrees(table, inner, store, pack);
  }
  const bytes = encodeFolder(table, folder);
  const raw = rawId('tree', bytes);
  const isKnown = table.idOf(folder.entry).equals(raw) && store.hasPacked(raw);
  if (!isKnown && !store.hasRaw(raw)) pack.addKnown('tree', raw, raw.toString('hex'), bytes);
  table.idOf(folder.entry).set(raw);
  folder.isTreeDirty = false;
  return built;
}

const modePrefixes = new Map<number, Buffer>();

function modePrefix(mode: number): Buffer {
  const known = modePrefixes.get(mode);
  if (known) return known;
  const made = Buffer.from(`${mode.toString(8)} `, 'latin1');
  modePrefixes.set(mode, made);
  return made;
}

let scratch = Buffer.allocUnsafe(1 << 16);

/** A view of shared scratch memory: valid until the next call. */
function encodeFolder(table: FileTable, folder: Folder): Buffer {
  let at = 0;
  for (const entry of folder.children) {
    const name = table.names[entry] ?? '';
    const needed = at + name.length * 3 + 32;
    if (needed > scratch.length) scratch = Buffer.concat([scratch], needed * 2);
    at += modePrefix(table.gitMode(entry)).copy(scratch, at);
    at += name.isWellFormed()
      ? scratch.write(name, at, 'utf8')
      : nameToBytes(name).copy(scratch, at);
    scratch[at++] = 0;
    at += table.ids.copy(scratch, at, entry * 20, entry * 20 + 20);
  }
  return scratch.subarray(0, at);
}
