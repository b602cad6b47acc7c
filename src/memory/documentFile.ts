/**
 * Reads a text file that a person, a repository or an agent has put there: regular files only, whatever the name leads to, and
 * never more than can be meant. Opening does not wait (a pipe without a writer would), and nothing here throws for what
 * is on the disk: what cannot be read is said in words.
 */
import fs from 'node:fs';
import { isMissing } from '../base/atomicFile.ts';
import { systemCode } from '../core/errors.ts';
import { memoryLimits } from '../core/memory.ts';

export type DocumentRead = DocumentText | { readonly kind: 'absent' } | DocumentRefused;

export interface DocumentText {
  readonly kind: 'text';
  /** Without a byte order mark. */
  readonly text: string;
  readonly bytes: Buffer;
  /** Where links have led. */
  readonly real: string;
  /** The same for all names of one file. */
  readonly identity: string;
}

export interface DocumentRefused {
  readonly kind: 'refused';
  /** The end of a sentence: `it is a folder`. */
  readonly reason: string;
}

/** Follows links; the caller judges `real`. */
export function readDocument(file: string, largest: number = memoryLimits.fileBytes): DocumentRead {
  try {
    const real = fs.realpathSync.native(file);
    const named = fs.lstatSync(real);
    if (!named.isFile()) return refused(`it is ${kindOf(named)}`);
    if (named.size > largest) return refused(`it has ${named.size} bytes, more than ${largest}`);
    const { O_RDONLY, O_NOFOLLOW, O_NONBLOCK } = fs.constants;
    const fd = fs.openSync(real, O_RDONLY | (O_NOFOLLOW ?? 0) | (O_NONBLOCK ?? 0));
    try {
      return textOf(fd, real, largest);
    } finally {
      fs.closeSync(fd);
    }
  } catch (error) {
    if (isMissing(error))
      return isLink(file) ? refused('the link leads nowhere') : { kind: 'absent' };
    if (systemCode(error) === undefined) throw error;
    // No more: what the system says names the file by its whole path, and agents are told of this.
    return refused(`it cannot be read (${systemCode(error)})`);
  }
}

function textOf(fd: number, real: string, largest: number): DocumentRead {
  const stat = fs.fstatSync(fd, { bigint: true });
  if (!stat.isFile()) return refused('it is no file');
  const bytes = fs.readFileSync(fd);
  if (bytes.length > largest) return refused(`it has more than ${largest} bytes`);
  if (bytes.includes(0)) return refused('it is no text');
  const text = new TextDecoder().decode(bytes);
  return { kind: 'text', text, bytes, real, identity: `${stat.dev}:${stat.ino}` };
}

function refused(reason: string): DocumentRefused {
  return { kind: 'refused', reason };
}

function kindOf(stat: fs.Stats): string {
  if (stat.isDirectory()) return 'a folder';
  if (stat.isFIFO()) return 'a pipe';
  if (stat.isSocket()) return 'a socket';
  return 'a device';
}

function isLink(file: string): boolean {
  try {
    return fs.lstatSync(file).isSymbolicLink();
  } catch (error) {
    if (isMissing(error)) return false;
    throw error;
  }
}
