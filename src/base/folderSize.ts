/** Bytes of the regular files in a folder and below. Links are not followed; a missing folder is empty. */
import fs from 'node:fs';
import path from 'node:path';
import { isMissing, listIfExists } from './atomicFile.ts';

/** Files that vanish meanwhile count nothing. @throws other system errors. */
export function folderSize(folder: string): number {
  return listIfExists(folder).reduce((sum, entry) => {
    const full = path.join(folder, entry.name);
    if (entry.isDirectory()) return sum + folderSize(full);
    return entry.isFile() ? sum + fileSize(full) : sum;
  }, 0);
}

function fileSize(file: string): number {
  try {
    return fs.lstatSync(file).size;
  } catch (error) {
    if (isMissing(error)) return 0;
    throw error;
  }
}
