/** Puts a separator before each run of entries that belong together. Pure. */
import { cutGraphemes } from '../core/label.ts';
import type { PickEntry } from './question.ts';

/** A longer one covers the row below it. */
const longestLabel = 48;

export function separatedBy<T>(
  items: readonly Extract<PickEntry<T>, { kind: 'item' }>[],
  groupOf: (value: T) => string,
): readonly PickEntry<T>[] {
  let last: string | undefined;
  return items.flatMap((item): PickEntry<T>[] => {
    const group = groupOf(item.value);
    if (group === last) return [item];
    last = group;
    return [{ kind: 'separator', label: cutGraphemes(group, longestLabel) }, item];
  });
}
