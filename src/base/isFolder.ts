/** Whether a folder is there, or a link to one. */
import fs from 'node:fs';

/** @throws system errors, but for what is missing. */
export function isFolder(folder: string): boolean {
  return fs.statSync(folder, { throwIfNoEntry: false })?.isDirectory() === true;
}
