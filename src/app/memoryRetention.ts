/**
 * Lets go of old versions of memory within the limits that a root's saved states have. That something changed is known for
 * ever; what goes are texts, and never one that is there now, or that a turn, an operation or a waiting write needs.
 */
import type { Root } from '../core/ids.ts';
import { itemsToRemove, type RetentionLimits, type StoredItem } from '../core/retention.ts';
import { inTransaction } from '../session/database.ts';
import {
  dropMemoryContents,
  memoryContentBytes,
  memoryContentSize,
  memoryHoldings,
  presentMemoryHashes,
} from '../session/memoryContents.ts';
import { statement } from '../session/statements.ts';
import type { IngestContext } from './ingest.ts';
import { journalsOf } from './operations.ts';

/** Milliseconds in which nothing goes: the turn of a write may not be in the database yet. */
const grace = 3_600_000;

/** @returns how many texts went */
export function enforceMemoryRetention(context: IngestContext, limits: RetentionLimits): number {
  const { database, now } = context;
  // Before the transaction: reading files must not hold the database.
  const inJournals = journalHashes(context);
  const count = inTransaction(database, () => {
    const holdings = memoryHoldings(database);
    if (holdings.length === 0) return 0;
    const kept = new Map<string, number>();
    for (const sha256 of [...presentMemoryHashes(database), ...inJournals]) {
      const bytes = memoryContentSize(database, sha256);
      if (bytes !== undefined) kept.set(sha256, bytes);
    }
    const items: StoredItem[] = holdings.map(({ id, at, holds, isNeeded }) => ({
      id: String(id),
      at,
      holds,
      isKept: isNeeded || at > now() - grace,
    }));
    items.push({ id: 'kept', at: now(), holds: kept, isKept: true });
    const held = new Map(items.flatMap(({ holds }) => [...holds]));
    const rest = memoryContentBytes(database) - sum(held.values());
    const going = new Set(itemsToRemove(items, rest, limits, now()));
    const staying = new Set(
      items.filter((item) => !going.has(item)).flatMap(({ holds }) => [...holds.keys()]),
    );
    const gone = [...held.keys()].filter((sha256) => !staying.has(sha256));
    dropMemoryContents(database, gone);
    return gone.length;
  });
  if (count > 0)
    context.log('info', `Removed ${count} old versions of memory to keep within the limits.`);
  return count;
}

/** What operations bring or take, also those of which a crash left only the journal. */
function journalHashes(context: IngestContext): readonly string[] {
  const roots = statement(context.database, 'SELECT DISTINCT root FROM turns').all();
  return roots
    .flatMap((row) => journalsOf(context, String(row['root']) as Root))
    .flatMap(({ memory }) => memory ?? [])
    .flatMap(({ from, to }) => [from, to])
    .filter((sha256) => sha256 !== null);
}

function sum(values: Iterable<number>): number {
  let total = 0;
  for (const value of values) total += value;
  return total;
}
