/** Enters a turn that only a transcript tells: its row, its place among the session's turns, its files. */
import path from 'node:path';
import { toolCall } from '../agents/toolCall.ts';
import type { TranscriptTurn } from '../agents/transcript.ts';
import { readLive, withSession, writeLive } from '../checkpoint/liveSession.ts';
import { asSessionId } from '../core/ids.ts';
import type { Database } from '../session/database.ts';
import { importedFrom } from '../session/nodeId.ts';
import { recordPrompt } from '../session/recordNodes.ts';
import { statement } from '../session/statements.ts';
import { saveReconstructed } from './reconstructed.ts';

export interface ImportPlace {
  readonly home: string;
  readonly database: Database;
  readonly session: string;
  readonly agent: string;
  readonly root: string;
  readonly now: number;
}

const lockWait = 1_000;

/**
 * Call inside a transaction.
 * @param parent the turn before it in the conversation
 * @returns the id of the new turn
 */
export function addImportedTurn(
  place: ImportPlace,
  told: TranscriptTurn,
  parent: string | null,
): string {
  const { database, session, agent, root, now } = place;
  const seq = seqFor(place, parent);
  const id = `${session}#${seq > 0 ? seq : `i${seq - importedFrom}`}`;
  statement(
    database,
    `INSERT INTO turns (id, session, parent, seq, number, root, agent, model, prompt_id, prompt, reply, started_at, last_at,
       ended_at, ending, imported_at, pruned_at)
     VALUES (?, ?, ?, ?, 1 + coalesce((SELECT number FROM turns WHERE id = ?), 0), ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  ).run(
    id,
    session,
    parent,
    seq,
    parent,
    root,
    agent,
    told.model ?? null,
    told.promptId ?? null,
    told.prompt,
    told.reply ?? null,
    told.startedAt,
    told.endedAt,
    told.endedAt,
    told.isComplete ? told.ending : 'stale',
    now,
    now,
  );
  recordPrompt(database, {
    id,
    session,
    seq,
    parent,
    prompt: told.prompt,
    model: told.model ?? null,
    startedAt: told.startedAt,
  });
  noteTurn(place, id, told);
  return id;
}

/** Tools and files of an imported turn as the timeline lists them; again when the transcript tells more. */
export function noteTurn(place: ImportPlace, id: string, told: TranscriptTurn): void {
  const { database, root } = place;
  statement(database, 'DELETE FROM tool_calls WHERE turn = ?').run(id);
  for (const [position, { name, callId, input, at }] of told.tools.entries()) {
    const { summary, paths } = toolCall(name, input);
    statement(
      database,
      `INSERT INTO tool_calls (turn, position, name, call_id, summary, paths, at, done) VALUES (?, ?, ?, ?, ?, ?, ?, 1)`,
    ).run(
      id,
      position,
      name,
      callId ?? null,
      summary ?? null,
      JSON.stringify(paths.slice(0, 100).map((given) => keyIn(root, given) ?? given)),
      at,
    );
  }
  statement(database, 'DELETE FROM touches WHERE turn = ?').run(id);
  for (const { path: given, change, added, removed } of told.changes) {
    const key = keyIn(root, given);
    if (key === undefined) continue;
    statement(
      database,
      `INSERT INTO touches (turn, path, change, cause, added, removed) VALUES (?, ?, ?, 'edit', ?, ?)
       ON CONFLICT (turn, path) DO UPDATE SET added = added + excluded.added, removed = removed + excluded.removed,
         change = CASE WHEN excluded.change = 'deleted' THEN 'deleted' ELSE change END`,
    ).run(id, key, change, added, removed);
  }
  saveReconstructed(place, id, told.changes, (given) => keyIn(root, given));
}

/** Undefined for a file outside the root. Only a name for people: nothing is read or written there. */
function keyIn(root: string, given: string): string | undefined {
  const relative = path.isAbsolute(given) ? path.relative(root, given) : path.normalize(given);
  const key = relative.replaceAll('\\', '/');
  return key === '' || key === '..' || key.startsWith('../') || path.isAbsolute(relative)
    ? undefined
    : key;
}

/**
 * Numbers of imported turns stand below those of checkpoints, which hooks give out. Only what comes after the newest of those
 * takes the next one of theirs, and hooks are told.
 */
function seqFor(
  { home, database, session, agent, root }: ImportPlace,
  parent: string | null,
): number {
  const row = statement(
    database,
    `SELECT (SELECT max(seq) FROM turns WHERE session = :session AND seq > 0) AS live,
       (SELECT max(seq) FROM turns WHERE session = :session AND seq < 0) AS imported,
       (SELECT seq FROM turns WHERE id = :parent) AS parent`,
  ).get({ session, parent });
  const live = row?.['live'];
  if (typeof live !== 'number' || row?.['parent'] !== live)
    return Number(row?.['imported'] ?? importedFrom) + 1;
  const seq = live + 1;
  const id = asSessionId(session);
  withSession(home, id, lockWait, () => {
    const known = readLive(home, id);
    const fresh = {
      format: 1,
      session: id,
      agent,
      root,
      highWater: 0,
      turns: 0,
      turn: null,
    } as const;
    const before = known ?? fresh;
    writeLive(home, id, {
      ...before,
      highWater: Math.max(before.highWater, seq),
      turns: before.turns + 1,
    });
  });
  return seq;
}
