/** Values of settings, which are written by hand and may be anything. Pure. */

export const mebibyte = 1024 ** 2;
/** Below this no store could keep anything of use; mebibytes. */
export const smallestStore = 16;

export function isAtLeast(value: unknown, least: number): value is number {
  return typeof value === 'number' && Number.isFinite(value) && value >= least;
}
