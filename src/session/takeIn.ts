/** Writes one spool event into the database. Called inside a transaction; every event may come late, twice or alone. */

import type { SpoolEvent } from '../core/spoolEvent.ts';
import type { Database } from './database.ts';

/** As long as nobody knows whether a command's effects are captured. */
export const pendingCapture = 'pending';

const longestText = 200_000;
const repeatWithin = 3_000;

/** @returns false when this very event was taken in before. */
export function takeIn(database: Database, event: SpoolEvent): boolean {
  const fresh = database
    .prepare('INSERT OR IGNORE INTO taken_in (id, at) VALUES (?, ?)')
    .run(event.id, event.at);
  if (fresh.changes === 0) return false;
  ensureSession(database, event);
  switch (event.kind) {
    case 'session':
      if (event.transcript !== undefined) {
        database
          .prepare('UPDATE sessions SET transcript = ? WHERE id = ?')
          .run(event.transcript, event.session);
      }
      break;
    case 'turn':
      addTurn(database, event);
      break;
    case 'tool':
      ensureTurn(database, event, event.turn);
      reopen(database, event.turn);
      addToolCall(database, event);
      break;
    case 'after':
      ensureTurn(database, event, event.turn);
      reopen(database, event.turn);
      database
        .prepare(
          'UPDATE tool_calls SET done = 1 WHERE turn = :turn AND position = (SELECT max(position) FROM tool_calls WHERE turn = :turn)',
        )
        .run({ turn: event.turn });
      break;
    case 'captured':
      ensureTurn(database, event, event.turn);
      noteCaptured(database, event);
      break;
    case 'end':
      ensureTurn(database, event, event.turn);
      endTurn(database, event);
      break;
    case 'sessionEnd':
      database
        .prepare('UPDATE sessions SET ended_at = ? WHERE id = ?')
        .run(event.at, event.session);
      break;
  }
  return true;
}

type Of<K extends SpoolEvent['kind']> = Extract<SpoolEvent, { kind: K }>;

function ensureSession(database: Database, event: SpoolEvent): void {
  database
    .prepare(
      'INSERT OR IGNORE INTO sessions (id, agent, root, started_at, updated_at) VALUES (?, ?, ?, ?, ?)',
    )
    .run(event.session, event.agent, event.root, event.at, event.at);
  // A telling payload corrects the agent that a bare one could not name; a session that goes on has not ended.
  database
    .prepare(
      `UPDATE sessions SET updated_at = max(updated_at, ?), root = ?, ended_at = CASE WHEN ? THEN ended_at ELSE NULL END,
       agent = CASE WHEN ? = 'unknown' THEN agent ELSE ? END WHERE id = ?`,
    )
    .run(
      event.at,
      event.root,
      event.kind === 'sessionEnd' ? 1 : 0,
      event.agent,
      event.agent,
      event.session,
    );
}

function addTurn(database: Database, event: Of<'turn'>): void {
  const prompt = event.prompt.slice(0, longestText);
  database
    .prepare(
      `INSERT INTO turns (id, session, parent, seq, number, root, agent, model, prompt_id, prompt, started_at, last_at, head_commit, head_branch)
       VALUES (?, ?, (SELECT id FROM turns WHERE session = ? AND seq < ? ORDER BY seq DESC LIMIT 1), ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
       ON CONFLICT (id) DO UPDATE SET number = excluded.number, prompt = excluded.prompt, prompt_id = excluded.prompt_id,
         model = excluded.model, started_at = excluded.started_at, head_commit = excluded.head_commit, head_branch = excluded.head_branch,
         recorded = CASE WHEN prompt = excluded.prompt THEN recorded ELSE 0 END`,
    )
    .run(
      event.turn,
      event.session,
      event.session,
      event.seq,
      event.seq,
      event.number,
      event.root,
      event.agent,
      event.model ?? null,
      event.promptId ?? null,
      prompt,
      event.at,
      event.at,
      event.head?.commit ?? null,
      event.head?.branch ?? null,
    );
  nameSession(database, event.session, prompt);
}

/** A session is called after its first prompt. */
export function nameSession(database: Database, session: string, prompt: string): void {
  const title = prompt.trim().split('\n', 1)[0]?.slice(0, 200);
  if (title)
    database
      .prepare('UPDATE sessions SET title = coalesce(title, ?) WHERE id = ?')
      .run(title, session);
}

/** A turn whose own event is still to come, or was lost. */
function ensureTurn(database: Database, event: SpoolEvent, turn: string): void {
  const seq = Number(turn.slice(turn.lastIndexOf('#') + 1));
  database
    .prepare(
      `INSERT OR IGNORE INTO turns (id, session, parent, seq, number, root, agent, prompt, started_at, last_at)
       VALUES (?, ?, (SELECT id FROM turns WHERE session = ? AND seq < ? ORDER BY seq DESC LIMIT 1), ?,
         1 + (SELECT count(*) FROM turns WHERE session = ? AND seq < ?), ?, ?, '', ?, ?)`,
    )
    .run(
      turn,
      event.session,
      event.session,
      seq,
      seq,
      event.session,
      seq,
      event.root,
      event.agent,
      event.at,
      event.at,
    );
  // What is told late belongs to its messages as well.
  database
    .prepare('UPDATE turns SET last_at = max(last_at, ?), recorded = min(recorded, 1) WHERE id = ?')
    .run(event.at, turn);
}

/** A turn that was taken for dead and goes on. */
function reopen(database: Database, turn: string): void {
  database
    .prepare(
      "UPDATE turns SET ending = 'running', ended_at = NULL WHERE id = ? AND ending = 'stale' AND rewound_by IS NULL",
    )
    .run(turn);
}

function addToolCall(database: Database, event: Of<'tool'>): void {
  const paths = JSON.stringify([...event.saved, ...event.unprotected.map((u) => u.path)]);
  if (!isRepeat(database, event, paths)) {
    database
      .prepare(
        `INSERT INTO tool_calls (turn, position, name, call_id, summary, paths, at, uncaptured)
         VALUES (?, (SELECT count(*) FROM tool_calls WHERE turn = ?), ?, ?, ?, ?, ?, ?)`,
      )
      .run(
        event.turn,
        event.turn,
        event.tool,
        event.callId ?? null,
        event.summary ?? null,
        paths,
        event.at,
        uncapturedAtFirst(event),
      );
  }
  addUnprotected(database, event);
  for (const path of event.saved) {
    database.prepare('DELETE FROM unprotected WHERE turn = ? AND path = ?').run(event.turn, path);
  }
}

function uncapturedAtFirst(event: Of<'tool'>): string | null {
  if (event.toolClass !== 'shell' || event.readOnly) return null;
  return event.isCapturing ? pendingCapture : 'Nothing was saved around it.';
}

function addUnprotected(database: Database, { turn, unprotected }: Of<'tool' | 'captured'>): void {
  const insert = database.prepare(
    'INSERT OR REPLACE INTO unprotected (turn, path, reason) VALUES (?, ?, ?)',
  );
  for (const { path, reason } of unprotected) insert.run(turn, path, reason);
}

function noteCaptured(database: Database, event: Of<'captured'>): void {
  addUnprotected(database, event);
  if (event.isNone) return;
  const open = database
    .prepare(
      `SELECT position FROM tool_calls WHERE turn = :turn AND uncaptured = '${pendingCapture}'
       AND (:all = 1 OR call_id IS :call) ORDER BY position`,
    )
    .all({ turn: event.turn, all: event.isAll ? 1 : 0, call: event.callId ?? null });
  const update = database.prepare(
    'UPDATE tool_calls SET uncaptured = ? WHERE turn = ? AND position = ?',
  );
  for (const row of event.isAll ? open : open.slice(0, 1))
    update.run(event.failure ?? null, event.turn, Number(row['position']));
}

/** One call announced by two configuration files: the same id, or, where agents give none, the same words at once. */
function isRepeat(database: Database, event: Of<'tool'>, paths: string): boolean {
  if (event.callId !== undefined) {
    return (
      database
        .prepare('SELECT 1 FROM tool_calls WHERE turn = ? AND call_id = ?')
        .get(event.turn, event.callId) !== undefined
    );
  }
  const last = database
    .prepare(
      'SELECT name, paths, summary, at, done FROM tool_calls WHERE turn = ? ORDER BY position DESC LIMIT 1',
    )
    .get(event.turn);
  if (last === undefined || last['done'] === 1) return false;
  const same =
    last['name'] === event.tool &&
    last['paths'] === paths &&
    last['summary'] === (event.summary ?? null);
  return same && event.at - Number(last['at']) < repeatWithin;
}

function endTurn(database: Database, event: Of<'end'>): void {
  // The first end is how it ended; only a guess (stale) gives way to a later word of the agent.
  database
    .prepare(
      `UPDATE turns SET ending = CASE WHEN ending IN ('running', 'stale') THEN ? ELSE ending END,
       ended_at = CASE WHEN ending IN ('running', 'stale') OR ended_at IS NULL THEN ? ELSE ended_at END,
       reply = coalesce(?, reply) WHERE id = ?`,
    )
    .run(event.end, event.at, event.reply?.slice(0, longestText) ?? null, event.turn);
}
