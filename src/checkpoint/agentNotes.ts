/**
 * What a session's agent should hear with the next prompt: the files that were changed behind its back by an operation.
 * One line a note in `<home>/live/<session>/notes.jsonl`.
 */
import fs from 'node:fs';
import path from 'node:path';
import { isMissing, makeFolder } from '../base/atomicFile.ts';
import { liveFolder } from '../base/home.ts';
import type { SessionId } from '../core/ids.ts';

export interface AgentNote {
  /** A sentence: `Rewound to before turn 3`. */
  readonly label: string;
  readonly paths: readonly string[];
}

const notesFile = (home: string, session: SessionId): string =>
  path.join(liveFolder(home, session), 'notes.jsonl');

/** @throws system errors. */
export function addNote(home: string, session: SessionId, note: AgentNote): void {
  makeFolder(liveFolder(home, session));
  fs.appendFileSync(notesFile(home, session), `${JSON.stringify(note)}\n`, { mode: 0o600 });
}

/** Takes the notes out: each is given once, also when two hooks ask at the same time. */
export function takeNotes(home: string, session: SessionId): readonly AgentNote[] {
  const file = notesFile(home, session);
  const mine = `${file}.${process.pid}`;
  try {
    fs.renameSync(file, mine);
  } catch (error) {
    if (isMissing(error)) return [];
    throw error;
  }
  const lines = fs.readFileSync(mine, 'utf8').split('\n');
  fs.rmSync(mine);
  return lines.filter((line) => line !== '').map((line): AgentNote => JSON.parse(line));
}
