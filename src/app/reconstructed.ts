/**
 * What transcripts tell of files before and after imported turns: agents put the text of a file they edit into their own
 * record. To be looked at; whether it is what lay on the disk only the transcript says, so nothing is restored from it.
 */
import fs from 'node:fs';
import path from 'node:path';
import type { TranscriptChange } from '../agents/transcript.ts';
import { isMissing, makeFolder, writeFileAtomic } from '../base/atomicFile.ts';
import { hashBytes } from '../base/hash.ts';
import { reconstructedFolder } from '../base/home.ts';
import type { Root } from '../core/ids.ts';
import type { Database } from '../session/database.ts';
import { statement } from '../session/statements.ts';
import type { StoredTurn } from '../session/timelineStore.ts';
import type { Side, SideContent } from './timelineApp.ts';

interface Place {
  readonly home: string;
  readonly database: Database;
}

const absent = 'absent';
const largest = 4 << 20;

type Text = string | null | undefined;

/** Call inside a transaction. @param keyOf undefined for a file that is not of the project */
export function saveReconstructed(
  { home, database, root }: Place & { readonly root: string },
  turn: string,
  changes: readonly TranscriptChange[],
  keyOf: (given: string) => string | undefined,
): void {
  const files = new Map<string, { readonly before: Text; after: Text }>();
  for (const { path: given, before, after } of changes) {
    const key = keyOf(given);
    if (key === undefined) continue;
    const known = files.get(key);
    if (known) known.after = after;
    else files.set(key, { before, after });
  }
  const folder = reconstructedFolder(home, root as Root);
  statement(database, 'DELETE FROM reconstructed WHERE turn = ?').run(turn);
  for (const [key, { before, after }] of files) {
    if (before === undefined && after === undefined) continue;
    statement(
      database,
      'INSERT INTO reconstructed (turn, path, before, after) VALUES (?, ?, ?, ?)',
    ).run(turn, key, keep(folder, before), keep(folder, after));
  }
}

/** @returns how the row names the text */
function keep(folder: string, text: Text): string | null {
  if (text === null) return absent;
  if (text === undefined || text.length > largest) return null;
  const bytes = Buffer.from(text);
  const hash = hashBytes(bytes);
  const file = path.join(folder, hash.slice(0, 2), hash.slice(2));
  if (!fs.existsSync(file)) {
    makeFolder(path.dirname(file));
    writeFileAtomic(file, bytes, { durable: false });
  }
  return hash;
}

/** Undefined when the transcript told nothing of it. `verified`: it begins as the turn before it on this file had ended. */
export function reconstructedContent(
  { home, database }: Place,
  turn: StoredTurn,
  key: string,
  side: Side,
): SideContent | undefined {
  const row = statement(
    database,
    'SELECT before, after FROM reconstructed WHERE turn = ? AND path = ?',
  ).get(turn.id, key);
  const state = row?.[side];
  if (state === undefined) return undefined;
  if (state === null) return { kind: 'unavailable', reason: 'The transcript does not tell it.' };
  if (state === absent) return { kind: 'absent' };
  const hash = String(state);
  const folder = reconstructedFolder(home, turn.root);
  try {
    const bytes = fs.readFileSync(path.join(folder, hash.slice(0, 2), hash.slice(2)));
    if (hashBytes(bytes) !== hash)
      return { kind: 'unavailable', reason: 'What was kept of it is damaged.' };
    return { kind: 'bytes', bytes, verified: isChained(database, turn, key, row?.['before']) };
  } catch (error) {
    if (isMissing(error)) return { kind: 'unavailable', reason: 'What was kept of it is gone.' };
    throw error;
  }
}

function isChained(database: Database, turn: StoredTurn, key: string, before: unknown): boolean {
  const previous = statement(
    database,
    `SELECT r.after FROM reconstructed r JOIN turns t ON t.id = r.turn
     WHERE t.session = ? AND t.seq < ? AND r.path = ? ORDER BY t.seq DESC LIMIT 1`,
  ).get(turn.session, turn.seq, key);
  return previous !== undefined && previous['after'] === before;
}
