/** Draws the branches of a conversation beside its turns, one line a turn, in letters alone. Pure. */
import type { HistoryTurn } from '../core/history.ts';

type Drawn = Pick<HistoryTurn, 'id' | 'parent' | 'branch'>;

/**
 * What stands before each turn: `*` in the column of its branch, `|` in those that go on further down. A column whose
 * branch has ended is used again, but not by what goes on from that branch: it stands beside it.
 * @param turns of all branches, oldest first
 */
export function branchGraph(turns: readonly Drawn[]): readonly string[] {
  const last = new Map(turns.map(({ branch }, line) => [branch, line]));
  const columnOf = new Map<string, number>();
  const columnOfTurn = new Map<string | null, number>();
  const isOpen: boolean[] = [];
  return turns.map(({ id, parent, branch }, line) => {
    const own = columnOf.get(branch) ?? freeColumn(isOpen, columnOfTurn.get(parent));
    columnOf.set(branch, own);
    columnOfTurn.set(id, own);
    isOpen[own] = true;
    const drawn = isOpen.map((goesOn, i) => (i === own ? '*' : goesOn ? '|' : ' '));
    if (last.get(branch) === line) isOpen[own] = false;
    return drawn.join(' ').trimEnd();
  });
}

function freeColumn(isOpen: readonly boolean[], taken: number | undefined): number {
  const free = isOpen.findIndex((goesOn, i) => !goesOn && i !== taken);
  return free < 0 ? isOpen.length : free;
}
