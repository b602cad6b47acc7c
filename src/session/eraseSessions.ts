/** Deletes all rows of one root, overwriting what they held. Call inside a transaction. */
import type { Root } from '../core/ids.ts';
import type { Database } from './database.ts';

export function eraseSessions(database: Database, root: Root): void {
  database.exec('PRAGMA secure_delete = ON');
  const sessions = 'SELECT id FROM sessions WHERE root = ?';
  const turns = `SELECT id FROM turns WHERE session IN (${sessions})`;
  database
    .prepare(
      `DELETE FROM node_words WHERE rowid IN (SELECT key FROM nodes WHERE session IN (${sessions}))`,
    )
    .run(root);
  // Words of deleted rows stay in the index until it is merged.
  database.exec("INSERT INTO node_words (node_words) VALUES ('optimize')");
  for (const table of byTurn) {
    database.prepare(`DELETE FROM ${table} WHERE turn IN (${turns})`).run(root);
  }
  for (const table of bySession) {
    database.prepare(`DELETE FROM ${table} WHERE session IN (${sessions})`).run(root);
  }
  // What was remembered stays, and so does its history; only whose it was is forgotten.
  database
    .prepare(`UPDATE memory_touches SET session = NULL, turn = NULL WHERE session IN (${sessions})`)
    .run(root);
  database.prepare(`UPDATE turns SET parent = NULL WHERE session IN (${sessions})`).run(root);
  database.prepare(`DELETE FROM turns WHERE session IN (${sessions})`).run(root);
  database.prepare('DELETE FROM sessions WHERE root = ?').run(root);
  database.prepare('DELETE FROM operations WHERE root = ?').run(root);
}

const byTurn = [
  'touches',
  'unprotected',
  'tool_calls',
  'kept_records',
  'reconstructed',
  'nodes',
] as const;

const bySession = [
  'transcripts',
  'transcript_turns',
  'cursors',
  'outbox',
  'mirror_commits',
  'mirrors',
  'project_sessions',
  'turn_commits',
  'commit_leftovers',
] as const;
