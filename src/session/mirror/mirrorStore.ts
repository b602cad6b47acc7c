/** What the database knows of mirrors: turns they lack, commits they have, how the last attempts went. */
import type { MirrorState } from '../../core/history.ts';
import { asSessionId } from '../../core/ids.ts';
import type { TurnEnd } from '../../core/timeline.ts';
import type { ObjectId } from '../../git/gitObject.ts';
import type { Database } from '../database.ts';
import { type Conversation, conversationOf } from '../historyStore.ts';
import { nodesOfTurn } from '../nodeStore.ts';
import { statement } from '../statements.ts';
import type { SessionFacts } from './mirrorFiles.ts';
import type { TurnToMirror } from './writeTurns.ts';

export interface MirrorRow {
  readonly session: string;
  readonly attempts: number;
  /** Milliseconds since 1970. */
  readonly retryAt: number;
  readonly failure: string | null;
  /** What we wrote into HEAD last, and the commit whose files lie in the folder. */
  readonly head: string | null;
  readonly remote: string | null;
  readonly pushed: string | null;
  readonly pushAttempts: number;
  readonly pushRetryAt: number;
  readonly pushFailure: string | null;
}

const fresh: Omit<MirrorRow, 'session'> = {
  attempts: 0,
  retryAt: 0,
  failure: null,
  head: null,
  remote: null,
  pushed: null,
  pushAttempts: 0,
  pushRetryAt: 0,
  pushFailure: null,
};

export function mirrorRow(database: Database, session: string): MirrorRow {
  const row = statement(database, 'SELECT * FROM mirrors WHERE session = ?').get(session);
  if (row === undefined) return { ...fresh, session };
  const text = (name: string) => (row[name] === null ? null : String(row[name]));
  return {
    session,
    attempts: Number(row['attempts']),
    retryAt: Number(row['retry_at']),
    failure: text('failure'),
    head: text('head'),
    remote: text('remote'),
    pushed: text('pushed'),
    pushAttempts: Number(row['push_attempts']),
    pushRetryAt: Number(row['push_retry_at']),
    pushFailure: text('push_failure'),
  };
}

/** Nothing is written where nothing differs. */
export function saveMirrorRow(database: Database, row: MirrorRow): void {
  const before = mirrorRow(database, row.session);
  if ((Object.keys(row) as (keyof MirrorRow)[]).every((name) => before[name] === row[name])) return;
  statement(
    database,
    `INSERT OR REPLACE INTO mirrors (session, attempts, retry_at, failure, head, remote, pushed, push_attempts,
       push_retry_at, push_failure) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  ).run(
    row.session,
    row.attempts,
    row.retryAt,
    row.failure,
    row.head,
    row.remote,
    row.pushed,
    row.pushAttempts,
    row.pushRetryAt,
    row.pushFailure,
  );
}

export function mirrorStateOf(
  database: Database,
  session: string,
  folder: string,
  isPushed: boolean,
): MirrorState {
  const row = mirrorRow(database, session);
  const behind = statement(
    database,
    'SELECT count(*) AS n FROM outbox o WHERE session = ? AND NOT EXISTS (SELECT 1 FROM mirror_commits c WHERE c.turn = o.turn)',
  ).get(session);
  return {
    session: asSessionId(session),
    folder,
    behind: Number(behind?.['n']),
    failure: row.failure,
    remote: row.remote,
    isPushed,
    pushFailure: row.pushFailure,
  };
}

/** Sessions whose mirrors lack turns. */
export function sessionsInOutbox(database: Database): readonly string[] {
  return statement(
    database,
    `SELECT DISTINCT session FROM outbox o WHERE NOT EXISTS (SELECT 1 FROM mirror_commits c WHERE c.turn = o.turn)`,
  )
    .all()
    .map((row) => String(row['session']));
}

/** Mirrors of a root's sessions that could not be written. */
export function mirrorsBehind(
  database: Database,
  root: string,
): readonly { readonly session: string; readonly failure: string }[] {
  return statement(
    database,
    `SELECT m.session, m.failure FROM mirrors m JOIN sessions s ON s.id = m.session
     WHERE s.root = ? AND m.failure IS NOT NULL`,
  )
    .all(root)
    .map((row) => ({ session: String(row['session']), failure: String(row['failure']) }));
}

export function sessionsWithRemote(database: Database): readonly string[] {
  return statement(database, 'SELECT session FROM mirrors WHERE remote IS NOT NULL')
    .all()
    .map((row) => String(row['session']));
}

/** Those with messages that a mirror should hold. */
export function sessionsToMirror(database: Database): readonly string[] {
  return statement(database, 'SELECT DISTINCT session FROM turns WHERE recorded = 2')
    .all()
    .map((row) => String(row['session']));
}

export function sessionFacts(database: Database, session: string): SessionFacts | undefined {
  const row = statement(database, 'SELECT * FROM sessions WHERE id = ?').get(session);
  return (
    row && {
      id: session,
      agent: String(row['agent']),
      root: String(row['root']),
      title: row['title'] === null ? session : String(row['title']),
      startedAt: Number(row['started_at']),
      updatedAt: Number(row['updated_at']),
    }
  );
}

/** Turn -> commit. */
export function commitsOf(database: Database, session: string): ReadonlyMap<string, ObjectId> {
  return new Map(
    statement(database, 'SELECT turn, id FROM mirror_commits WHERE session = ?')
      .all(session)
      .map((row): [string, string] => [String(row['turn']), String(row['id'])]),
  );
}

/** The mirror has these turns as they are now. Call inside a transaction. */
export function noteCommits(
  database: Database,
  session: string,
  commits: ReadonlyMap<string, ObjectId>,
): void {
  for (const [turn, id] of commits) {
    statement(
      database,
      'INSERT OR REPLACE INTO mirror_commits (turn, session, id) VALUES (?, ?, ?)',
    ).run(turn, session, id);
    statement(database, 'DELETE FROM outbox WHERE turn = ?').run(turn);
  }
}

export function forgetLate(database: Database, turns: Iterable<string>): void {
  for (const turn of turns) statement(database, 'DELETE FROM outbox WHERE turn = ?').run(turn);
}

/** The mirror holds exactly these: every other finished turn is owed. Call inside a transaction. */
export function resetCommits(
  database: Database,
  session: string,
  commits: ReadonlyMap<string, ObjectId>,
  now: number,
): void {
  statement(database, 'DELETE FROM mirror_commits WHERE session = ?').run(session);
  noteCommits(database, session, commits);
  statement(
    database,
    `INSERT OR IGNORE INTO outbox (turn, session, at) SELECT id, session, ? FROM turns
     WHERE session = ? AND recorded = 2 AND id NOT IN (SELECT turn FROM mirror_commits WHERE session = ?)`,
  ).run(now, session, session);
}

export interface Owed {
  readonly conversation: Conversation;
  /** To be committed, those before their followers. */
  readonly turns: readonly string[];
  /** In the mirror already, but their messages changed since. */
  readonly late: readonly string[];
}

/** Turns whose forerunners are not complete wait for them. */
export function owedTurns(
  database: Database,
  session: string,
  known: ReadonlyMap<string, ObjectId>,
): Owed {
  const conversation = conversationOf(database, session);
  const waiting = new Set(
    statement(database, 'SELECT turn FROM outbox WHERE session = ?')
      .all(session)
      .map((row) => String(row['turn'])),
  );
  const late = [...waiting].filter((turn) => known.has(turn));
  const turns: string[] = [];
  const have = new Set(known.keys());
  const parents = new Map(conversation.links.map(({ id, parent }) => [id, parent]));
  // In this order every turn comes after the one before it.
  for (const turn of conversation.layout.branchOf.keys()) {
    if (!waiting.has(turn) || have.has(turn)) continue;
    const parent = parents.get(turn) ?? null;
    if (parent !== null && !have.has(parent)) continue;
    have.add(turn);
    turns.push(turn);
  }
  return { conversation, turns, late };
}

/** One after the other, as they are asked for. */
export function* turnsToMirror(
  database: Database,
  conversation: Conversation,
  ids: readonly string[],
): Generator<TurnToMirror> {
  for (const id of ids) {
    const turn = turnToMirror(database, conversation, id);
    if (turn !== undefined) yield turn;
  }
}

function turnToMirror(
  database: Database,
  conversation: Conversation,
  id: string,
): TurnToMirror | undefined {
  const row = statement(
    database,
    'SELECT prompt, reply, ending, ended_at, last_at, parent FROM turns WHERE id = ?',
  ).get(id);
  const branch = conversation.layout.branchOf.get(id);
  const number = conversation.layout.depthOf.get(id);
  if (row === undefined || branch === undefined || number === undefined) return undefined;
  const nodes = nodesOfTurn(database, id);
  const reply = nodes.find(({ role }) => role === 'assistant');
  return {
    id,
    parent: row['parent'] === null ? null : String(row['parent']),
    branch,
    number,
    prompt: String(row['prompt']),
    reply: reply?.content || (row['reply'] === null ? null : String(row['reply'])),
    end: String(row['ending']) as TurnEnd,
    endedAt: Number(row['ended_at'] ?? row['last_at']),
    nodes,
  };
}
