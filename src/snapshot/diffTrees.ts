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

/** @returns by path, folders before what is in them. @throws UserError `damaged` for a missing tree. */
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
  changes.push(...modeChanges(store, a, b, new Set(changes.map(({ path }) => path))));
  return changes.sort((x, y) => (x.path < y.path ? -1 : 1));
}

/** What a snapshot has at one path. */
export function stateAt(store: ObjectStore, side: Side, path: string): SnapshotState {
  return stateOf(store, side, path, entryAt(store, side.tree, path));
}

/** Files whose permission bits differ beyond what git records. Folders' modes do not count. */
function modeChanges(
  store: ObjectStore,
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
    const before = stateAt(store, a, at);
    const after = stateAt(store, b, at);
    if (before.kind === 'file' && after.kind === 'file' && before.mode !== after.mode)
      changes.push({ path: at, before, after });
  }
  return changes;
}

function entriesOf(store: ObjectStore, tree: ObjectId | undefined): Map<string, TreeEntry> {
  if (tree === undefined) return new Map();
  return new Map(decodeTree(store.read(tree, 'tree')).map((entry) => [entry.name, entry]));
}

function folderId(entry: TreeEntry | undefined): ObjectId | undefined {
  return entry?.mode === folderMode ? entry.id : undefined;
}

function entryAt(store: ObjectStore, root: ObjectId, path: string): TreeEntry | undefined {
  let tree: ObjectId | undefined = root;
  let entry: TreeEntry | undefined;
  for (const name of path.split('/')) {
    if (tree === undefined) return undefined;
    entry = entriesOf(store, tree).get(name);
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
