/** Reads and marks sessions, turns and operations in the database. Plain queries; no files. */
import {
  asOperationId,
  asSessionId,
  asTurnId,
  type OperationId,
  type Root,
  type SessionId,
  type TurnId,
} from '../core/ids.ts';
import type {
  OperationKind,
  OperationSummary,
  SessionSummary,
  TouchSummary,
  TurnEnd,
  TurnSummary,
} from '../core/timeline.ts';
import { undoneOperations } from '../core/undoneOperations.ts';
import type { Database } from './database.ts';
import { statement } from './statements.ts';
import { pendingCapture } from './takeIn.ts';

type Row = Record<string, unknown>;

/** A turn as the database knows it: whether its checkpoint can be read is for others to say. */
export type StoredTurn = Omit<TurnSummary, 'damaged'> & {
  readonly root: Root;
  readonly lastAt: number;
  readonly head: { readonly commit: string; readonly branch: string | null } | null;
};

/** Newest activity first; also those that have gone on elsewhere since. */
export function sessionsOf(database: Database, root: Root): readonly SessionSummary[] {
  return statement(
    database,
    `SELECT s.*, (SELECT count(*) FROM turns t WHERE t.session = s.id) AS turns FROM sessions s
       WHERE s.root = :root OR EXISTS (SELECT 1 FROM turns t WHERE t.session = s.id AND t.root = :root)
       ORDER BY s.updated_at DESC, s.id`,
  )
    .all({ root })
    .map(sessionOf);
}

/** Undefined for one that nobody recorded, or that was erased. */
export function sessionById(database: Database, session: SessionId): SessionSummary | undefined {
  const row = statement(
    database,
    'SELECT s.*, (SELECT count(*) FROM turns t WHERE t.session = s.id) AS turns FROM sessions s WHERE s.id = ?',
  ).get(session);
  return row && sessionOf(row);
}

/** The roots that its turns are of, and the one it began in. */
export function rootsOfSession(database: Database, session: SessionId): readonly Root[] {
  return statement(
    database,
    'SELECT root FROM sessions WHERE id = :session UNION SELECT root FROM turns WHERE session = :session',
  )
    .all({ session })
    .map((row) => text(row, 'root') as Root);
}

function sessionOf(row: Row): SessionSummary {
  return {
    id: asSessionId(text(row, 'id')),
    agent: text(row, 'agent'),
    root: text(row, 'root'),
    title: optional(row, 'title') ?? text(row, 'id'),
    startedAt: number(row, 'started_at'),
    updatedAt: number(row, 'updated_at'),
    endedAt: count(row, 'ended_at'),
    turns: number(row, 'turns'),
  };
}

/** By ascending seq. @param from leaves out the turns before this seq. */
export function turnsOf(
  database: Database,
  session: SessionId,
  from = Number.MIN_SAFE_INTEGER,
): readonly StoredTurn[] {
  return turnsWhere(database, 'session = ? AND seq >= ?', session, from);
}

/** Seqs, ascending, of turns of a session before one of them that an operation has taken back. */
export function takenBackBefore(
  database: Database,
  { session, root, seq }: Pick<StoredTurn, 'session' | 'root' | 'seq'>,
): readonly number[] {
  return statement(
    database,
    'SELECT seq FROM turns WHERE session = ? AND root = ? AND seq < ? AND rewound_by IS NOT NULL ORDER BY seq',
  )
    .all(session, root, seq)
    .map((row) => number(row, 'seq'));
}

export function turnById(database: Database, turn: TurnId): StoredTurn | undefined {
  return turnsWhere(database, 'id = ?', turn)[0];
}

function turnsWhere(
  database: Database,
  condition: 'session = ? AND seq >= ?' | 'id = ?',
  ...values: readonly (string | number)[]
): readonly StoredTurn[] {
  const rows = statement(database, `SELECT * FROM turns WHERE ${condition} ORDER BY seq`).all(
    ...values,
  );
  const within = `turn IN (SELECT id FROM turns WHERE ${condition})`;
  const all = (sql: string) => grouped(statement(database, sql).all(...values));
  const tools = all(
    `SELECT turn, name, count(*) AS n, min(position) AS first FROM tool_calls WHERE ${within} GROUP BY turn, name ORDER BY first`,
  );
  const touches = all(`SELECT * FROM touches WHERE ${within} ORDER BY path`);
  const failures = all(`SELECT * FROM unprotected WHERE ${within} ORDER BY path`);
  const uncaptured = all(
    `SELECT turn, uncaptured FROM tool_calls WHERE ${within} AND uncaptured IS NOT NULL ORDER BY position`,
  );
  return rows.map((row) => turnOf(row, { tools, touches, failures, uncaptured }));
}

export function replaceTouches(
  database: Database,
  turn: TurnId,
  touches: readonly TouchSummary[],
): void {
  statement(database, 'DELETE FROM touches WHERE turn = ?').run(turn);
  const insert = statement(
    database,
    'INSERT INTO touches (turn, path, change, cause, added, removed, uncertain) VALUES (?, ?, ?, ?, ?, ?, ?)',
  );
  for (const t of touches)
    insert.run(turn, t.path, t.change, t.cause, t.added, t.removed, t.uncertain ? 1 : 0);
}

/** Running turns without an event since `before`. */
export function staleTurns(database: Database, before: number): readonly TurnId[] {
  return statement(database, "SELECT id FROM turns WHERE ending = 'running' AND last_at < ?")
    .all(before)
    .map((row) => asTurnId(text(row, 'id')));
}

export function markEnded(database: Database, turn: TurnId, end: TurnEnd, at: number): void {
  statement(
    database,
    "UPDATE turns SET ending = ?, ended_at = ? WHERE id = ? AND ending = 'running'",
  ).run(end, at, turn);
}

/**
 * Marks turns as taken back by an operation, or takes its mark off. A turn bears one mark: of the operation that took it
 * back first, and nobody else takes it off (undoing operations out of order would leave a turn that nothing brings back).
 */
export function markRewound(
  database: Database,
  session: SessionId,
  seqs: readonly number[],
  owner: OperationId,
  isTaken: boolean,
): void {
  const update = statement(
    database,
    isTaken
      ? 'UPDATE turns SET rewound_by = ? WHERE session = ? AND seq = ? AND rewound_by IS NULL'
      : 'UPDATE turns SET rewound_by = NULL WHERE rewound_by = ? AND session = ? AND seq = ?',
  );
  for (const seq of seqs) update.run(owner, session, seq);
}

/** Before the states are removed: the timeline says so from then on. */
export function markPruned(
  database: Database,
  session: SessionId,
  seqs: readonly number[],
  at: number,
): void {
  const update = statement(
    database,
    'UPDATE turns SET pruned_at = ? WHERE session = ? AND seq = ?',
  );
  for (const seq of seqs) update.run(at, session, seq);
}

/** It stays listed but cannot be taken back any more. */
export function markOperationPruned(database: Database, operation: OperationId): void {
  statement(database, 'UPDATE operations SET pruned = 1 WHERE id = ?').run(operation);
}

export interface StoredOperation extends OperationSummary {
  readonly root: string;
  readonly undoes: OperationId | null;
}

/** Written once; a second call for the same id changes nothing. */
export function addOperation(
  database: Database,
  operation: Omit<StoredOperation, 'undone' | 'pruned'>,
): void {
  const { id, root, session, kind, at, label, paths, undoes, partly } = operation;
  statement(
    database,
    'INSERT OR IGNORE INTO operations (id, root, session, kind, at, label, paths, undoes, partly) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)',
  ).run(
    id,
    root,
    session,
    kind,
    at,
    label,
    JSON.stringify(paths),
    undoes,
    partly ? JSON.stringify(partly) : null,
  );
}

/** As if it had never been recorded. Call for one that was put back. */
export function forgetOperation(database: Database, operation: OperationId): void {
  statement(database, 'DELETE FROM operations WHERE id = ?').run(operation);
}

/** Newest first. One whose undo was itself taken back stands again. */
export function operationsOf(database: Database, root: Root): readonly StoredOperation[] {
  const rows = statement(
    database,
    'SELECT * FROM operations WHERE root = ? ORDER BY at DESC, rowid DESC',
  ).all(root);
  const undone = undoneOperations(
    rows.map((row) => ({ id: text(row, 'id'), undoes: optional(row, 'undoes') })),
  );
  return rows.map((row) => {
    const id = asOperationId(text(row, 'id'));
    return {
      id,
      kind: text(row, 'kind') as OperationKind,
      root: text(row, 'root'),
      session: asSessionId(text(row, 'session')),
      at: number(row, 'at'),
      label: text(row, 'label'),
      paths: JSON.parse(text(row, 'paths')),
      undoes: operationId(row, 'undoes'),
      undone: undone.has(id),
      pruned: row['pruned'] === 1,
      ...(row['partly'] !== null && { partly: JSON.parse(text(row, 'partly')) }),
    };
  });
}

interface Parts {
  readonly tools: Groups;
  readonly touches: Groups;
  readonly failures: Groups;
  readonly uncaptured: Groups;
}

function turnOf(row: Row, { tools, touches, failures, uncaptured }: Parts): StoredTurn {
  const id = text(row, 'id');
  const commit = optional(row, 'head_commit');
  const why = whyUncaptured(row, uncaptured.get(id) ?? []);
  return {
    id: asTurnId(id),
    session: asSessionId(text(row, 'session')),
    root: text(row, 'root') as Root,
    number: number(row, 'number'),
    seq: number(row, 'seq'),
    agent: text(row, 'agent'),
    model: optional(row, 'model'),
    prompt: text(row, 'prompt'),
    reply: optional(row, 'reply'),
    startedAt: number(row, 'started_at'),
    lastAt: number(row, 'last_at'),
    endedAt: count(row, 'ended_at'),
    end: text(row, 'ending') as TurnEnd,
    tools: (tools.get(id) ?? []).map((tool) => ({
      name: text(tool, 'name'),
      count: number(tool, 'n'),
    })),
    files: (touches.get(id) ?? []).map(touchOf),
    unprotected: (failures.get(id) ?? []).map((f) => ({
      path: text(f, 'path'),
      reason: text(f, 'reason'),
    })),
    uncapturedShell: why !== undefined,
    ...(why !== undefined && { uncapturedWhy: why }),
    rewoundBy: operationId(row, 'rewound_by'),
    prunedAt: count(row, 'pruned_at'),
    ...(row['imported_at'] !== null && { imported: true as const }),
    head: commit === null ? null : { commit, branch: optional(row, 'head_branch') },
  };
}

/** The first reason. A command that still runs is not uncaptured; one whose end nobody told is. */
function whyUncaptured(turn: Row, calls: readonly Row[]): string | undefined {
  const reasons = calls.map((call) => text(call, 'uncaptured'));
  const known = reasons.find((reason) => reason !== pendingCapture);
  if (known !== undefined) return known;
  if (reasons.length > 0 && turn['ending'] !== 'running') return 'Its end was not told.';
  return turn['uncaptured_shell'] === 1 ? 'Nothing was saved around it.' : undefined;
}

function touchOf(row: Row): TouchSummary {
  return {
    path: text(row, 'path'),
    change: text(row, 'change') as TouchSummary['change'],
    cause: text(row, 'cause') as TouchSummary['cause'],
    added: count(row, 'added'),
    removed: count(row, 'removed'),
    ...(row['uncertain'] === 1 && { uncertain: true as const }),
  };
}

type Groups = ReadonlyMap<string, readonly Row[]>;

function grouped(rows: readonly Row[]): Groups {
  const groups = new Map<string, Row[]>();
  for (const row of rows) {
    const turn = text(row, 'turn');
    const group = groups.get(turn);
    if (group) group.push(row);
    else groups.set(turn, [row]);
  }
  return groups;
}

const text = (row: Row, name: string): string => String(row[name]);
const number = (row: Row, name: string): number => Number(row[name]);
const optional = (row: Row, name: string): string | null =>
  row[name] === null ? null : String(row[name]);
const count = (row: Row, name: string): number | null =>
  row[name] === null ? null : Number(row[name]);
const operationId = (row: Row, name: string): OperationId | null =>
  row[name] === null ? null : asOperationId(String(row[name]));
