/** Ids of sessions cut to what tells them apart. Pure. */
import type { SessionSummary } from '../core/timeline.ts';

const usualLength = 8;

/** The shortest beginning that `--session` accepts, of at least eight characters. */
export function shortId(id: string, all: readonly SessionSummary[]): string {
  if (!/^[\w-]+$/.test(id)) return id;
  for (let length = usualLength; length < id.length; length++) {
    const short = id.slice(0, length);
    if (all.filter((each) => each.id.startsWith(short)).length === 1) return short;
  }
  return id;
}
