/** Which turns make a branch: a turn with several that follow it is a fork. Pure; the mirror's branches are these. */

export interface TurnLink {
  readonly id: string;
  /** The turn before it in the conversation. */
  readonly parent: string | null;
  /** Names the branch that begins with it. */
  readonly node: string;
}

export const mainBranch = 'main';

export interface BranchLayout {
  readonly branchOf: ReadonlyMap<string, string>;
  /** From 1. */
  readonly depthOf: ReadonlyMap<string, number>;
  /** Branch -> its last turn; in the order in which they began. */
  readonly tips: ReadonlyMap<string, string>;
  /** Branch -> the turn that its first one goes on from; null: from the beginning. */
  readonly forks: ReadonlyMap<string, string | null>;
}

/**
 * The first that follows a turn goes on with its branch; each later one begins `retry-<node>`.
 * @param turns in their order; a turn whose parent is not among them begins a branch of its own
 */
export function layoutBranches(turns: readonly TurnLink[]): BranchLayout {
  const known = new Set(turns.map(({ id }) => id));
  const children = new Map<string | null, TurnLink[]>();
  for (const turn of turns) {
    const parent = turn.parent !== null && known.has(turn.parent) ? turn.parent : null;
    const siblings = children.get(parent);
    if (siblings) siblings.push(turn);
    else children.set(parent, [turn]);
  }
  const branchOf = new Map<string, string>();
  const depthOf = new Map<string, number>();
  const tips = new Map<string, string>();
  const forks = new Map<string, string | null>();
  const open: { readonly turn: TurnLink; readonly branch: string; readonly depth: number }[] = [];
  const follow = (parent: string | null, branch: string, depth: number) => {
    const next = children.get(parent) ?? [];
    for (const [i, turn] of next.entries()) {
      const own = i === 0 ? branch : `retry-${turn.node}`;
      if (i > 0 || parent === null) forks.set(own, parent);
      open.push({ turn, branch: own, depth });
    }
  };
  follow(null, mainBranch, 1);
  for (let next = open.shift(); next !== undefined; next = open.shift()) {
    const { turn, branch, depth } = next;
    branchOf.set(turn.id, branch);
    depthOf.set(turn.id, depth);
    tips.set(branch, turn.id);
    follow(turn.id, branch, depth + 1);
  }
  return { branchOf, depthOf, tips, forks };
}

/** From the first turn to this one. @throws nothing: a circle ends where it began. */
export function pathTo(turns: ReadonlyMap<string, TurnLink>, id: string): readonly string[] {
  const path: string[] = [];
  const seen = new Set<string>();
  for (let at: string | null = id; at !== null && !seen.has(at); ) {
    const turn: TurnLink | undefined = turns.get(at);
    if (turn === undefined) break;
    seen.add(at);
    path.push(at);
    at = turn.parent;
  }
  return path.reverse();
}
