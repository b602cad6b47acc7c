/**
 * Writes the messages of turns into the DAG: the prompt and a placeholder for the reply when a turn begins, the rest when
 * it is known. Called inside a transaction. Ids follow from the turn, so that recording twice changes nothing. A chain that
 * is broken is told and never mended by guessing.
 */
import { UserError } from '../core/errors.ts';
import type { MessageNode, NodeRole } from '../core/history.ts';
import { wordsOf } from '../core/searchText.ts';
import { inputText } from '../core/toolInput.ts';
import type { Database } from './database.ts';
import { nodeId } from './nodeId.ts';
import { nodesOfTurn } from './nodeStore.ts';
import { statement } from './statements.ts';

export interface TurnToRecord {
  readonly id: string;
  readonly session: string;
  readonly seq: number;
  readonly parent: string | null;
  readonly prompt: string;
  readonly model: string | null;
  /** Milliseconds since 1970. */
  readonly startedAt: number;
}

export interface ToolContent {
  readonly callId: string | undefined;
  readonly name: string;
  readonly input: string;
  readonly output: string;
  readonly failed: boolean;
  readonly at: number;
  readonly duration: number | undefined;
  readonly said: string | undefined;
}

export interface TurnContent {
  readonly reply: string | undefined;
  readonly model: string | undefined;
  readonly inputTokens: number | undefined;
  readonly outputTokens: number | undefined;
  readonly duration: number | undefined;
  readonly endedAt: number;
  readonly tools: readonly ToolContent[];
}

/** Prompt and placeholder; where they are, only what the prompt says. @throws UserError `damaged` when the turn before it has no messages. */
export function recordPrompt(database: Database, turn: TurnToRecord): void {
  const assistant = nodeId(turn.session, turn.seq, 'assistant');
  const user = nodeId(turn.session, turn.seq, 'user');
  const known = nodesOfTurn(database, turn.id).find(({ id }) => id === user);
  if (known) {
    replace(database, known, { ...known, content: turn.prompt });
    statement(database, 'UPDATE turns SET recorded = max(recorded, 1) WHERE id = ?').run(turn.id);
    return;
  }
  const seq = nextSeq(database, turn.session);
  const common = { session: turn.session, turn: turn.id, createdAt: turn.startedAt };
  insert(database, {
    ...blank,
    ...common,
    id: user,
    seq,
    role: 'user',
    predecessor: replyOf(database, turn.parent, user),
    content: turn.prompt,
  });
  insert(database, {
    ...blank,
    ...common,
    id: assistant,
    seq: seq + 1,
    role: 'assistant',
    predecessor: user,
    model: turn.model,
  });
  statement(database, 'UPDATE turns SET recorded = max(recorded, 1), parent = ? WHERE id = ?').run(
    turn.parent,
    turn.id,
  );
}

/**
 * Reply and tools of a turn whose prompt is recorded. What is the same already stays untouched.
 * @returns whether anything changed
 */
export function recordContent(
  database: Database,
  turn: Pick<TurnToRecord, 'id' | 'session' | 'seq'>,
  content: TurnContent,
): boolean {
  const before = new Map(nodesOfTurn(database, turn.id).map((node) => [node.id, node]));
  const id = nodeId(turn.session, turn.seq, 'assistant');
  const reply = before.get(id);
  if (reply === undefined) throw damaged(id, 'It is missing, although its turn is recorded');
  let changed = replace(database, reply, {
    ...reply,
    content: content.reply ?? reply.content,
    model: content.model ?? reply.model,
    inputTokens: content.inputTokens ?? reply.inputTokens,
    outputTokens: content.outputTokens ?? reply.outputTokens,
    duration: content.duration ?? reply.duration,
  });
  let seq = 0;
  for (const [index, tool] of content.tools.entries()) {
    const toolId = nodeId(turn.session, turn.seq, 'tool', index + 1);
    const known = before.get(toolId);
    const wanted = {
      content: tool.output,
      name: tool.name,
      callId: tool.callId ?? null,
      input: tool.input,
      failed: tool.failed,
      said: tool.said ?? null,
      duration: tool.duration ?? null,
      createdAt: tool.at,
    };
    if (known) {
      changed = replace(database, known, { ...known, ...wanted }) || changed;
      continue;
    }
    seq = seq === 0 ? nextSeq(database, turn.session) : seq + 1;
    const { session, id: turnId } = turn;
    insert(database, {
      ...blank,
      ...wanted,
      id: toolId,
      session,
      turn: turnId,
      seq,
      role: 'tool',
      caller: id,
    });
    changed = true;
  }
  return changed;
}

/** Nothing more is expected of the turn: its mirror may have it. */
export function markRecorded(database: Database, turn: string, session: string, at: number): void {
  statement(database, 'UPDATE turns SET recorded = 2 WHERE id = ?').run(turn);
  toOutbox(database, turn, session, at);
}

/** The session's mirror lacks the turn, or has it otherwise. */
export function toOutbox(database: Database, turn: string, session: string, at: number): void {
  statement(
    database,
    'INSERT INTO outbox (turn, session, at) VALUES (?, ?, ?) ON CONFLICT (turn) DO NOTHING',
  ).run(turn, session, at);
}

/** The turn goes on from another one than was thought. The messages after it stay with it. */
export function moveTurn(
  database: Database,
  turn: Pick<TurnToRecord, 'id' | 'session' | 'seq'>,
  parent: string | null,
): void {
  const user = nodeId(turn.session, turn.seq, 'user');
  statement(database, 'UPDATE turns SET parent = ? WHERE id = ?').run(parent, turn.id);
  statement(database, 'UPDATE nodes SET predecessor = ? WHERE id = ?').run(
    replyOf(database, parent, user),
    user,
  );
}

/** Whether a turn comes after another one of its conversation, or is it: that one cannot go on from it. */
export function comesAfter(database: Database, turn: string, other: string): boolean {
  return (
    statement(
      database,
      `WITH RECURSIVE above (id) AS (
         SELECT ? UNION SELECT t.parent FROM turns t JOIN above a ON t.id = a.id WHERE t.parent IS NOT NULL
       ) SELECT 1 FROM above WHERE id = ?`,
    ).get(turn, other) !== undefined
  );
}

/** The message that a turn's prompt follows. @throws UserError `damaged`. */
function replyOf(database: Database, parent: string | null, user: string): string | null {
  if (parent === null) return null;
  const row = statement(database, "SELECT id FROM nodes WHERE turn = ? AND role = 'assistant'").get(
    parent,
  );
  if (row) return String(row['id']);
  throw damaged(user, `The turn before it (${parent}) has no messages`);
}

function damaged(node: string, what: string): UserError {
  return new UserError('damaged', `The conversation is broken at message ${node}: ${what}.`, {
    node,
  });
}

function nextSeq(database: Database, session: string): number {
  const row = statement(
    database,
    'SELECT coalesce(max(seq), 0) + 1 AS next FROM nodes WHERE session = ?',
  ).get(session);
  return Number(row?.['next']);
}

const blank = {
  predecessor: null,
  caller: null,
  content: '',
  model: null,
  inputTokens: null,
  outputTokens: null,
  duration: null,
  name: null,
  callId: null,
  input: null,
  failed: false,
  said: null,
} as const satisfies Partial<MessageNode>;

function insert(database: Database, node: MessageNode): void {
  const { lastInsertRowid } = statement(
    database,
    `INSERT INTO nodes (id, session, turn, seq, role, predecessor, caller, content, created_at, model, input_tokens,
       output_tokens, duration, name, call_id, input, failed, said)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  ).run(
    node.id,
    node.session,
    node.turn,
    node.seq,
    node.role satisfies NodeRole,
    node.predecessor,
    node.caller,
    node.content,
    ...valuesOf(node),
  );
  addWords(database, lastInsertRowid, node);
}

/** @returns false when nothing differs */
function replace(database: Database, before: MessageNode, node: MessageNode): boolean {
  const same = (Object.keys(node) as (keyof MessageNode)[]).every((k) => before[k] === node[k]);
  if (same) return false;
  const row = statement(database, 'SELECT key FROM nodes WHERE id = ?').get(node.id);
  statement(
    database,
    `UPDATE nodes SET content = ?, created_at = ?, model = ?, input_tokens = ?, output_tokens = ?, duration = ?, name = ?,
       call_id = ?, input = ?, failed = ?, said = ? WHERE id = ?`,
  ).run(node.content, ...valuesOf(node), node.id);
  const key = Number(row?.['key']);
  statement(database, 'DELETE FROM node_words WHERE rowid = ?').run(key);
  addWords(database, key, node);
  return true;
}

function valuesOf(node: MessageNode): (string | number | null)[] {
  return [
    node.createdAt,
    node.model,
    node.inputTokens,
    node.outputTokens,
    node.duration,
    node.name,
    node.callId,
    node.input,
    node.failed ? 1 : 0,
    node.said,
  ];
}

function addWords(database: Database, key: number | bigint, node: MessageNode): void {
  const words = wordsOf(node.content, node.name, inputText(node.input ?? ''), node.said);
  if (words === '') return;
  statement(database, 'INSERT INTO node_words (rowid, words) VALUES (?, ?)').run(key, words);
}
