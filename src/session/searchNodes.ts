/** Finds messages by words, file, agent and time; the newest first, so that the first page never waits for the rest. */
import { UserError } from '../core/errors.ts';
import { foundIn } from '../core/foundWords.ts';
import type { SearchHit, SearchQuery } from '../core/history.ts';
import { longestIndexed, pathQueryOf, queryOf } from '../core/searchText.ts';
import { inputText } from '../core/toolInput.ts';
import type { Database } from './database.ts';
import { nodeOf } from './nodeStore.ts';
import { statement } from './statements.ts';

const usualLimit = 50;
const around = 60;

/** @throws UserError `usage` when nothing is asked for. */
export function searchNodes(database: Database, query: SearchQuery): readonly SearchHit[] {
  const words = query.text === undefined ? undefined : queryOf(query.text);
  if (query.text !== undefined && words === undefined)
    throw new UserError('usage', 'There is no word to look for in that.', { text: query.text });
  const { file, limit = usualLimit } = query;
  if (words === undefined && file !== undefined) {
    // Without words each turn is told once, by its prompt, and each tool that names the file.
    const named = pathQueryOf(file);
    const tools = named === undefined ? [] : select(database, query, named, namingTools);
    return [...select(database, query, undefined, touchingTurns), ...tools]
      .sort((a, b) => b.key - a.key)
      .slice(0, limit)
      .map(({ hit }) => hit);
  }
  const condition = file === undefined ? undefined : `(${touching} OR ${namingTools})`;
  return select(database, query, words, condition).map(({ hit }) => hit);
}

const touching = "n.turn IN (SELECT turn FROM touches WHERE path LIKE :file ESCAPE '\\')";
const touchingTurns = `n.role = 'user' AND ${touching}`;
const namingTools = "(n.role = 'tool' AND n.input LIKE :file ESCAPE '\\')";

function select(
  database: Database,
  query: SearchQuery,
  words: string | undefined,
  condition: string | undefined,
): readonly { readonly key: number; readonly hit: SearchHit }[] {
  const conditions: string[] = condition === undefined ? [] : [condition];
  const values: Record<string, string | number> = { limit: query.limit ?? usualLimit };
  if (condition !== undefined) values['file'] = likeOf(query.file ?? '');
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
      const hit = {
        node,
        agent: String(row['agent']),
        root: String(row['root']),
        title: row['title'] === null ? node.session : String(row['title']),
        number: Number(row['number']),
        excerpt: excerptOf([node.content, inputText(node.input ?? ''), node.said ?? ''], query),
      };
      return { key: Number(row['key']), hit };
    });
}

function likeOf(part: string): string {
  return `%${part.replace(/[\\%_]/g, '\\$&')}%`;
}

/** The part of a text around what was looked for, on one line. */
function excerptOf(texts: readonly string[], query: SearchQuery): string {
  for (const text of texts) {
    const at = placeIn(text, query);
    if (at !== undefined) return cutAround(text, at);
  }
  return cutAround(texts.find((text) => text.trim() !== '') ?? '', 0);
}

function placeIn(text: string, { text: typed, file }: SearchQuery): number | undefined {
  if (typed !== undefined) {
    const [found] = foundIn(text.slice(0, longestIndexed), typed);
    if (found !== undefined) return found.from;
  }
  const at = file === undefined ? -1 : text.toLowerCase().indexOf(file.toLowerCase());
  return at < 0 ? undefined : at;
}

function cutAround(text: string, at: number): string {
  const start = Math.max(0, at - around);
  const end = Math.min(text.length, at + 2 * around);
  const part = text.slice(start, end).toWellFormed().replace(/\s+/g, ' ').trim();
  return `${start > 0 ? '…' : ''}${part}${end < text.length ? '…' : ''}`;
}
