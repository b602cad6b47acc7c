/** Writes a document for a person: whole or not at all, and only over what they have seen. */
import fs from 'node:fs';
import path from 'node:path';
import { makeFolder, writeFileAtomic } from '../base/atomicFile.ts';
import { lstatIfExists } from '../base/lstatIfExists.ts';
import { hasModes } from '../base/platform.ts';
import { UserError } from '../core/errors.ts';
import { readDocument } from './documentFile.ts';
import { type DocumentTarget, writablePath } from './documentTargets.ts';

const newMode = 0o644;

/**
 * The text of a document as an editor shows it: raw, with its import lines. Undefined when there is none.
 * @throws UserError `fileSystem` for what cannot be read or would not survive being written again.
 */
export function rawDocument(file: string): string | undefined {
  const read = readDocument(file);
  if (read.kind === 'absent') return undefined;
  if (read.kind === 'refused')
    throw new UserError('fileSystem', `${file}: ${read.reason}.`, { path: file });
  const text = read.bytes.toString('utf8');
  if (Buffer.from(text).equals(read.bytes)) return text;
  throw new UserError('fileSystem', `${file}: it is not UTF-8 throughout.`, { path: file });
}

/**
 * Replaces or makes a document. Its mode stays; links that stay inside are followed.
 * @param seen what `rawDocument` gave when the person began
 * @throws UserError `outsideRoot`; `conflicts` when it was changed since: nothing is written then; `fileSystem`.
 */
export function writeDocument(
  file: string,
  known: readonly DocumentTarget[],
  seen: string | undefined,
  text: string,
): void {
  const real = writablePath(file, known);
  if (rawDocument(file) !== seen)
    throw new UserError('conflicts', `${file} was changed meanwhile. Nothing was written.`, {
      path: file,
    });
  const stat = lstatIfExists(real);
  if (stat !== undefined && !stat.isFile())
    throw new UserError('fileSystem', `${file} is no plain file.`, { path: file });
  if (stat !== undefined && stat.nlink > 1)
    throw new UserError(
      'fileSystem',
      `${file} has further names (hard links), which would part from it. Edit it by hand.`,
      { path: file },
    );
  makeFolder(path.dirname(real));
  const mode = stat === undefined ? newMode : stat.mode & 0o777;
  writeFileAtomic(real, text, { mode });
  // The process may mask bits that the file had.
  if (stat !== undefined && hasModes(process.platform)) fs.chmodSync(real, mode);
}
