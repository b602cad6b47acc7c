/** Which snapshots stay. The chain is linear, so that only its older end can go. Pure. */
import type { Snapshot } from '../snapshot/snapshotTypes.ts';

export interface KeepRule {
  /** The newest so many stay, by count. */
  readonly count: number;
  /** Days. */
  readonly age: number;
  /** These and all newer ones stay. */
  readonly keep: readonly string[];
  /** Milliseconds since 1970. */
  readonly now: number;
}

const day = 86_400_000;

/** @param all newest first. @returns the newer end of them; the newest one always. */
export function keptFrom(all: readonly Snapshot[], rule: KeepRule): readonly Snapshot[] {
  const wanted = new Set(rule.keep);
  const lastWanted = all.findLastIndex(({ id }) => wanted.has(id));
  const tooMany = Math.max(1, rule.count);
  const tooOld = all.findIndex(({ at }) => at < rule.now - rule.age * day);
  const end = Math.min(tooMany, tooOld < 0 ? all.length : tooOld);
  return all.slice(0, Math.max(1, end, lastWanted + 1));
}
