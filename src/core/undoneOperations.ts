/**
 * Which operations are taken back, by who undid whom. An operation can be undone, brought back by undoing that, and undone
 * again, in any order and more than once: what was done last about it counts, as it does for the files. Pure.
 */

interface Undoing {
  readonly id: string;
  /** The operation it takes back. */
  readonly undoes: string | null;
}

interface Last {
  /** Place in the list: the lower, the later. */
  readonly place: number;
  /** How many undos lie between: an odd number takes back. */
  readonly depth: number;
}

/** @param newestFirst every operation of a root. Clocks are trusted only between undos of the same operation. */
export function undoneOperations(newestFirst: readonly Undoing[]): ReadonlySet<string> {
  const undos = new Map<string, string[]>();
  for (const { id, undoes } of newestFirst)
    if (undoes !== null) undos.set(undoes, [...(undos.get(undoes) ?? []), id]);
  const places = new Map(newestFirst.map(({ id }, place) => [id, place]));
  const known = new Map<string, Last>();
  const lastOf = (id: string): Last => {
    const before = known.get(id);
    if (before !== undefined) return before;
    const itself: Last = { place: places.get(id) ?? newestFirst.length, depth: 0 };
    // No record that leads back to itself may keep this from ending.
    known.set(id, itself);
    const later = (undos.get(id) ?? []).map(lastOf);
    const [first, ...rest] = later;
    if (first === undefined) return itself;
    const last = rest.reduce((one, other) => (other.place < one.place ? other : one), first);
    const result = { ...last, depth: last.depth + 1 };
    known.set(id, result);
    return result;
  };
  return new Set(newestFirst.map(({ id }) => id).filter((id) => lastOf(id).depth % 2 === 1));
}
