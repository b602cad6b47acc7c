/** Git objects: ids, trees, commits. Bytes in, bytes out; nothing here touches the disk. */
import crypto from 'node:crypto';
import { bytesToName, compareNames, nameToBytes } from './pathBytes.ts';

export type ObjectKind = 'commit' | 'tree' | 'blob';
/** 40 lower-case hex digits. */
export type ObjectId = string;

export interface TreeEntry {
  /** As git writes it: 0o40000, 0o100644, 0o100755, 0o120000 (0o160000 in trees of others). */
  readonly mode: number;
  readonly name: string;
  readonly id: ObjectId;
}

export interface Commit {
  readonly tree: ObjectId;
  readonly parents: readonly ObjectId[];
  /** Seconds since 1970. */
  readonly at: number;
  readonly message: string;
}

export const folderMode = 0o40000;
export const fileMode = 0o100644;
export const executableMode = 0o100755;
export const linkMode = 0o120000;

export const emptyTree: ObjectId = '4b825dc642cb6eb9a060e54bf8d69288fbee4904';

/** An object and its header, to be hashed in one go. */
const small = Buffer.alloc(4096);

/** The raw 20 bytes. `crypto.hash` saves a third of the time on small objects; runtimes before Node 20.12 lack it. */
export function rawId(kind: ObjectKind, bytes: Uint8Array): Buffer {
  const header = `${kind} ${bytes.length}\0`;
  if (bytes.length <= small.length - 64 && typeof crypto.hash === 'function') {
    const start = small.write(header, 'latin1');
    small.set(bytes, start);
    return crypto.hash('sha1', small.subarray(0, start + bytes.length), 'buffer');
  }
  return crypto.createHash('sha1').update(header, 'latin1').update(bytes).digest();
}

export function objectId(kind: ObjectKind, bytes: Uint8Array): ObjectId {
  return rawId(kind, bytes).toString('hex');
}

/** Git's order: by bytes, folders as if their names ended in `/`. */
export function compareEntries(
  a: { readonly name: string; readonly isFolder: boolean },
  b: { readonly name: string; readonly isFolder: boolean },
): number {
  return compareNames(a.isFolder ? `${a.name}/` : a.name, b.isFolder ? `${b.name}/` : b.name);
}

/** @param entries in any order */
export function encodeTree(entries: readonly TreeEntry[]): Buffer {
  const sorted = entries
    .map((entry) => ({ entry, name: entry.name, isFolder: entry.mode === folderMode }))
    .sort(compareEntries);
  return Buffer.concat(
    sorted.flatMap(({ entry }) => [
      Buffer.from(`${entry.mode.toString(8)} `, 'latin1'),
      nameToBytes(entry.name),
      Buffer.of(0),
      Buffer.from(entry.id, 'hex'),
    ]),
  );
}

/** @param idLength bytes of an id: 32 where the repository uses SHA-256. @throws Error for bytes that are no tree. */
export function decodeTree(bytes: Buffer, idLength = 20): readonly TreeEntry[] {
  const entries: TreeEntry[] = [];
  for (let at = 0; at < bytes.length; ) {
    const space = bytes.indexOf(0x20, at);
    const end = bytes.indexOf(0, space);
    if (space < 0 || end < 0 || end + 1 + idLength > bytes.length)
      throw new Error('This is no tree.');
    entries.push({
      mode: Number.parseInt(bytes.toString('latin1', at, space), 8),
      name: bytesToName(bytes.subarray(space + 1, end)),
      id: bytes.toString('hex', end + 1, end + 1 + idLength),
    });
    at = end + 1 + idLength;
  }
  return entries;
}

/** @param identity `name <e-mail>` of author and committer alike */
export function encodeCommit(commit: Commit, identity: string): Buffer {
  const stamp = `${identity} ${commit.at} +0000`;
  const parents = commit.parents.map((id) => `parent ${id}\n`).join('');
  return Buffer.from(
    `tree ${commit.tree}\n${parents}author ${stamp}\ncommitter ${stamp}\n\n${commit.message}\n`,
  );
}

/** @throws Error for bytes that are no commit. */
export function decodeCommit(bytes: Buffer): Commit {
  const text = bytes.toString();
  const gap = text.indexOf('\n\n');
  const head = gap < 0 ? text : text.slice(0, gap);
  const tree = /^tree ([0-9a-f]{40})$/m.exec(head)?.[1];
  const at = /^committer .* (\d+) [+-]\d{4}$/m.exec(head)?.[1];
  if (tree === undefined || at === undefined) throw new Error('This is no commit.');
  return {
    tree,
    parents: [...head.matchAll(/^parent ([0-9a-f]{40})$/gm)].map((found) => found[1] ?? ''),
    at: Number(at),
    message: gap < 0 ? '' : text.slice(gap + 2),
  };
}
