/** Which stored things go when a root's store is over its limits: oldest first, never silently. Pure. */

export interface RetentionLimits {
  /** Bytes a root's store may hold: checkpoints, what agents left, redo points. */
  readonly maxBytes: number;
  /** Days after which a turn's saved states go; 0 keeps them whatever their age. */
  readonly maxAgeDays: number;
}

/** 1 GiB, 90 days. */
export const defaultLimits: RetentionLimits = { maxBytes: 1024 ** 3, maxAgeDays: 90 };

/** A turn's checkpoint or an operation's redo point. */
export interface StoredItem {
  readonly id: string;
  /** Milliseconds since 1970 of its making. */
  readonly at: number;
  /** Bytes by the name of what holds them. Items that name the same share it: it is there until the last of them goes. */
  readonly holds: ReadonlyMap<string, number>;
  /** Never removed: running turns, the newest turns of the newest session, operations that are not complete. */
  readonly isKept: boolean;
}

/** Newest turns of the session used last that stay whatever the limits say. */
export const protectedTurns = 10;

/** Items to remove, oldest first. @param rest bytes in the store that belong to no item */
export function itemsToRemove(
  items: readonly StoredItem[],
  rest: number,
  limits: RetentionLimits,
  now: number,
): readonly StoredItem[] {
  const oldest =
    limits.maxAgeDays > 0 ? now - limits.maxAgeDays * 24 * 3_600_000 : Number.NEGATIVE_INFINITY;
  const holders = new Map<string, number>();
  let total = rest;
  for (const { holds } of items) {
    for (const [name, bytes] of holds) {
      const count = holders.get(name) ?? 0;
      if (count === 0) total += bytes;
      holders.set(name, count + 1);
    }
  }
  const going: StoredItem[] = [];
  for (const item of [...items].sort((a, b) => a.at - b.at)) {
    if (item.isKept || (total <= limits.maxBytes && item.at >= oldest)) continue;
    going.push(item);
    for (const [name, bytes] of item.holds) {
      const left = (holders.get(name) ?? 0) - 1;
      if (left === 0) total -= bytes;
      holders.set(name, left);
    }
  }
  return going;
}
