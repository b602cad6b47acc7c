/** Prepared statements, made once a database: preparing costs more than running one of them. */
import type { StatementSync } from 'node:sqlite';
import type { Database } from './database.ts';

const made = new WeakMap<Database, Map<string, StatementSync>>();

/** Only for texts that are constant: each is kept as long as the database is open. */
export function statement(database: Database, sql: string): StatementSync {
  let known = made.get(database);
  if (known === undefined) {
    known = new Map();
    made.set(database, known);
  }
  let found = known.get(sql);
  if (found === undefined) {
    found = database.prepare(sql);
    known.set(sql, found);
  }
  return found;
}
