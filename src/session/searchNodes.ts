/** Finds messages by words, file, agent and time; the newest first, so that the first page never waits for the rest. */
import { UserError } from '../core/errors.ts';
import type { SearchHit, SearchQuery } from '../core/history.ts';
import type { Database } from './database.ts';
import { nodeOf } from './nodeStore.ts';
import { queryOf } from './searchText.ts';
import { statement } from './statements.ts';

const usualLimit = 50;
const around = 60;

/** @throws UserError `usage` when nothing is asked for. */
export function searchNodes(database: Database, query: SearchQuery): readonly SearchHit[] {
  const words = query.text === undefined ? undefined : queryOf(query.text);
  if (query.text !== undefined && words === undefined)
    throw new UserError('usage', 'There is no word to look for in that.', { text: query.text });
  const conditions: string[] = [];
  const values: Record<string, string | number> = { limit: query.limit ?? usualLimit };
  const add = (name: string, value: string | number | undefined, sql: string) => {
    if (value === undefined) return;
    conditions.push(sql);
    values[name] = value;
  };
  add('words', words, 'w.node_words MATCH :words');
  add('agent', query.agent, 's.agent = :agent');
  add('since', query.since, 'n.created_at >= :since');
  add('until', query.until, 'n.created_at < :until');
  add('session', query.session, 'n.session = :session');
  add('root', query.root, 's.root = :root');
  // Without words each turn is told once, by its prompt, and each tool that names the file.
  const ofTurn = words === undefined ? `(n.role = 'user' AND ${turnTouches})` : turnTouches;
  const file = query.file === undefined ? undefined : likeOf(query.file);
  add('file', file, `(${ofTurn} OR ${toolNames})`);
  if (conditions.length === 0)
    throw new UserError('usage', 'Say what to look for: words, a file, an agent or a time.');
  // Walking one table backwards and joining the rest keeps the first hits from waiting for all of them.
  const from =
    words === undefined ? 'nodes n' : 'node_words w CROSS JOIN nodes n ON n.key = w.rowid';
  const order = words === undefined ? 'n.key' : 'w.rowid';
  return statement(
    database,
    `SELECT n.*, s.agent AS agent, s.root AS root, s.title AS title, t.number AS number
     FROM ${from} CROSS JOIN sessions s ON s.id = n.session CROSS JOIN turns t ON t.id = n.turn
     WHERE ${conditions.join(' AND ')} ORDER BY ${order} DESC LIMIT :limit`,
  )
    .all(values)
    .map((row) => {
      const node = nodeOf(row);
      return {
        node,
        agent: String(row['agent']),
        root: String(row['root']),
        title: row['title'] === null ? node.session : String(row['title']),
        number: Number(row['number']),
        excerpt: excerptOf([node.content, node.input ?? '', node.said ?? ''], query),
      };
    });
}

const turnTouches = `(
  EXISTS (SELECT 1 FROM touches x WHERE x.turn = n.turn AND x.path LIKE :file ESCAPE '\\')
  OR EXISTS (SELECT 1 FROM tool_calls c WHERE c.turn = n.turn AND c.paths LIKE :file ESCAPE '\\'))`;
const toolNames = "(n.role = 'tool' AND n.input LIKE :file ESCAPE '\\')";

function likeOf(part: string): string {
  return `%${part.replace(/[\\%_]/g, '\\$&')}%`;
}

/** The part of a text around what was looked for, on one line. */
function excerptOf(texts: readonly string[], query: SearchQuery): string {
  const wanted: string[] = [...(query.text?.match(/[\p{L}\p{N}\p{M}]+/gu) ?? [])];
  if (query.file !== undefined) wanted.push(query.file);
  for (const text of texts) {
    const low = text.toLowerCase();
    const at = wanted.map((word) => low.indexOf(word.toLowerCase())).find((found) => found >= 0);
    if (at !== undefined) return cutAround(text, at);
  }
  return cutAround(texts[0] ?? '', 0);
}

function cutAround(text: string, at: number): string {
  const start = Math.max(0, at - around);
  const end = Math.min(text.length, at + 2 * around);
  const part = text.slice(start, end).toWellFormed().replace(/\s+/g, ' ').trim();
  return `${start > 0 ? '…' : ''}${part}${end < text.length ? '…' : ''}`;
}
