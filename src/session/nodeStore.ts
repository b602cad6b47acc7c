/** Reads the messages of sessions. Plain queries; writing is `recordNodes`. */
import { UserError } from '../core/errors.ts';
import type { MessageNode, NodeRole } from '../core/history.ts';
import type { Database } from './database.ts';
import { statement } from './statements.ts';

type Row = Record<string, unknown>;

/** By seq. */
export function nodesOfTurn(database: Database, turn: string): readonly MessageNode[] {
  return statement(database, 'SELECT * FROM nodes WHERE turn = ? ORDER BY seq')
    .all(turn)
    .map(nodeOf);
}

/** By seq. */
export function nodesOfSession(database: Database, session: string): readonly MessageNode[] {
  return database
    .prepare('SELECT * FROM nodes WHERE session = ? ORDER BY seq')
    .all(session)
    .map(nodeOf);
}

/** @throws UserError `notFound`. */
export function nodeById(database: Database, id: string): MessageNode {
  const row = database.prepare('SELECT * FROM nodes WHERE id = ?').get(id);
  if (row) return nodeOf(row);
  throw new UserError('notFound', `There is no message ${id}.`, { node: id });
}

export function nodeOf(row: Row): MessageNode {
  return {
    id: String(row['id']),
    session: String(row['session']),
    turn: String(row['turn']),
    seq: Number(row['seq']),
    role: String(row['role']) as NodeRole,
    predecessor: text(row['predecessor']),
    caller: text(row['caller']),
    content: String(row['content']),
    createdAt: Number(row['created_at']),
    model: text(row['model']),
    inputTokens: count(row['input_tokens']),
    outputTokens: count(row['output_tokens']),
    duration: count(row['duration']),
    name: text(row['name']),
    callId: text(row['call_id']),
    input: text(row['input']),
    failed: row['failed'] === 1,
    said: text(row['said']),
  };
}

const text = (value: unknown): string | null => (value === null ? null : String(value));
const count = (value: unknown): number | null => (value === null ? null : Number(value));
