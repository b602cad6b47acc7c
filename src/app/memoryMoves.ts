/**
 * Where a note went when a person moved it to the other scope. A move is two touches, one right after the other: the file
 * is made in its new place, then gone from the old one, with the same bytes.
 */
import type { MemoryTouch } from '../core/memory.ts';
import type { Database } from '../session/database.ts';
import { memoryTouch, touchesOfPath } from '../session/memoryTouches.ts';

/** The path at which what this touch wrote lies now, or lay last; of a move's own removal: what it took from there. */
export function placeSince(database: Database, { id, path }: MemoryTouch): string {
  for (let [at, since] = [path, id]; ; ) {
    const left = touchesOfPath(database, at).find(
      (touch) => touch.id >= since && madeBy(database, touch) !== undefined,
    );
    const made = left && madeBy(database, left);
    if (left === undefined || made === undefined) return at;
    [at, since] = [made.path, left.id];
  }
}

/** The touches of a file and of the places from which it came, oldest first. */
export function touchesWithMoves(database: Database, path: string): readonly MemoryTouch[] {
  const found = new Map<number, MemoryTouch>();
  const follow = (at: string, until: number): void => {
    for (const touch of touchesOfPath(database, at)) {
      if (touch.id > until || found.has(touch.id)) continue;
      found.set(touch.id, touch);
      const left = memoryTouch(database, touch.id + 1);
      if (left !== undefined && madeBy(database, left)?.id === touch.id) follow(left.path, left.id);
    }
  };
  follow(path, Number.POSITIVE_INFINITY);
  return [...found.values()].sort((a, b) => a.id - b.id);
}

/** The other half of the move that took a file from here; undefined where the touch is none. */
function madeBy(database: Database, left: MemoryTouch): MemoryTouch | undefined {
  if (left.after !== null || !isPersons(left)) return undefined;
  const made = memoryTouch(database, left.id - 1);
  const isMove =
    made !== undefined &&
    isPersons(made) &&
    made.before === null &&
    made.after === left.before &&
    made.path !== left.path;
  return isMove ? made : undefined;
}

function isPersons({ origin, operation }: MemoryTouch): boolean {
  return origin.actor === 'person' && operation === null;
}
