/** Lines added and removed between two contents, for the timeline's +/-. */
import { diffLines } from 'diff';

/** Bytes; larger contents are not read for a count. */
export const largestCounted = 1024 * 1024;
/** Beyond this many changed lines a count costs more than it tells. */
const longestEdit = 5_000;

export interface LineCounts {
  readonly added: number | null;
  readonly removed: number | null;
}

const unknown: LineCounts = { added: null, removed: null };

/** Null counts for binary, very large or very different contents, and where a side is missing. */
export function lineCounts(
  before: Uint8Array | undefined,
  after: Uint8Array | undefined,
): LineCounts {
  if (before === undefined || after === undefined) return unknown;
  if (before.length > largestCounted || after.length > largestCounted) return unknown;
  if (isBinary(before) || isBinary(after)) return unknown;
  const changes = diffLines(textOf(before), textOf(after), { maxEditLength: longestEdit });
  if (changes === undefined) return unknown;
  const sum = (which: 'added' | 'removed') =>
    changes.reduce((n, change) => n + (change[which] ? change.count : 0), 0);
  return { added: sum('added'), removed: sum('removed') };
}

/** A NUL byte in the first 8 KiB, as git decides. */
export function isBinary(bytes: Uint8Array): boolean {
  return bytes.subarray(0, 8192).includes(0);
}

function textOf(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8');
}
