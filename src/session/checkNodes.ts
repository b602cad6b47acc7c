/** What must hold in the DAG, looked over whole. Each fault names its node; nothing is changed. */
import type { Database } from './database.ts';

export interface NodeFault {
  readonly node: string;
  /** A sentence. */
  readonly text: string;
}

const rules: readonly { readonly sql: string; readonly text: string }[] = [
  {
    sql: `SELECT n.id FROM nodes n JOIN turns t ON t.id = n.turn
          WHERE n.role = 'user' AND (n.predecessor IS NULL) <> (t.parent IS NULL)`,
    text: 'The prompt does not follow the reply of the turn before it.',
  },
  {
    sql: `SELECT n.id FROM nodes n JOIN turns t ON t.id = n.turn
          WHERE n.role = 'user' AND n.predecessor IS NOT NULL AND NOT EXISTS (
            SELECT 1 FROM nodes p WHERE p.id = n.predecessor AND p.turn = t.parent AND p.session = n.session
              AND p.role = 'assistant')`,
    text: 'It follows a message that is not there, or one of another turn.',
  },
  {
    sql: `SELECT n.id FROM nodes n WHERE n.role = 'assistant' AND NOT EXISTS (
            SELECT 1 FROM nodes p WHERE p.id = n.predecessor AND p.turn = n.turn AND p.role = 'user')`,
    text: 'The reply does not follow the prompt of its turn.',
  },
  {
    sql: `SELECT n.id FROM nodes n WHERE n.role = 'tool' AND (n.predecessor IS NOT NULL OR NOT EXISTS (
            SELECT 1 FROM nodes p WHERE p.id = n.caller AND p.turn = n.turn AND p.role = 'assistant'))`,
    text: 'What the tool answered is not tied to the reply that called it.',
  },
  {
    sql: `SELECT n.id FROM nodes n WHERE n.role <> 'tool' AND n.caller IS NOT NULL`,
    text: 'A prompt or reply says that a message called it.',
  },
  {
    sql: `SELECT n.id FROM nodes n JOIN turns t ON t.id = n.turn WHERE t.session <> n.session`,
    text: 'It belongs to another session than its turn.',
  },
];

const missing = `
  SELECT t.id FROM turns t WHERE t.recorded > 0 AND (
    SELECT count(*) FROM nodes n WHERE n.turn = t.id AND n.role IN ('user', 'assistant')) <> 2`;

/** @param limit of faults told for each rule */
export function checkNodes(database: Database, root: string, limit = 20): readonly NodeFault[] {
  const within = 'SELECT id FROM sessions WHERE root = ?';
  return [
    ...rules.flatMap(({ sql, text }) =>
      database
        .prepare(`${sql} AND n.session IN (${within}) LIMIT ?`)
        .all(root, limit)
        .map((row) => ({ node: String(row['id']), text })),
    ),
    ...database
      .prepare(`${missing} AND t.session IN (${within}) LIMIT ?`)
      .all(root, limit)
      .map((row) => ({
        node: String(row['id']),
        text: 'The turn is recorded, but its prompt or its reply is missing.',
      })),
  ];
}
