/**
 * Times contenders in turn, round by round, so that whatever else the machine does meets all of them alike. Compare what
 * comes out only within one call.
 */

export type Contender = () => unknown;

/** Median milliseconds of each contender; the first round warms up and does not count. */
export async function interleave<Name extends string>(
  rounds: number,
  contenders: Readonly<Record<Name, Contender>>,
): Promise<Readonly<Record<Name, number>>> {
  const names = Object.keys(contenders) as Name[];
  const times = new Map<Name, number[]>(names.map((name) => [name, []]));
  for (let round = 0; round <= rounds; round++) {
    for (const name of rotated(names, round)) {
      const started = performance.now();
      await contenders[name]();
      const took = performance.now() - started;
      if (round > 0) times.get(name)?.push(took);
    }
  }
  const medians = names.map((name) => [name, median(times.get(name) ?? [])] as const);
  return Object.fromEntries(medians) as Record<Name, number>;
}

export function median(values: readonly number[]): number {
  if (values.length === 0) throw new Error('There is no median of nothing.');
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  const upper = sorted[middle] ?? Number.NaN;
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] ?? Number.NaN) + upper) / 2;
}

/** Nobody always goes first. */
function rotated<T>(items: readonly T[], by: number): readonly T[] {
  const start = by % items.length;
  return [...items.slice(start), ...items.slice(0, start)];
}
