/**
 * The tree of a commit with some paths changed: only the folders on the way to them are read and written, whatever the
 * size of the rest.
 */
import crypto from 'node:crypto';
import type { GitEntry } from './commitEntries.ts';
import { type CommitGit, demand, GitFailure } from './commitGit.ts';
import { decodeTree, encodeTree, folderMode, type TreeEntry } from './gitObject.ts';
import { nameToBytes } from './pathBytes.ts';

export interface TreeChange {
  readonly path: string;
  /** Null: not there. */
  readonly after: GitEntry | null;
}

/** One name on the way to changed paths. */
interface Place {
  /** What is to be here; undefined when only something below changes. */
  after?: GitEntry | null;
  readonly below: Map<string, Place>;
  /** What is in the folder of this name now. */
  entries: readonly TreeEntry[];
}

/**
 * @param commit undefined on an unborn branch
 * @param folders ids of the trees of all folders on the way that the commit has, by path
 * @returns the id of the tree, which is written. @throws GitFailure.
 */
export async function treeWith(
  git: CommitGit,
  hash: 'sha1' | 'sha256',
  commit: string | undefined,
  folders: ReadonlyMap<string, string>,
  changes: readonly TreeChange[],
): Promise<string> {
  const root = placesOf(changes);
  if (commit !== undefined) await load(git, hash, root, `${commit}^{tree}`, folders);
  const written: (readonly TreeEntry[])[] = [];
  const rows = rowsOf(root, (rest) => {
    written.push(rest);
    return idOf(hash, rest);
  });
  const id = idOf(hash, rows);
  const input = Buffer.concat([...written, rows].flatMap(asInput));
  const args = ['mktree', '-z', '--missing', '--batch'];
  const ids = demand(await git({ args, input }), 'mktree')
    .toString()
    .trim()
    .split('\n');
  if (ids.at(-1) === id && ids.length === written.length + 1) return id;
  throw new GitFailure('git mktree: it made other trees than were meant');
}

function placesOf(changes: readonly TreeChange[]): Place {
  const root: Place = { below: new Map(), entries: [] };
  for (const { path, after } of changes) {
    let at = root;
    for (const name of path.split('/')) {
      const next: Place = at.below.get(name) ?? { below: new Map(), entries: [] };
      at.below.set(name, next);
      at = next;
    }
    at.after = after;
  }
  return root;
}

interface Wanted {
  readonly place: Place;
  /** '' or a path with `/` at its end. */
  readonly prefix: string;
  readonly tree: string;
}

/** All at once. */
async function load(
  git: CommitGit,
  hash: 'sha1' | 'sha256',
  root: Place,
  tree: string,
  folders: ReadonlyMap<string, string>,
): Promise<void> {
  const wanted = [{ place: root, prefix: '', tree }, ...wantedBelow(root, '', folders)];
  const input = wanted.map((each) => `${each.tree}\n`).join('');
  const trees = treesIn(demand(await git({ args: ['cat-file', '--batch'], input }), 'cat-file'));
  wanted.forEach(({ place }, n) => {
    place.entries = decodeTree(trees[n] ?? Buffer.of(), hash === 'sha1' ? 20 : 32);
  });
  for (const each of wanted) refuseUnknown(each, folders);
}

function wantedBelow(
  { below }: Place,
  prefix: string,
  folders: ReadonlyMap<string, string>,
): readonly Wanted[] {
  return [...below].flatMap(([name, place]) => {
    const tree = folders.get(prefix + name);
    if (tree === undefined || place.below.size === 0) return [];
    const inner = `${prefix}${name}/`;
    return [{ place, prefix: inner, tree }, ...wantedBelow(place, inner, folders)];
  });
}

/** A folder that the caller does not know would lose what else is in it. */
function refuseUnknown({ place, prefix }: Wanted, folders: ReadonlyMap<string, string>): void {
  const there = new Map(place.entries.map((entry) => [entry.name, entry]));
  for (const [name, { below }] of place.below) {
    const entry = there.get(name);
    const tree = entry?.mode === folderMode ? entry.id : undefined;
    if (below.size > 0 && tree !== folders.get(prefix + name))
      throw new GitFailure(`git ls-tree: it does not tell of ${prefix}${name}`);
  }
}

/** `<id> tree <size>`, the bytes, a line end; again and again. */
function treesIn(bytes: Buffer): readonly Buffer[] {
  const trees: Buffer[] = [];
  for (let at = 0; at < bytes.length; ) {
    const end = bytes.indexOf(0x0a, at);
    const header = bytes.toString('latin1', at, end);
    const size = Number(/^[0-9a-f]+ tree (\d+)$/.exec(header)?.[1] ?? Number.NaN);
    if (!Number.isSafeInteger(size)) throw new GitFailure(`git cat-file: ${header}`);
    trees.push(bytes.subarray(end + 1, end + 1 + size));
    at = end + 1 + size + 1;
  }
  return trees;
}

/** What a folder is to hold. @param write makes a folder below it, and gives its id */
function rowsOf(place: Place, write: (rows: readonly TreeEntry[]) => string): readonly TreeEntry[] {
  const rows = new Map(place.entries.map((entry) => [entry.name, entry]));
  for (const [name, next] of place.below) {
    const inner = next.below.size > 0 ? rowsOf(next, write) : [];
    if (next.after) rows.set(name, { name, id: next.after.id, mode: modeOf(next.after) });
    else if (inner.length > 0) rows.set(name, { name, id: write(inner), mode: folderMode });
    else rows.delete(name);
  }
  return [...rows.values()];
}

function modeOf({ mode }: GitEntry): number {
  return Number.parseInt(mode, 8);
}

function idOf(hash: 'sha1' | 'sha256', rows: readonly TreeEntry[]): string {
  const bytes = encodeTree(rows);
  return crypto.createHash(hash).update(`tree ${bytes.length}\0`).update(bytes).digest('hex');
}

/** As `mktree` reads a tree, and the empty row that ends it. */
function asInput(rows: readonly TreeEntry[]): readonly Uint8Array[] {
  return [
    ...rows.flatMap(({ mode, name, id }) => {
      const kind = mode === folderMode ? 'tree' : mode === 0o160000 ? 'commit' : 'blob';
      const head = `${mode.toString(8).padStart(6, '0')} ${kind} ${id}\t`;
      return [Buffer.from(head, 'latin1'), nameToBytes(name), Buffer.of(0)];
    }),
    Buffer.of(0),
  ];
}
