/**
 * Lets contenders work in turn, round by round, so that whatever else the machine does meets all of them alike. Compare
 * what comes out only within one call.
 */

/** Does its work once and returns how many milliseconds that took; what it prepares and checks around it is not counted. */
export type Contender = () => number | Promise<number>;

export type Samples = readonly number[];

/** The times of each contender; two rounds before the first one warm up and do not count. */
export async function interleave<Name extends string>(
  rounds: number,
  contenders: Readonly<Record<Name, Contender>>,
): Promise<Readonly<Record<Name, Samples>>> {
  const names = Object.keys(contenders) as Name[];
  const none = names.map((name): [Name, number[]] => [name, []]);
  const times = Object.fromEntries(none) as Record<Name, number[]>;
  for (let round = -2; round < rounds; round++) {
    for (const name of rotated(names, round + 2)) {
      const took = await contenders[name]();
      if (round >= 0) times[name].push(took);
    }
  }
  return times;
}

/** Milliseconds of one synchronous piece of work. */
export function timed(work: () => unknown): number {
  const started = performance.now();
  work();
  return performance.now() - started;
}

export function median(samples: Samples): number {
  return quantile(samples, 0.5);
}

/** `name: 12.3 ms, half of 40 rounds within 11.9 and 14.0, fastest 11.2`. */
export function spread(name: string, samples: Samples): string {
  const [middle, low, high, least] = [0.5, 0.25, 0.75, 0].map((q) =>
    quantile(samples, q).toFixed(2),
  );
  return `${name}: ${middle} ms, half of ${samples.length} rounds within ${low} and ${high}, fastest ${least}`;
}

function quantile(samples: Samples, part: number): number {
  if (samples.length === 0) throw new Error('Nothing was measured.');
  const sorted = [...samples].sort((a, b) => a - b);
  const at = (sorted.length - 1) * part;
  const below = sorted[Math.floor(at)] ?? Number.NaN;
  const above = sorted[Math.ceil(at)] ?? Number.NaN;
  return below + (above - below) * (at - Math.floor(at));
}

/** Nobody always goes first. */
function rotated<T>(items: readonly T[], by: number): readonly T[] {
  const start = by % items.length;
  return [...items.slice(start), ...items.slice(0, start)];
}
