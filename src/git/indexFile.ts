/** Git's index (version 2, or 3 where files are left out) for a folder whose files are as a tree has them. Without times: git looks at the files once. */
import crypto from 'node:crypto';
import type { ObjectId } from './gitObject.ts';

export interface IndexEntry {
  /** `/`-separated; ASCII. */
  readonly path: string;
  readonly mode: number;
  readonly id: ObjectId;
  /** The file is not in the folder, and that is how it should be. */
  readonly isLeftOut?: boolean;
}

/** @param entries in the order of their paths' bytes */
export function encodeIndex(entries: readonly IndexEntry[]): Buffer {
  const header = Buffer.alloc(12);
  header.write('DIRC', 0, 'latin1');
  header.writeUInt32BE(entries.some(({ isLeftOut }) => isLeftOut) ? 3 : 2, 4);
  header.writeUInt32BE(entries.length, 8);
  const chunks = [header, ...entries.map(encodeEntry)];
  const body = Buffer.concat(chunks);
  return Buffer.concat([body, crypto.createHash('sha1').update(body).digest()]);
}

const extended = 0x4000;
/** Of the flags that version 3 adds. */
const skipWorktree = 0x4000;

function encodeEntry({ path, mode, id, isLeftOut = false }: IndexEntry): Buffer {
  const name = Buffer.from(path, 'latin1');
  const head = isLeftOut ? 64 : 62;
  const length = head + name.length;
  const entry = Buffer.alloc(length + 8 - (length % 8));
  entry.writeUInt32BE(mode, 24);
  entry.write(id, 40, 'hex');
  entry.writeUInt16BE(Math.min(name.length, 0xfff) | (isLeftOut ? extended : 0), 60);
  if (isLeftOut) entry.writeUInt16BE(skipWorktree, 62);
  name.copy(entry, head);
  return entry;
}
