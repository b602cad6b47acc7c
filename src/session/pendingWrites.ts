/** Agents' writes to memory that wait for a person. */
import { asSessionId, asTurnId } from '../core/ids.ts';
import { factScopes, type MemoryOrigin, type MemoryWrite, memoryScopes } from '../core/memory.ts';
import type { Database } from './database.ts';
import { statement } from './statements.ts';

export interface StoredPending {
  readonly id: string;
  readonly at: number;
  readonly project: string | null;
  readonly origin: MemoryOrigin;
  readonly write: MemoryWrite;
  /** Relative to the memory folder. */
  readonly path: string;
  /** Hash of what was there; null for nothing. */
  readonly base: string | null;
}

export function addPending(database: Database, pending: StoredPending): void {
  const { id, at, project, origin, write, path, base } = pending;
  statement(
    database,
    'INSERT INTO memory_pending (id, at, project, origin, write, path, base) VALUES (?, ?, ?, ?, ?, ?, ?)',
  ).run(id, at, project, JSON.stringify(origin), JSON.stringify(write), path, base);
}

/** False: it was not there any more; somebody else decided it. */
export function dropPending(database: Database, id: string): boolean {
  return statement(database, 'DELETE FROM memory_pending WHERE id = ?').run(id).changes > 0;
}

/** Oldest first. What cannot be understood is left out. */
export function pendingWrites(database: Database): readonly StoredPending[] {
  return statement(database, 'SELECT * FROM memory_pending ORDER BY at, id')
    .all()
    .flatMap((row) => {
      const write = writeOf(JSON.parse(String(row['write'])));
      if (write === undefined) return [];
      return {
        id: String(row['id']),
        at: Number(row['at']),
        project: row['project'] === null ? null : String(row['project']),
        origin: originOf(JSON.parse(String(row['origin']))),
        write,
        path: String(row['path']),
        base: row['base'] === null ? null : String(row['base']),
      };
    });
}

function writeOf(value: unknown): MemoryWrite | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  const { act, scope, name, body, mode, key, value: text }: Record<string, unknown> = { ...value };
  const noteScope = memoryScopes.find((each) => each === scope);
  const factScope = factScopes.find((each) => each === scope);
  if (act === 'remember' && noteScope && typeof name === 'string' && typeof body === 'string')
    return {
      act,
      scope: noteScope,
      name,
      body,
      ...((typeof mode === 'string' || mode === null) && { mode }),
    };
  if (act === 'forget' && noteScope && typeof name === 'string')
    return { act, scope: noteScope, name };
  if (act === 'setFact' && factScope && typeof key === 'string' && typeof text === 'string')
    return { act, scope: factScope, key, value: text };
  if (act === 'dropFact' && factScope && typeof key === 'string')
    return { act, scope: factScope, key };
  return undefined;
}

function originOf(value: unknown): MemoryOrigin {
  const { agent, session, turn }: Record<string, unknown> =
    typeof value === 'object' && value !== null ? { ...value } : {};
  return {
    actor: 'agent',
    ...(typeof agent === 'string' && { agent }),
    ...(typeof session === 'string' && { session: asSessionId(session) }),
    ...(typeof turn === 'string' && { turn: asTurnId(turn) }),
  };
}
