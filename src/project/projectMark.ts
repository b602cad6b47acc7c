/**
 * The mark by which a project finds its folder again after it was moved or renamed: `.memcode/project.json`. Git never
 * shows it, since `.memcode` ignores itself. Nothing depends on it but that: a folder without one is as good.
 */
import fs from 'node:fs';
import path from 'node:path';
import { listIfExists, makeFolder, writeFileAtomic } from '../base/atomicFile.ts';
import { lstatIfExists } from '../base/lstatIfExists.ts';
import { readPlainText } from '../base/readPlainText.ts';
import { systemCode } from '../core/errors.ts';
import { asProjectId, type ProjectId } from '../core/ids.ts';

const ourFolder = (workdir: string) => path.join(workdir, '.memcode');
const markFile = (workdir: string) => path.join(ourFolder(workdir), 'project.json');
const ignoreText = '*\n';
/** Bytes. It is looked for in every folder above the one that is opened. */
const largestMark = 4096;

/** @throws the system error where the folder cannot be written; an Error where `.memcode` is no folder. */
export function writeMark(workdir: string, project: ProjectId): void {
  const folder = ourFolder(workdir);
  const stat = lstatIfExists(folder);
  // A repository can bring a link to anywhere under this name.
  if (stat !== undefined && !stat.isDirectory()) throw new Error(`${folder} is not a folder.`);
  makeFolder(folder);
  try {
    fs.writeFileSync(path.join(folder, '.gitignore'), ignoreText, { flag: 'wx' });
  } catch (error) {
    if (systemCode(error) !== 'EEXIST') throw error;
  }
  writeFileAtomic(markFile(workdir), `${JSON.stringify({ format: 1, project })}\n`);
}

/** Undefined where there is none that can be understood. */
export function readMark(workdir: string): ProjectId | undefined {
  try {
    if (lstatIfExists(ourFolder(workdir))?.isDirectory() !== true) return undefined;
    const value: unknown = JSON.parse(readPlainText(markFile(workdir), largestMark) ?? 'null');
    if (typeof value !== 'object' || value === null || !('project' in value)) return undefined;
    return typeof value.project === 'string' ? asProjectId(value.project) : undefined;
  } catch {
    // Whatever lies there is not ours, or cannot be read: it marks nothing.
    return undefined;
  }
}

/** Only the mark of this project; with it `.memcode`, when nothing but ours is left in it. */
export function removeMark(workdir: string, project: ProjectId): void {
  if (readMark(workdir) !== project) return;
  fs.rmSync(markFile(workdir));
  const folder = ourFolder(workdir);
  const ignore = path.join(folder, '.gitignore');
  const left = listIfExists(folder).map(({ name }) => name);
  if (left.join() !== '.gitignore' || readPlainText(ignore) !== ignoreText) return;
  fs.rmSync(ignore);
  fs.rmdirSync(folder);
}
