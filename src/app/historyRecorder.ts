/**
 * Brings the DAG up to what hooks and transcripts tell: a prompt as soon as its turn is known, reply, tools, model and
 * tokens once it has ended. What a transcript tells late is added late; what it never tells is taken from the hooks. A
 * transcript that is missing or odd costs nothing but its details.
 */

import type { TranscriptTurn } from '../agents/transcript.ts';
import { sourceOf } from '../agents/transcripts.ts';
import { isUserError, messageOf } from '../core/errors.ts';
import { cursorOf, dropCursor } from '../session/cursorStore.ts';
import { type Database, inTransaction } from '../session/database.ts';
import {
  comesAfter,
  markRecorded,
  moveTurn,
  recordContent,
  recordPrompt,
  type ToolContent,
  type TurnContent,
  toOutbox,
} from '../session/recordNodes.ts';
import { statement } from '../session/statements.ts';
import { nameSession } from '../session/takeIn.ts';
import {
  nameTurn,
  saveTranscriptState,
  transcriptState,
  turnOfKey,
  unnamedTurn,
} from '../session/transcriptState.ts';
import { transcriptOf } from './findTranscripts.ts';
import type { IngestContext } from './ingest.ts';
import { readTranscript, startOf, transcriptFile } from './readTranscript.ts';
import { parentIn } from './transcriptParent.ts';

/** Clients write the end of a turn after its hook has run. */
const patience = 10_000;
/** Of turns: a host is not kept from other work for long. */
const mostAtOnce = 200;

export interface HistoryContext extends IngestContext {
  /** Below it agents keep their transcripts; missing: only what hooks name is read. */
  readonly userHome?: string;
}

export interface PendingTurn {
  readonly id: string;
  readonly session: string;
  readonly seq: number;
  readonly recorded: number;
  readonly prompt: string;
  readonly model: string | null;
  readonly reply: string | null;
  readonly startedAt: number;
  readonly endedAt: number | null;
  readonly parent: string | null;
  readonly isRunning: boolean;
}

/**
 * Cheap when there is nothing to record.
 * @returns `more`: not all that is known is recorded yet. `waiting`: a transcript may still complete a turn.
 */
export function recordHistory(context: HistoryContext): 'done' | 'waiting' | 'more' {
  const rows = statement(
    context.database,
    `SELECT t.id, t.session, t.seq, t.recorded, t.prompt, t.model, t.reply, t.started_at, t.ended_at, t.parent, t.ending,
         s.agent, s.transcript
       FROM turns t JOIN sessions s ON s.id = t.session
       WHERE t.recorded < 2 AND t.session NOT IN (SELECT value FROM json_each(?)) ORDER BY t.session, t.seq LIMIT ?`,
  ).all(JSON.stringify([...brokenIn(context.database)]), mostAtOnce);
  const sessions = new Map<string, { turns: PendingTurn[]; agent: string; transcript: unknown }>();
  for (const row of rows) {
    const turn = pendingOf(row);
    const known = sessions.get(turn.session);
    if (known) known.turns.push(turn);
    else
      sessions.set(turn.session, {
        turns: [turn],
        agent: String(row['agent']),
        transcript: row['transcript'],
      });
  }
  let isLeft = false;
  let advanced = 0;
  for (const [session, { turns, agent, transcript }] of sessions)
    try {
      const done = recordSession(context, turns, agent, transcript);
      isLeft ||= done.isLeft;
      advanced += done.advanced;
    } catch (error) {
      // One broken conversation must not keep the others from being recorded; `doctor` tells of it.
      if (!isUserError(error, 'damaged')) throw error;
      context.log('error', `Session ${session}: ${messageOf(error)}`);
      brokenIn(context.database).add(session);
    }
  if (rows.length === mostAtOnce && advanced > 0) return 'more';
  return isLeft ? 'waiting' : 'done';
}

const broken = new WeakMap<Database, Set<string>>();

/** Sessions that this process has found broken: told once, and out of the way of the others. */
function brokenIn(database: Database): Set<string> {
  const known = broken.get(database) ?? new Set<string>();
  broken.set(database, known);
  return known;
}

function recordSession(
  context: HistoryContext,
  turns: readonly PendingTurn[],
  agent: string,
  transcript: unknown,
): { readonly isLeft: boolean; readonly advanced: number } {
  const { database, now } = context;
  const ended = turns.filter(({ isRunning }) => !isRunning);
  const newest = ended.at(-1);
  const told = newest && readNews(context, newest.session, agent, transcript);
  const isDue = (turn: PendingTurn) =>
    told === undefined || turn !== newest || now() - (turn.endedAt ?? 0) > patience;
  const isNew = turns.some(({ recorded }) => recorded === 0) || (told?.turns.length ?? 0) > 0;
  // Nothing may be written then: whoever watches the database would look again, and again.
  if (!isNew && !ended.some(isDue)) return { isLeft: ended.length > 0, advanced: 0 };
  let isLeft = false;
  let advanced = 0;
  inTransaction(database, () => {
    const byTurn = nameTold(database, newest?.session ?? '', told?.turns ?? []);
    // One turn after the other: the order of messages is the order in which they are written.
    for (const turn of turns) {
      if (turn.recorded === 0) {
        begin(database, turn);
        advanced++;
      }
      const tellings = byTurn.get(turn.id) ?? [];
      byTurn.delete(turn.id);
      for (const telling of tellings) completeTurn(database, turn.id, telling, now());
      if (turn.isRunning) continue;
      if (tellings.some(({ isComplete }) => isComplete) || isDue(turn)) {
        close(context, turn);
        advanced++;
      } else isLeft = true;
    }
    for (const [id, tellings] of byTurn)
      for (const telling of tellings) completeTurn(database, id, telling, now());
    if (told) saveTranscriptState(database, told.state);
  });
  return { isLeft, advanced };
}

/** The prompt goes on from where a person looks, else from the turn before it. */
function begin(database: Database, turn: PendingTurn): void {
  if (statement(database, 'SELECT 1 FROM nodes WHERE turn = ? LIMIT 1').get(turn.id)) {
    recordPrompt(database, turn);
    return;
  }
  const previous = statement(
    database,
    'SELECT id FROM turns WHERE session = ? AND seq < ? ORDER BY seq DESC LIMIT 1',
  ).get(turn.session, turn.seq);
  const cursor = cursorOf(database, turn.session);
  const before = previous ? String(previous['id']) : null;
  const parent = cursor ? cursor.turn : before;
  if (cursor) dropCursor(database, turn.session);
  const unrecorded =
    parent !== null &&
    statement(database, 'SELECT 1 FROM turns WHERE id = ? AND recorded = 0').get(parent);
  // Events may come out of order over several looks: what was there before comes first.
  if (unrecorded) begin(database, needTurn(database, parent));
  recordPrompt(database, { ...turn, parent });
  if (parent !== before || isBranched(database, turn, parent)) renumber(database, turn.id, parent);
}

/** Hooks count on, whatever the conversation goes on from: that is right until it has forked, or was imported in part. */
function isBranched(database: Database, { session }: PendingTurn, parent: string | null): boolean {
  const row = statement(
    database,
    `SELECT (SELECT number FROM turns WHERE id = :parent) AS number,
       EXISTS (SELECT 1 FROM turns WHERE session = :session AND seq < 0) AS imported`,
  ).get({ parent, session });
  if (row?.['imported'] === 1) return true;
  const counted = statement(
    database,
    'SELECT count(*) AS n FROM turns WHERE session = ? AND seq <= (SELECT seq FROM turns WHERE id = ?)',
  ).get(session, parent);
  return parent !== null && Number(row?.['number']) < Number(counted?.['n']);
}

/** People count turns along their branch. */
export function renumber(database: Database, turn: string, parent: string | null): void {
  statement(
    database,
    'UPDATE turns SET number = 1 + coalesce((SELECT number FROM turns WHERE id = ?), 0) WHERE id = ?',
  ).run(parent, turn);
}

interface News {
  readonly turns: readonly TranscriptTurn[];
  readonly state: Parameters<typeof saveTranscriptState>[1];
}

const looked = new WeakMap<Database, Set<string>>();

/** Once a session: the folders of all projects are looked through. */
function lookFor(
  { database, userHome, log }: HistoryContext,
  agent: string,
  session: string,
): string | undefined {
  const before = looked.get(database) ?? new Set<string>();
  looked.set(database, before);
  if (userHome === undefined || before.has(session)) return undefined;
  before.add(session);
  try {
    const found = transcriptOf(userHome, agent, session);
    if (found !== undefined)
      statement(database, 'UPDATE sessions SET transcript = ? WHERE id = ?').run(found, session);
    return found;
  } catch (error) {
    log('warn', `The transcript of session ${session} cannot be looked for: ${messageOf(error)}`);
    return undefined;
  }
}

/** Undefined when there is no transcript to wait for. */
function readNews(
  context: HistoryContext,
  session: string,
  agent: string,
  named: unknown,
): News | undefined {
  const { database, log } = context;
  const source = sourceOf(agent);
  const transcript = typeof named === 'string' ? named : lookFor(context, agent, session);
  if (source === undefined || transcript === undefined) return undefined;
  try {
    const file = transcriptFile(transcript);
    if (file === undefined) return undefined;
    const before = transcriptState(database, transcript);
    if (before && before.identity === file.identity && before.size === file.size)
      return { turns: [], state: before };
    const isWhole = source.form(transcript) === 'whole';
    return readTranscript(database, source, file, session, startOf(database, file, isWhole));
  } catch (error) {
    log('warn', `The transcript ${transcript} cannot be read: ${messageOf(error)}`);
    return undefined;
  }
}

/** Which turns of ours a transcript told of; those that hooks never saw are for an import. */
function nameTold(
  database: Database,
  session: string,
  turns: readonly TranscriptTurn[],
): Map<string, TranscriptTurn[]> {
  const byTurn = new Map<string, TranscriptTurn[]>();
  for (const told of turns) {
    const named = turnOfKey(database, session, told.key);
    const facts = { promptId: told.promptId, prompt: told.prompt, at: told.startedAt };
    const id = named ?? unnamedTurn(database, session, facts);
    if (id === undefined || (named !== undefined && told.isReplay)) continue;
    nameTurn(database, session, told.key, id, told.position);
    const known = byTurn.get(id);
    if (known) known.push(told);
    else byTurn.set(id, [told]);
  }
  return byTurn;
}

/**
 * Also for a turn that was complete: a transcript may tell more of it later. Call inside a transaction.
 * @returns whether a message changed
 */
export function completeTurn(
  database: Database,
  id: string,
  told: TranscriptTurn,
  now: number,
): boolean {
  const turn = promptedBy(database, needTurn(database, id), told);
  if (turn.recorded === 0) begin(database, turn);
  const parent = parentIn(database, turn.session, told);
  const isOther = parent !== undefined && parent !== parentOf(database, id);
  // A transcript can tell of a circle: then the turn stays where it is.
  if (isOther && (parent === null || !comesAfter(database, parent, id))) {
    moveTurn(database, turn, parent);
    renumber(database, id, parent);
  }
  const changed = recordContent(database, turn, {
    ...told,
    reply: told.reply ?? turn.reply ?? undefined,
    duration: told.duration ?? Math.max(0, told.endedAt - told.startedAt),
  });
  statement(
    database,
    'UPDATE turns SET reply = coalesce(reply, ?), model = coalesce(model, ?) WHERE id = ?',
  ).run(told.reply ?? null, told.model ?? null, id);
  keepRecords(database, id, told);
  if (changed && turn.recorded === 2) toOutbox(database, id, turn.session, now);
  return changed;
}

/** Hooks of some agents tell that a turn began, not with what. */
function promptedBy(
  database: Database,
  turn: PendingTurn,
  { prompt }: TranscriptTurn,
): PendingTurn {
  if (turn.prompt.trim() !== '' || prompt.trim() === '') return turn;
  statement(database, 'UPDATE turns SET prompt = ? WHERE id = ?').run(prompt, turn.id);
  nameSession(database, turn.session, prompt);
  const prompted = { ...turn, prompt };
  if (turn.recorded > 0) recordPrompt(database, prompted);
  return prompted;
}

function keepRecords(database: Database, id: string, { kept }: TranscriptTurn): void {
  for (const [position, { kind, record }] of kept.entries())
    statement(
      database,
      'INSERT OR REPLACE INTO kept_records (turn, position, kind, record) VALUES (?, ?, ?, ?)',
    ).run(id, position, kind, record);
}

function parentOf(database: Database, id: string): string | null {
  const row = statement(database, 'SELECT parent FROM turns WHERE id = ?').get(id);
  return typeof row?.['parent'] === 'string' ? row['parent'] : null;
}

/** What hooks told counts where no transcript did. */
function close({ database, now }: IngestContext, turn: PendingTurn): void {
  const isTold = statement(database, 'SELECT 1 FROM transcript_turns WHERE turn = ?').get(turn.id);
  if (!isTold) recordContent(database, turn, hookContent(database, turn));
  markRecorded(database, turn.id, turn.session, now());
}

function hookContent(database: Database, turn: PendingTurn): TurnContent {
  const calls = statement(
    database,
    'SELECT name, call_id, summary, paths, at FROM tool_calls WHERE turn = ? ORDER BY position',
  ).all(turn.id);
  const endedAt = turn.endedAt ?? turn.startedAt;
  return {
    reply: turn.reply ?? undefined,
    model: turn.model ?? undefined,
    inputTokens: undefined,
    outputTokens: undefined,
    duration: Math.max(0, endedAt - turn.startedAt),
    endedAt,
    tools: calls.map((call): ToolContent => {
      const paths = JSON.parse(String(call['paths'])) as readonly string[];
      return {
        callId: call['call_id'] === null ? undefined : String(call['call_id']),
        name: String(call['name']),
        input: call['summary'] === null ? paths.join('\n') : String(call['summary']),
        output: '',
        failed: false,
        at: Number(call['at']),
        duration: undefined,
        said: undefined,
      };
    }),
  };
}

/** @throws Error when there is no such turn. */
function needTurn(database: Database, id: string): PendingTurn {
  const row = statement(database, 'SELECT * FROM turns WHERE id = ?').get(id);
  if (row === undefined) throw new Error(`There is no turn ${id}.`);
  return pendingOf(row);
}

function pendingOf(row: Record<string, unknown>): PendingTurn {
  const optional = (name: string) => (row[name] === null ? null : String(row[name]));
  return {
    id: String(row['id']),
    session: String(row['session']),
    seq: Number(row['seq']),
    recorded: Number(row['recorded']),
    prompt: String(row['prompt']),
    model: optional('model'),
    reply: optional('reply'),
    startedAt: Number(row['started_at']),
    endedAt: row['ended_at'] === null ? null : Number(row['ended_at']),
    parent: optional('parent'),
    isRunning: row['ending'] === 'running',
  };
}
