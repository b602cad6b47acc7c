/** Deletes all rows of one root, overwriting what they held. Call inside a transaction. */
import type { Root } from '../core/ids.ts';
import type { Database } from './database.ts';

export function eraseSessions(database: Database, root: Root): void {
  database.exec('PRAGMA secure_delete = ON');
  const turns = 'SELECT id FROM turns WHERE session IN (SELECT id FROM sessions WHERE root = ?)';
  for (const table of ['touches', 'unprotected', 'tool_calls']) {
    database.prepare(`DELETE FROM ${table} WHERE turn IN (${turns})`).run(root);
  }
  database
    .prepare(
      'UPDATE turns SET parent = NULL WHERE session IN (SELECT id FROM sessions WHERE root = ?)',
    )
    .run(root);
  database
    .prepare('DELETE FROM turns WHERE session IN (SELECT id FROM sessions WHERE root = ?)')
    .run(root);
  database.prepare('DELETE FROM sessions WHERE root = ?').run(root);
  database.prepare('DELETE FROM operations WHERE root = ?').run(root);
}
