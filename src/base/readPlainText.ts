/**
 * Reads a text file that lies in the work tree, where a repository or an agent may have put anything under its name: no
 * link is followed, nothing but a plain file is opened, and no more is read than can be meant.
 */
import fs from 'node:fs';
import { lstatIfExists } from './lstatIfExists.ts';

/** Bytes. The manifest of a turn with a hundred thousand files takes some 50 MB. */
const largest = 256 * 1024 * 1024;

/**
 * Undefined when nothing is there. @throws system errors; an Error with a sentence for what is no text file of ours.
 * @param most bytes
 */
export function readPlainText(file: string, most = largest): string | undefined {
  const stat = lstatIfExists(file);
  if (stat === undefined) return undefined;
  if (!stat.isFile()) throw new Error('It is not a plain file.');
  if (stat.size > most) throw new Error('It is too large.');
  const { O_RDONLY, O_NOFOLLOW, O_NONBLOCK } = fs.constants;
  const fd = fs.openSync(file, O_RDONLY | (O_NOFOLLOW ?? 0) | (O_NONBLOCK ?? 0));
  try {
    return fs.readFileSync(fd, 'utf8');
  } finally {
    fs.closeSync(fd);
  }
}
