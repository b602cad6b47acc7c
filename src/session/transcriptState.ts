/** How far transcripts were read, and which of their turns is which of ours. */
import type { Database } from './database.ts';
import { statement } from './statements.ts';

export interface TranscriptState {
  readonly file: string;
  readonly session: string;
  /** First byte of the turn that may still grow. */
  readonly position: number;
  /** Of the file when it was read. */
  readonly size: number;
  /** Which file it was: another one may have taken its name. */
  readonly identity: string;
  /** As `position` and `size`, of an import, which leaves no turn out. */
  readonly imported: number;
  readonly importedSize: number;
}

export function transcriptState(database: Database, file: string): TranscriptState | undefined {
  const row = statement(database, 'SELECT * FROM transcripts WHERE file = ?').get(file);
  return (
    row && {
      file,
      session: String(row['session']),
      position: Number(row['position']),
      size: Number(row['size']),
      identity: String(row['identity']),
      imported: Number(row['imported']),
      importedSize: Number(row['imported_size']),
    }
  );
}

export function saveTranscriptState(database: Database, state: TranscriptState): void {
  statement(
    database,
    `INSERT OR REPLACE INTO transcripts (file, session, position, size, identity, imported, imported_size)
     VALUES (?, ?, ?, ?, ?, ?, ?)`,
  ).run(
    state.file,
    state.session,
    state.position,
    state.size,
    state.identity,
    state.imported,
    state.importedSize,
  );
}

/** The turn of ours that the agent calls `key`. */
export function turnOfKey(database: Database, session: string, key: string): string | undefined {
  const row = statement(
    database,
    'SELECT turn FROM transcript_turns WHERE session = ? AND key = ?',
  ).get(session, key);
  return row && String(row['turn']);
}

export function nameTurn(
  database: Database,
  session: string,
  key: string,
  turn: string,
  position: number,
): void {
  statement(
    database,
    'INSERT OR REPLACE INTO transcript_turns (session, key, turn, position) VALUES (?, ?, ?, ?)',
  ).run(session, key, turn, position);
}

/** The last turn that begins at or before a byte of the transcript. */
export function turnAt(database: Database, session: string, position: number): string | undefined {
  const row = statement(
    database,
    'SELECT turn FROM transcript_turns WHERE session = ? AND position <= ? ORDER BY position DESC LIMIT 1',
  ).get(session, position);
  return row && String(row['turn']);
}

/**
 * A turn that hooks recorded and that no transcript has told of yet: by the agent's name for it, else by the same prompt
 * at about the same time. Cline's hooks do not tell prompts.
 */
export function unnamedTurn(
  database: Database,
  session: string,
  turn: { readonly promptId: string | undefined; readonly prompt: string; readonly at: number },
): string | undefined {
  if (turn.promptId !== undefined) {
    const named = statement(
      database,
      'SELECT id FROM turns WHERE session = ? AND prompt_id = ?',
    ).get(session, turn.promptId);
    if (named) return String(named['id']);
  }
  const row = statement(
    database,
    `SELECT id FROM turns t WHERE session = :session AND imported_at IS NULL
       AND started_at > :at - 120000 AND started_at < :at + 120000
       AND (trim(prompt) = trim(:prompt) OR (prompt = '' AND agent = 'cline'))
       AND (prompt_id IS NULL OR :named = 0) AND NOT EXISTS (SELECT 1 FROM transcript_turns k WHERE k.turn = t.id)
     ORDER BY trim(prompt) = '', abs(started_at - :at) LIMIT 1`,
  ).get({
    session,
    prompt: turn.prompt,
    at: turn.at,
    named: turn.promptId === undefined ? 0 : 1,
  });
  return row && String(row['id']);
}
