/** Compares versions of the product: `1.2.3`, with anything behind it left out. Pure. */

export function isNewer(a: string, b: string): boolean {
  const left = numbers(a);
  const right = numbers(b);
  for (const [i, value] of left.entries()) {
    const other = right[i] ?? 0;
    if (value !== other) return value > other;
  }
  return false;
}

function numbers(version: string): readonly number[] {
  const found = /^(\d+)\.(\d+)\.(\d+)/.exec(version);
  return found ? found.slice(1).map(Number) : [0, 0, 0];
}
