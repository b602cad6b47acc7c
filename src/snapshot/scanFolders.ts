/** Compares known folders and files with what the disk has: lstat alone, no names are read, nothing is opened. */
import fs from 'node:fs';
import { isMissing } from '../base/atomicFile.ts';
import { fsPath, fsPathIn } from '../git/pathBytes.ts';
import { isDenied } from './captureRules.ts';
import { type Columns, racy, unread } from './fileTable.ts';
import { isFolderMode } from './listTree.ts';
import type { ScanReply, ToldFolder } from './workerMessages.ts';

const chunk = 32;
const options = { bigint: true, throwIfNoEntry: false } as const;

/** @param next shared counter: several callers divide the folders among themselves */
export function scanFolders(
  root: string,
  columns: Columns,
  folders: readonly (ToldFolder['content'] | undefined)[],
  next: Int32Array,
  folderCount: number,
): ScanReply {
  const changed: number[] = [];
  const relist: number[] = [];
  for (;;) {
    const start = Atomics.add(next, 0, chunk);
    if (start >= folderCount) break;
    for (let index = start; index < Math.min(start + chunk, folderCount); index++) {
      const folder = folders[index];
      if (folder === undefined) continue;
      if (!isSame(columns, folder.entry, fsPathIn(root, folder.path))) relist.push(index);
      const prefix = folder.path === '' ? root : String(fsPathIn(root, folder.path));
      const isPlain = folder.path.isWellFormed();
      for (let i = 0; i < folder.names.length; i++) {
        const name = folder.names[i] ?? '';
        const entry = folder.entries[i] ?? 0;
        const place = isPlain
          ? fsPath(`${prefix}/${name}`)
          : fsPathIn(root, `${folder.path}/${name}`);
        if (!isSame(columns, entry, place)) changed.push(entry);
      }
    }
  }
  return { changed: Uint32Array.from(changed), relist: Uint32Array.from(relist) };
}

function isSame(columns: Columns, entry: number, place: string | Buffer): boolean {
  if (((columns.flags[entry] ?? 0) & (racy | unread)) !== 0) return false;
  try {
    const stat = fs.lstatSync(place, options);
    if (stat === undefined) return false;
    const mode = Number(stat.mode);
    return (
      columns.mtime[entry] === stat.mtimeNs &&
      columns.ctime[entry] === stat.ctimeNs &&
      columns.mode[entry] === mode &&
      columns.ino[entry] === BigInt.asUintN(64, stat.ino) &&
      (isFolderMode(mode) || columns.size[entry] === Number(stat.size))
    );
  } catch (error) {
    if (isMissing(error) || isDenied(error)) return false;
    throw error;
  }
}
