/** The changes of memory in the database: which file, when, whose, and the bytes before and after. */
import { hashBytes } from '../base/hash.ts';
import {
  asOperationId,
  asSessionId,
  asTurnId,
  type OperationId,
  type TurnId,
} from '../core/ids.ts';
import type { MemoryOrigin, MemoryTouch } from '../core/memory.ts';
import type { Database } from './database.ts';
import { statement } from './statements.ts';

export interface NewMemoryTouch {
  readonly at: number;
  readonly origin: MemoryOrigin;
  readonly operation?: OperationId | undefined;
  readonly path: string;
  readonly before: Uint8Array | null;
  readonly after: Uint8Array | null;
}

/** Call inside a transaction, before the file is written. @returns its number */
export function addMemoryTouch(database: Database, touch: NewMemoryTouch): number {
  const { at, origin, operation, path, before, after } = touch;
  const { lastInsertRowid } = statement(
    database,
    `INSERT INTO memory_touches (at, path, before, after, actor, agent, session, turn, operation)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  ).run(
    at,
    path,
    keep(database, before),
    keep(database, after),
    origin.actor,
    origin.agent ?? null,
    origin.session ?? null,
    origin.turn ?? null,
    operation ?? null,
  );
  return Number(lastInsertRowid);
}

/** Keeps bytes that a later change will need. @returns their hash */
export function keepMemoryContent(database: Database, bytes: Uint8Array): string {
  const sha256 = hashBytes(bytes);
  statement(database, 'INSERT OR IGNORE INTO memory_contents (sha256, bytes) VALUES (?, ?)').run(
    sha256,
    bytes,
  );
  return sha256;
}

/** For a change that could not be made after all. */
export function dropMemoryTouch(database: Database, id: number): void {
  statement(database, 'DELETE FROM memory_touches WHERE id = ?').run(id);
}

/** Bytes of that hash; undefined when they are not kept. */
export function memoryContent(database: Database, sha256: string): Uint8Array | undefined {
  const bytes = statement(database, 'SELECT bytes FROM memory_contents WHERE sha256 = ?').get(
    sha256,
  )?.['bytes'];
  return bytes instanceof Uint8Array ? bytes : undefined;
}

/** Of these turns, oldest first. */
export function touchesOfTurns(
  database: Database,
  turns: readonly TurnId[],
): readonly MemoryTouch[] {
  return database
    .prepare(
      'SELECT * FROM memory_touches WHERE turn IN (SELECT value FROM json_each(?)) ORDER BY id',
    )
    .all(JSON.stringify(turns))
    .map(touchOf);
}

/** What this operation changed, oldest first. */
export function touchesOfOperation(
  database: Database,
  operation: OperationId,
): readonly MemoryTouch[] {
  return statement(database, 'SELECT * FROM memory_touches WHERE operation = ? ORDER BY id')
    .all(operation)
    .map(touchOf);
}

/** Of one file, oldest first. */
export function touchesOfPath(database: Database, path: string): readonly MemoryTouch[] {
  return statement(database, 'SELECT * FROM memory_touches WHERE path = ? ORDER BY id')
    .all(path)
    .map(touchOf);
}

/** Every path that ever changed. */
export function pathsWithHistory(database: Database): readonly string[] {
  return statement(database, 'SELECT DISTINCT path FROM memory_touches ORDER BY path')
    .all()
    .map((row) => String(row['path']));
}

export function memoryTouch(database: Database, id: number): MemoryTouch | undefined {
  const row = statement(database, 'SELECT * FROM memory_touches WHERE id = ?').get(id);
  return row && touchOf(row);
}

/** The memory of a project that was adopted goes on under its new name. Call inside a transaction. */
export function renameProjectTouches(database: Database, from: string, to: string): void {
  const [old, fresh] = [`projects/${from}/`, `projects/${to}/`];
  database
    .prepare(
      'UPDATE memory_touches SET path = :fresh || substr(path, length(:old) + 1) WHERE substr(path, 1, length(:old)) = :old',
    )
    .run({ old, fresh });
  database
    .prepare(
      'UPDATE memory_pending SET project = :to, path = :fresh || substr(path, length(:old) + 1) WHERE project = :from',
    )
    .run({ old, fresh, from, to });
}

/** Paths that ever changed, each with the hash of what was there at that moment; null: no file. */
export function memoryStatesAt(database: Database, at: number): ReadonlyMap<string, string | null> {
  const states = new Map<string, string | null>();
  // Where every change came later, it was as the first of them found it.
  for (const row of statement(
    database,
    `SELECT path, before AS state FROM memory_touches t
     WHERE id = (SELECT min(id) FROM memory_touches WHERE path = t.path)
     UNION ALL
     SELECT path, after FROM memory_touches t
     WHERE id = (SELECT max(id) FROM memory_touches WHERE path = t.path AND at <= :at)`,
  ).all({ at }))
    states.set(String(row['path']), row['state'] === null ? null : String(row['state']));
  return states;
}

function keep(database: Database, bytes: Uint8Array | null): string | null {
  return bytes === null ? null : keepMemoryContent(database, bytes);
}

function touchOf(row: Readonly<Record<string, unknown>>): MemoryTouch {
  const text = (name: string) => (row[name] === null ? undefined : String(row[name]));
  const [agent, session, turn] = [text('agent'), text('session'), text('turn')];
  const operation = text('operation');
  return {
    id: Number(row['id']),
    at: Number(row['at']),
    origin: {
      actor: String(row['actor']) as MemoryOrigin['actor'],
      ...(agent !== undefined && { agent }),
      ...(session !== undefined && { session: asSessionId(session) }),
      ...(turn !== undefined && { turn: asTurnId(turn) }),
    },
    operation: operation === undefined ? null : asOperationId(operation),
    path: String(row['path']),
    before: text('before') ?? null,
    after: text('after') ?? null,
  };
}
