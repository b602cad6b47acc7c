/** Git's index (version 2) for a folder whose files are as a tree has them. Without times: git looks at the files once. */
import crypto from 'node:crypto';
import type { ObjectId } from './gitObject.ts';

export interface IndexEntry {
  /** `/`-separated; ASCII. */
  readonly path: string;
  readonly mode: number;
  readonly id: ObjectId;
}

/** @param entries in the order of their paths' bytes */
export function encodeIndex(entries: readonly IndexEntry[]): Buffer {
  const header = Buffer.alloc(12);
  header.write('DIRC', 0, 'latin1');
  header.writeUInt32BE(2, 4);
  header.writeUInt32BE(entries.length, 8);
  const chunks = [header, ...entries.map(encodeEntry)];
  const body = Buffer.concat(chunks);
  return Buffer.concat([body, crypto.createHash('sha1').update(body).digest()]);
}

function encodeEntry({ path, mode, id }: IndexEntry): Buffer {
  const name = Buffer.from(path, 'latin1');
  const length = 62 + name.length;
  const entry = Buffer.alloc(length + 8 - (length % 8));
  entry.writeUInt32BE(mode, 24);
  entry.write(id, 40, 'hex');
  entry.writeUInt16BE(Math.min(name.length, 0xfff), 60);
  name.copy(entry, 62);
  return entry;
}
