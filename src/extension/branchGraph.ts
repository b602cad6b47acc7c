/** Draws the branches of a conversation beside its turns, one line a turn, in letters alone. Pure. */
import { branchLanes, type LaneTurn } from '../core/branchLanes.ts';

/**
 * What stands before each turn: `*` in the lane of its branch, `|` in those that run past it.
 * @param turns of all branches, oldest first
 */
export function branchGraph(turns: readonly LaneTurn[]): readonly string[] {
  return branchLanes(turns).map(({ lane, through }) => {
    const width = Math.max(lane, ...through) + 1;
    return Array.from({ length: width }, (_, i) =>
      i === lane ? '*' : through.includes(i) ? '|' : ' ',
    ).join(' ');
  });
}
