/** How many lines a turn's files gained and lost together. */
import type { TouchSummary } from './timeline.ts';

export interface Lines {
  readonly added: number;
  readonly removed: number;
}

/** Null where they are known of no file. */
export function lineSums(files: readonly TouchSummary[]): Lines | null {
  let known = false;
  let added = 0;
  let removed = 0;
  for (const file of files) {
    if (file.added === null || file.removed === null) continue;
    known = true;
    added += file.added;
    removed += file.removed;
  }
  return known ? { added, removed } : null;
}
