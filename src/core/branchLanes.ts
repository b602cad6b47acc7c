/** Where the branches of a conversation run beside its turns, one line a turn: the graph, whoever draws it. Pure. */

export interface LaneTurn {
  readonly id: string;
  /** The turn it goes on from. */
  readonly parent: string | null;
  readonly branch: string;
}

/** Branches that find no lane of their own share the last one: nobody tells more apart. */
export const mostLanes = 12;

/** One line of the graph. Lanes count from 0. */
export interface LaneLine {
  /** Where the turn's own point is. */
  readonly lane: number;
  /** Lanes that run past it, from the lines before to those after. */
  readonly through: readonly number[];
  /** Its lane comes from a line before it. */
  readonly fromBefore: boolean;
  /** Its lane goes on to a line after it. */
  readonly toAfter: boolean;
  /** Lanes that begin here and go on to the lines after: branches that fork from this turn. */
  readonly forks: readonly number[];
}

interface Run {
  /** The line of the turn it forks from; -1 when it begins by itself. */
  readonly start: number;
  readonly first: number;
  last: number;
}

/**
 * A branch has one lane, from the turn it forks from to its last one. A lane that has ended is used again. Takes a time in
 * proportion to the turns, however many branches they make.
 * @param turns of all branches, oldest first
 */
export function branchLanes(turns: readonly LaneTurn[]): readonly LaneLine[] {
  const runs = runsOf(turns);
  const laneOf = lanesOf(runs);
  const forks = new Map<number, Set<number>>();
  const begins = new Map<number, number[]>();
  for (const [branch, { start, first }] of runs) {
    const lane = laneOf.get(branch) ?? 0;
    if (start >= 0) forks.set(start, (forks.get(start) ?? new Set<number>()).add(lane));
    const from = start >= 0 ? start : first;
    const there = begins.get(from);
    if (there) there.push(lane);
    else begins.set(from, [lane]);
  }
  /** How many branches run in each lane. */
  const open: number[] = [];
  const count = (lane: number, by: number) => {
    open[lane] = (open[lane] ?? 0) + by;
  };
  return turns.map(({ branch }, line) => {
    const own = runs.get(branch);
    const lane = laneOf.get(branch) ?? 0;
    const fromBefore = own !== undefined && (own.start >= 0 || own.first < line);
    const toAfter = own !== undefined && own.last > line;
    const through = [...open.keys()].filter(
      (at) => (open[at] ?? 0) > (at === lane && fromBefore ? 1 : 0),
    );
    for (const begun of begins.get(line) ?? []) count(begun, 1);
    if (!toAfter) count(lane, -1);
    const forked = [...(forks.get(line) ?? [])].sort((a, b) => a - b);
    return { lane, through, fromBefore, toAfter, forks: forked };
  });
}

function runsOf(turns: readonly LaneTurn[]): ReadonlyMap<string, Run> {
  const lines = new Map(turns.map(({ id }, line) => [id, line]));
  const runs = new Map<string, Run>();
  for (const [line, { branch, parent }] of turns.entries()) {
    const known = runs.get(branch);
    if (known) known.last = line;
    else {
      const fork = parent === null ? undefined : lines.get(parent);
      const start = fork !== undefined && fork < line ? fork : -1;
      runs.set(branch, { start, first: line, last: line });
    }
  }
  return runs;
}

/** The lowest lane that nothing runs in, from where the branch forks to where it ends; else the last one. */
function lanesOf(runs: ReadonlyMap<string, Run>): ReadonlyMap<string, number> {
  const begin = ({ start, first }: Run): number => (start >= 0 ? start : first);
  const order = [...runs].sort(([, a], [, b]) => begin(a) - begin(b) || a.first - b.first);
  const takenUntil: number[] = [];
  const lanes = new Map<string, number>();
  for (const [branch, run] of order) {
    const free = takenUntil.findIndex((end) => end < begin(run));
    const lane = Math.min(free < 0 ? takenUntil.length : free, mostLanes - 1);
    takenUntil[lane] = Math.max(takenUntil[lane] ?? 0, run.last);
    lanes.set(branch, lane);
  }
  return lanes;
}
