/** Which texts of old versions of memory are kept, and for whom. */
import type { Database } from './database.ts';
import { statement } from './statements.ts';

/** A change of memory with those of its texts that are kept. */
export interface MemoryHolding {
  readonly id: number;
  readonly at: number;
  /** Bytes by hash. */
  readonly holds: ReadonlyMap<string, number>;
  /** A turn or an operation that can be taken back made it. */
  readonly isNeeded: boolean;
}

/** Oldest first; without changes whose texts are all gone. */
export function memoryHoldings(database: Database): readonly MemoryHolding[] {
  return statement(
    database,
    `SELECT t.id, t.at, b.sha256 AS before, length(b.bytes) AS before_bytes, a.sha256 AS after, length(a.bytes) AS after_bytes,
       EXISTS (SELECT 1 FROM turns WHERE id = t.turn AND pruned_at IS NULL)
         OR EXISTS (SELECT 1 FROM operations WHERE id = t.operation AND pruned = 0) AS needed
     FROM memory_touches t
     LEFT JOIN memory_contents b ON b.sha256 = t.before
     LEFT JOIN memory_contents a ON a.sha256 = t.after
     WHERE b.sha256 IS NOT NULL OR a.sha256 IS NOT NULL
     ORDER BY t.id`,
  )
    .all()
    .map((row) => {
      const holds = new Map<string, number>();
      for (const side of ['before', 'after'])
        if (row[side] !== null) holds.set(String(row[side]), Number(row[`${side}_bytes`]));
      return {
        id: Number(row['id']),
        at: Number(row['at']),
        holds,
        isNeeded: row['needed'] === 1,
      };
    });
}

/** What each file of memory is now, as far as is known, and what writes that wait were asked for on top of. */
export function presentMemoryHashes(database: Database): readonly string[] {
  return statement(
    database,
    `SELECT after AS sha256 FROM memory_touches t
     WHERE after IS NOT NULL AND id = (SELECT max(id) FROM memory_touches WHERE path = t.path)
     UNION SELECT before FROM memory_touches t JOIN memory_pending p ON p.path = t.path
     WHERE before IS NOT NULL AND t.id = (SELECT max(id) FROM memory_touches WHERE path = t.path)
     UNION SELECT base FROM memory_pending WHERE base IS NOT NULL`,
  )
    .all()
    .map((row) => String(row['sha256']));
}

/** Bytes of everything that is kept. */
export function memoryContentBytes(database: Database): number {
  const row = statement(
    database,
    'SELECT coalesce(sum(length(bytes)), 0) AS bytes FROM memory_contents',
  ).get();
  return Number(row?.['bytes'] ?? 0);
}

/** Bytes of one text; undefined when it is not kept. */
export function memoryContentSize(database: Database, sha256: string): number | undefined {
  const row = statement(
    database,
    'SELECT length(bytes) AS bytes FROM memory_contents WHERE sha256 = ?',
  ).get(sha256);
  return row && Number(row['bytes']);
}

/** Call inside a transaction. The changes stay, and say that their texts are not kept. */
export function dropMemoryContents(database: Database, hashes: Iterable<string>): void {
  for (const sha256 of hashes)
    statement(database, 'DELETE FROM memory_contents WHERE sha256 = ?').run(sha256);
}
