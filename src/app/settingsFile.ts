/** Other programs' configuration files: read as exact text, replaced whole, links and modes kept. */
import fs from 'node:fs';
import path from 'node:path';
import { isMissing, writeFileAtomic } from '../base/atomicFile.ts';
import { messageOf, UserError } from '../core/errors.ts';

/** Where a file really is: the end of its links, which need not exist. */
export function targetOf(file: string): string {
  let at = file;
  for (let hops = 0; hops < 40; hops++) {
    const link = linkAt(at);
    if (link === undefined) return path.join(realFolderOf(at), path.basename(at));
    at = path.resolve(path.dirname(at), link);
  }
  throw new UserError('fileSystem', `${file} is a link that leads in a circle.`, { file });
}

/** The text with its byte order mark; null when there is no file. @throws UserError `config`, `fileSystem`. */
export function readSettings(file: string): string | null {
  let bytes: Uint8Array;
  try {
    bytes = fs.readFileSync(file);
  } catch (error) {
    if (isMissing(error)) return null;
    throw fileError('read', file, error);
  }
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch (error) {
    throw new UserError(
      'config',
      `${file} is not a UTF-8 text; it was left as it is.`,
      { file },
      error,
    );
  }
}

/** Creates or replaces the file and its missing folders; an existing one keeps its mode. @throws UserError `fileSystem`. */
export function writeSettings(file: string, text: string, modeOfNew: number): void {
  try {
    fs.mkdirSync(path.dirname(file), { recursive: true });
    const present = fs.statSync(file, { throwIfNoEntry: false });
    const mode = present === undefined ? modeOfNew : present.mode & 0o7777;
    writeFileAtomic(file, text, { mode });
    if ((fs.statSync(file).mode & 0o7777) !== mode) fs.chmodSync(file, mode);
  } catch (error) {
    throw fileError('written', file, error);
  }
}

/** Removes the file, then those of the folders that are empty. @throws UserError `fileSystem`. */
export function removeSettings(file: string, folders: readonly string[]): void {
  try {
    fs.rmSync(file, { force: true });
    for (const folder of folders.toReversed()) {
      if (fs.existsSync(folder) && fs.readdirSync(folder).length === 0) fs.rmdirSync(folder);
    }
  } catch (error) {
    throw fileError('removed', file, error);
  }
}

/** The folders above `file` that do not exist yet, outermost first. */
export function missingFolders(file: string): readonly string[] {
  const missing: string[] = [];
  for (let at = path.dirname(file); !fs.existsSync(at); at = path.dirname(at)) missing.unshift(at);
  return missing;
}

function linkAt(file: string): string | undefined {
  const isLink = fs.lstatSync(file, { throwIfNoEntry: false })?.isSymbolicLink() === true;
  return isLink ? fs.readlinkSync(file) : undefined;
}

/** The real path of the nearest existing folder, with the missing ones behind it. */
function realFolderOf(file: string): string {
  const folder = path.dirname(file);
  if (fs.existsSync(folder)) return fs.realpathSync.native(folder);
  return folder === path.dirname(folder)
    ? folder
    : path.join(realFolderOf(folder), path.basename(folder));
}

function fileError(what: string, file: string, cause: unknown): UserError {
  return new UserError(
    'fileSystem',
    `${file} cannot be ${what}: ${messageOf(cause)}.`,
    { file },
    cause,
  );
}
