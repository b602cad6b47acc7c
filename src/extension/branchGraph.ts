/** Draws the branches of a conversation beside its turns, one line a turn, in letters alone. Pure. */
import type { HistoryTurn } from '../core/history.ts';

type Drawn = Pick<HistoryTurn, 'branch'>;

/**
 * What stands before each turn: `*` in the column of its branch, `|` in those that go on further down. A column whose
 * branch has ended is used again.
 * @param turns of all branches, oldest first
 */
export function branchGraph(turns: readonly Drawn[]): readonly string[] {
  const last = new Map(turns.map(({ branch }, line) => [branch, line]));
  const columns: (string | undefined)[] = [];
  return turns.map(({ branch }, line) => {
    let own = columns.indexOf(branch);
    if (own < 0) {
      const free = columns.indexOf(undefined);
      own = free < 0 ? columns.length : free;
      columns[own] = branch;
    }
    const drawn = columns.map((at, i) => (i === own ? '*' : at === undefined ? ' ' : '|'));
    if (last.get(branch) === line) columns[own] = undefined;
    return drawn.join(' ').trimEnd();
  });
}
