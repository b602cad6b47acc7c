/** A bar: what a bench measured, and the most it may be. Smaller is better, always. */

export interface Bar {
  readonly name: string;
  readonly measured: number;
  readonly limit: number;
  /** What the number comes from, for people: medians, spread, what else was measured. One line each. */
  readonly notes?: readonly string[];
}

/** What `*.bench.ts` files export, by any name. */
export type Bench = () => Promise<Bar | readonly Bar[]>;

export function isMet({ measured, limit }: Bar): boolean {
  return measured <= limit;
}

/** `bar NAME MEASURED limit LIMIT`: one line, for people and machines. */
export function barLine({ name, measured, limit }: Bar): string {
  return `bar ${name} ${rounded(measured)} limit ${rounded(limit)}`;
}

function rounded(value: number): string {
  return Number.isInteger(value) ? String(value) : String(Number(value.toPrecision(4)));
}
