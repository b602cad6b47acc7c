/**
 * What stands at the top of the Memory view: groups of rows; where a window has several folders, each of them as a branch with
 * what is of it alone, and beside them what counts everywhere. Pure.
 */
import type { Localizer } from './localizer.ts';
import type { MemoryGroup, MemoryNode } from './memoryNode.ts';
import {
  isMemoryEmpty,
  type MemoryFilter,
  type MemoryGroupRows,
  type MemoryRow,
  memoryRows,
  plainRow,
} from './memoryRows.ts';
import type { FolderSight, MemorySights } from './memorySights.ts';

export interface MemoryBranch extends MemoryRow {
  readonly rows: readonly (MemoryRow | MemoryBranch)[];
}

/** None where nobody has put anything there: the view says what could be. A search leaves out what has no hit. */
export function memoryBranches(
  { common, folders }: MemorySights,
  filter: MemoryFilter | undefined,
  locale: string,
  l10n: Localizer,
): readonly MemoryBranch[] {
  const all = [common, ...folders.map(({ sight }) => sight)];
  if (filter === undefined && all.every(isMemoryEmpty)) return [];
  const groups = memoryRows(common, filter, locale, l10n);
  const branches = folders.flatMap((folder): readonly MemoryBranch[] => {
    const rows = memoryRows(folder.sight, filter, locale, l10n, ofFolder).map((group) =>
      inFolder(group, folder.root),
    );
    return filter !== undefined && rows.length === 0 ? [] : [folderBranch(folder, rows, l10n)];
  });
  const isWaiting = ({ group }: MemoryGroupRows) => group === 'waiting';
  return [...groups.filter(isWaiting), ...branches, ...groups.filter((group) => !isWaiting(group))];
}

const ofFolder: readonly MemoryGroup[] = [
  'waiting',
  'project',
  'environment',
  'documents',
  'problems',
];

function folderBranch(
  { root, folder, sight }: FolderSight,
  rows: readonly MemoryBranch[],
  l10n: Localizer,
): MemoryBranch {
  const description = sight.documents.isTrusted
    ? ''
    : l10n.t('not trusted: none of its documents is read');
  const row = plainRow(folder, description, root, 'root-folder', 'folder');
  return { node: { kind: 'folder', root }, row, rows };
}

/** Commands are told which folder is meant. */
function inFolder({ node, row, rows }: MemoryGroupRows, root: string): MemoryBranch {
  const placed = (of: MemoryNode): MemoryNode => ({ ...of, root });
  return {
    node: placed(node),
    row,
    rows: rows.map((each) => ({ ...each, node: placed(each.node) })),
  };
}
