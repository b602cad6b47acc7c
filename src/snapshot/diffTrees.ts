/** The paths in which two snapshots differ, with what each has there. Folders of equal trees are not entered. */
import {
  decodeTree,
  folderMode,
  linkMode,
  type ObjectId,
  type TreeEntry,
} from '../git/gitObject.ts';
import type { ObjectStore } from '../git/objectStore.ts';
import { bytesToName } from '../git/pathBytes.ts';
import { join } from './fileTable.ts';
import { modeIn, type SideRecord, skipReasonIn } from './sideRecord.ts';
import type { Change, SnapshotState } from './snapshotTypes.ts';

/** One side of a comparison. */
export interface Side {
  readonly tree: ObjectId;
  readonly record: SideRecord;
}

/** @returns also what a rule left out of `a` and is gone; by path, folders before what is in them. @throws UserError `damaged` for a missing tree. */
export function diffTrees(store: ObjectStore, a: Side, b: Side): readonly Change[] {
  const changes: Change[] = [];
  const visit = (folder: string, left: ObjectId | undefined, right: ObjectId | undefined) => {
    if (left === right) return;
    const before = entriesOf(store, left);
    const after = entriesOf(store, right);
    for (const name of new Set([...before.keys(), ...after.keys()])) {
      const x = before.get(name);
      const y = after.get(name);
      if (x?.id === y?.id && x?.mode === y?.mode) continue;
      const at = join(folder, name);
      if (x?.mode !== folderMode || y?.mode !== folderMode)
        changes.push({
          path: at,
          before: stateOf(store, a, at, x),
          after: stateOf(store, b, at, y),
        });
      visit(at, folderId(x), folderId(y));
    }
  };
  visit('', a.tree, b.tree);
  const read = cached((tree) => entriesOf(store, tree));
  changes.push(...modeChanges(store, read, a, b, new Set(changes.map(({ path }) => path))));
  changes.push(...lostSkipped(store, read, a, b));
  return changes.sort((x, y) => (x.path < y.path ? -1 : 1));
}

/** What a snapshot has at one path. */
export function stateAt(store: ObjectStore, side: Side, path: string): SnapshotState {
  const entry = entryAt((tree) => entriesOf(store, tree), side.tree, path);
  return stateOf(store, side, path, entry);
}

/** Files and folders whose permission bits differ beyond what git records. */
function modeChanges(
  store: ObjectStore,
  read: ReadTree,
  a: Side,
  b: Side,
  seen: ReadonlySet<string>,
): readonly Change[] {
  if (a.record === b.record) return [];
  const candidates = new Set(
    [...a.record.modes.keys(), ...b.record.modes.keys()].filter(
      (at) => !seen.has(at) && a.record.modes.get(at) !== b.record.modes.get(at),
    ),
  );
  const changes: Change[] = [];
  for (const at of candidates) {
    const before = stateOf(store, a, at, entryAt(read, a.tree, at));
    const after = stateOf(store, b, at, entryAt(read, b.tree, at));
    const isFile = before.kind === 'file' && after.kind === 'file';
    const isFolder = before.kind === 'directory' && after.kind === 'directory';
    if ((isFile || isFolder) && before.mode !== after.mode)
      changes.push({ path: at, before, after });
  }
  return changes;
}

/** What a rule left out of the first, and is not there at all in the second. */
function lostSkipped(store: ObjectStore, read: ReadTree, a: Side, b: Side): readonly Change[] {
  if (a.record === b.record) return [];
  return [...a.record.skipped].flatMap(([at, reason]): Change[] => {
    const isByRule = reason === 'ignored' || reason === 'excluded';
    if (!isByRule || b.record.skipped.has(at)) return [];
    const after = stateOf(store, b, at, entryAt(read, b.tree, at));
    return after.kind === 'absent'
      ? [{ path: at, before: { kind: 'uncaptured', reason }, after }]
      : [];
  });
}

type ReadTree = (tree: ObjectId) => ReadonlyMap<string, TreeEntry>;

/** Many paths of a few folders are looked up. */
function cached(read: ReadTree): ReadTree {
  const known = new Map<ObjectId, ReadonlyMap<string, TreeEntry>>();
  return (tree) => {
    const entries = known.get(tree) ?? read(tree);
    known.set(tree, entries);
    return entries;
  };
}

function entriesOf(store: ObjectStore, tree: ObjectId | undefined): Map<string, TreeEntry> {
  if (tree === undefined) return new Map();
  return new Map(decodeTree(store.read(tree, 'tree')).map((entry) => [entry.name, entry]));
}

function folderId(entry: TreeEntry | undefined): ObjectId | undefined {
  return entry?.mode === folderMode ? entry.id : undefined;
}

function entryAt(read: ReadTree, root: ObjectId, path: string): TreeEntry | undefined {
  let tree: ObjectId | undefined = root;
  let entry: TreeEntry | undefined;
  for (const name of path.split('/')) {
    if (tree === undefined) return undefined;
    entry = read(tree).get(name);
    tree = folderId(entry);
  }
  return entry;
}

function stateOf(
  store: ObjectStore,
  { record }: Side,
  path: string,
  entry: TreeEntry | undefined,
): SnapshotState {
  if (entry === undefined) {
    const reason = skipReasonIn(record, path);
    return reason === undefined ? { kind: 'absent' } : { kind: 'uncaptured', reason };
  }
  if (entry.mode === folderMode)
    return { kind: 'directory', mode: modeIn(record, path, folderMode) };
  if (entry.mode === linkMode) {
    const target = bytesToName(store.read(entry.id, 'blob'));
    return { kind: 'symlink', target, blob: entry.id };
  }
  return {
    kind: 'file',
    mode: modeIn(record, path, entry.mode),
    size: store.size(entry.id),
    blob: entry.id,
  };
}
