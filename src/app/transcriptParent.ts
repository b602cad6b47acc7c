/** Which turn of ours a transcript's turn goes on from. */
import fs from 'node:fs';
import type { TranscriptTurn } from '../agents/transcript.ts';
import type { Database } from '../session/database.ts';
import { statement } from '../session/statements.ts';
import { turnAt, turnOfKey } from '../session/transcriptState.ts';

/** Null: it begins the conversation. Undefined: as hooks have it, since the transcript tells nothing else. */
export function parentIn(
  database: Database,
  session: string,
  { parent, position }: TranscriptTurn,
): string | null | undefined {
  switch (parent.kind) {
    case 'previous':
    case 'none':
      return undefined;
    case 'turn':
      return turnOfKey(database, session, parent.key);
    case 'record':
      return turnOfRecord(database, session, parent.id, position);
  }
}

/** Records carry no turn: the one whose part of the file holds the record is it. */
export function turnOfRecord(
  database: Database,
  session: string,
  id: string,
  before: number,
): string | undefined {
  const row = statement(database, 'SELECT file FROM transcripts WHERE session = ?').get(session);
  if (row === undefined || before === 0) return undefined;
  const at = positionOf(String(row['file']), `"uuid":"${id}"`, before);
  return at === undefined ? undefined : turnAt(database, session, at);
}

const piece = 4 << 20;

/** Searched backwards: a fork mostly goes back a little. */
function positionOf(file: string, text: string, before: number): number | undefined {
  if (!fs.existsSync(file)) return undefined;
  const fd = fs.openSync(file, 'r');
  try {
    for (let end = before; end > 0; end -= piece) {
      const start = Math.max(0, end - piece);
      const bytes = Buffer.alloc(Math.min(before, end + text.length) - start);
      fs.readSync(fd, bytes, 0, bytes.length, start);
      const found = bytes.lastIndexOf(text);
      if (found >= 0) return start + found;
    }
    return undefined;
  } finally {
    fs.closeSync(fd);
  }
}
