/**
 * Takes sessions from transcripts into the DAG: those that hooks never saw, and what they did not tell of the others. Reads
 * on from where the last import ended; importing twice changes nothing. What cannot be read is told, file by file.
 */
import fs from 'node:fs';
import path from 'node:path';
import { isAbsolute } from '../agents/fields.ts';
import type { TranscriptReader, TranscriptTurn } from '../agents/transcript.ts';
import { readIfExists } from '../base/atomicFile.ts';
import { hashBytes } from '../base/hash.ts';
import { rootOf } from '../base/root.ts';
import { isUserError, messageOf } from '../core/errors.ts';
import { type Database, inTransaction } from '../session/database.ts';
import { conversationOf } from '../session/historyStore.ts';
import { comesAfter, markRecorded, moveTurn } from '../session/recordNodes.ts';
import { statement } from '../session/statements.ts';
import {
  nameTurn,
  saveTranscriptState,
  transcriptState,
  turnAt,
  turnOfKey,
  unnamedTurn,
} from '../session/transcriptState.ts';
import { type FoundTranscript, findTranscripts } from './findTranscripts.ts';
import { completeTurn } from './historyRecorder.ts';
import { addImportedTurn, type ImportPlace, noteTurn } from './importedTurn.ts';
import type { IngestContext } from './ingest.ts';
import { recordsOf, type TranscriptFile, transcriptFile } from './readTranscript.ts';
import type { ImportedFile, ImportOptions, ImportReport } from './sessionHistory.ts';
import { parentIn } from './transcriptParent.ts';

export interface ImportContext extends IngestContext {
  readonly userHome: string;
}

/** Between two breaths: bytes read, turns taken in. */
const slice = 2 << 20;
const mostTurns = 100;

/** @throws UserError `notFound`, `usage` for a path or agent that leads nowhere. */
export async function importSessions(
  context: ImportContext,
  { path: given, agent, signal, progress }: ImportOptions,
): Promise<ImportReport> {
  const found = findTranscripts(context.userHome, given, agent);
  const ofBytes = found.reduce((sum, { size }) => sum + size, 0);
  const files: ImportedFile[] = [];
  let before = 0;
  for (const transcript of found) {
    if (signal?.aborted) break;
    const told = (bytes: number) =>
      progress?.({
        files: files.length,
        of: found.length,
        bytes: before + bytes,
        ofBytes,
        file: transcript.file,
      });
    files.push(await importFile(context, transcript, told, signal));
    before += transcript.size;
    told(0);
  }
  return { files, wasCancelled: signal?.aborted === true };
}

async function importFile(
  context: ImportContext,
  found: FoundTranscript,
  progress: (bytes: number) => void,
  signal: AbortSignal | undefined,
): Promise<ImportedFile> {
  const { source } = found;
  // What is noted of a session in a database is noted under a name of its own.
  const file = found.session === undefined ? found.file : `${found.file}#${found.session}`;
  const counts = { added: 0, updated: 0, unreadable: 0, kept: 0 };
  const result = (session: string | null, problem: string | null, isUnchanged = false) => ({
    file,
    agent: source.agent,
    session,
    ...counts,
    isUnchanged,
    problem,
  });
  let taker: TurnTaker | undefined;
  try {
    const at = found.session === undefined ? transcriptFile(file) : entryOf(found);
    if (at === undefined) return result(null, 'It is gone.');
    const known = transcriptState(context.database, file);
    const isSame = known?.identity === at.identity && known.imported <= at.size;
    if (isSame && known.importedSize === at.size) return result(known.session, null, true);
    const start = isSame && source.form(file) === 'lines' ? known.imported : 0;
    const reader = source.reader(file);
    let breath = start;
    for (const { record, position } of recordsOf(source, at, start)) {
      if (record === undefined) counts.unreadable++;
      else reader.take(record, position);
      if (position - breath < slice) continue;
      breath = position;
      taker ??= takerFor(context, file, source.agent, reader, isSame ? known.session : undefined);
      taker?.take(reader.finished(), counts);
      progress(position);
      await new Promise((resolve) => setImmediate(resolve));
      if (signal?.aborted) return result(taker?.session ?? null, 'Cancelled before its end.');
    }
    taker ??= takerFor(context, file, source.agent, reader, isSame ? known.session : undefined);
    if (taker === undefined) return result(null, 'It does not say which session it belongs to.');
    const last = reader.last();
    taker.take([...reader.finished(), ...(last ? [last] : [])], counts);
    const position = last?.position ?? start;
    inTransaction(context.database, () =>
      saveTranscriptState(context.database, {
        file,
        session: taker?.session ?? '',
        position: Math.max(position, isSame ? known.position : 0),
        size: at.size,
        identity: at.identity,
        imported: position,
        importedSize: at.size,
      }),
    );
    const unread = counts.unreadable;
    const problem = unread === 0 ? null : `${unread} of its lines could not be read.`;
    return result(taker.session, problem);
  } catch (error) {
    if (isUserError(error, 'locked')) throw error;
    return result(taker?.session ?? null, messageOf(error));
  }
}

/** Its number stands for a size. */
function entryOf({ file, size, session = '' }: FoundTranscript): TranscriptFile {
  return { file, size, identity: session, session };
}

interface Counts {
  added: number;
  updated: number;
  unreadable: number;
  kept: number;
}

/** Puts the turns of one transcript into one session. */
class TurnTaker {
  readonly session: string;
  readonly #place: ImportPlace;
  readonly #file: string;
  readonly #startedAt: number | undefined;
  /** The turn of ours that the last one became. */
  #last: string | null | undefined;
  #hasMoved = false;

  constructor(place: ImportPlace, file: string, startedAt: number | undefined) {
    this.session = place.session;
    this.#place = place;
    this.#file = file;
    this.#startedAt = startedAt;
  }

  take(turns: readonly TranscriptTurn[], counts: Counts): void {
    for (let from = 0; from < turns.length; from += mostTurns)
      inTransaction(this.#place.database, () => {
        for (const told of turns.slice(from, from + mostTurns)) this.#takeTurn(told, counts);
        if (this.#hasMoved) renumberAll(this.#place.database, this.session);
        this.#hasMoved = false;
      });
  }

  #takeTurn(told: TranscriptTurn, counts: Counts): void {
    const { database, session, now } = this.#place;
    const named = turnOfKey(database, session, told.key);
    // A turn that was only repeated is known better already.
    if (named !== undefined && told.isReplay) {
      this.#last = named;
      return;
    }
    const before = this.#before(told);
    const hooked =
      named ??
      unnamedTurn(database, session, {
        promptId: told.promptId,
        prompt: told.prompt,
        at: told.startedAt,
      });
    if (hooked === undefined) this.#ensureSession(told);
    const id = hooked ?? addImportedTurn(this.#place, told, before);
    nameTurn(database, session, told.key, id, told.position);
    const isChanged = completeTurn(database, id, told, now);
    if (hooked === undefined) counts.added++;
    else if (isChanged) counts.updated++;
    counts.kept += told.kept.length;
    const turn = statement(
      database,
      'SELECT seq, parent, recorded, ending, imported_at FROM turns WHERE id = ?',
    ).get(id);
    if (hooked !== undefined && turn?.['imported_at'] !== null && isChanged)
      this.#refresh(id, told);
    this.#joinUp(id, Number(turn?.['seq']), turn?.['parent'], told, before);
    if (Number(turn?.['recorded']) < 2 && turn?.['ending'] !== 'running')
      markRecorded(database, id, session, now);
    this.#last = id;
  }

  /** A turn that hooks saw may now follow one that they did not see. */
  #joinUp(
    id: string,
    seq: number,
    parent: unknown,
    told: TranscriptTurn,
    before: string | null,
  ): void {
    const { database, session } = this.#place;
    if (before === null || before === parent || before === id || told.parent.kind === 'turn')
      return;
    const isImported = statement(
      database,
      'SELECT 1 FROM turns WHERE id = ? AND imported_at IS NOT NULL',
    ).get(before);
    if (!isImported || comesAfter(database, before, id)) return;
    moveTurn(database, { id, session, seq }, before);
    this.#hasMoved = true;
  }

  #before(told: TranscriptTurn): string | null {
    const { database, session } = this.#place;
    if (told.parent.kind === 'none') return null;
    const parent = parentIn(database, session, told);
    if (parent !== undefined) return parent;
    this.#last ??= turnAt(database, session, told.position - 1) ?? null;
    return this.#last;
  }

  #refresh(id: string, told: TranscriptTurn): void {
    noteTurn(this.#place, id, told);
    statement(
      this.#place.database,
      `UPDATE turns SET last_at = max(last_at, :at), ended_at = max(ended_at, :at),
         ending = CASE WHEN :done = 1 THEN :ending ELSE ending END WHERE id = :id`,
    ).run({ id, at: told.endedAt, done: told.isComplete ? 1 : 0, ending: told.ending });
  }

  #ensureSession(told: TranscriptTurn): void {
    const { database, session, agent, root } = this.#place;
    const title = told.prompt.trim().split('\n', 1)[0]?.slice(0, 200) || null;
    statement(
      database,
      `INSERT INTO sessions (id, agent, root, title, transcript, started_at, updated_at, ended_at)
       VALUES (:id, :agent, :root, :title, :file, :start, :end, :end)
       ON CONFLICT (id) DO UPDATE SET updated_at = max(updated_at, :end), started_at = min(started_at, :start),
         transcript = coalesce(transcript, :file), title = coalesce(title, :title)`,
    ).run({
      id: session,
      agent,
      root,
      title,
      file: this.#file,
      start: this.#startedAt ?? told.startedAt,
      end: told.endedAt,
    });
  }
}

function takerFor(
  context: ImportContext,
  file: string,
  agent: string,
  { head }: TranscriptReader,
  known: string | undefined,
): TurnTaker | undefined {
  const session = head.session ?? known;
  if (session === undefined) return undefined;
  const { home, database, now } = context;
  const row = statement(database, 'SELECT root, agent FROM sessions WHERE id = ?').get(session);
  const root = row ? String(row['root']) : rootFor(context, file, head);
  const place = { home, database, session, agent, root, now: now() };
  return new TurnTaker(place, file, head.startedAt);
}

/** The folder may be gone by now: then its name stands for it. */
function rootFor(
  { database, userHome }: ImportContext,
  file: string,
  { cwd, cwdHash }: TranscriptReader['head'],
): string {
  const marker = path.join(path.dirname(path.dirname(file)), '.project_root');
  const given = cwd ?? (cwdHash === undefined ? undefined : readIfExists(marker)?.trim());
  if (given !== undefined && isAbsolute(given))
    return fs.existsSync(given) ? rootOf(given, userHome) : path.normalize(given);
  const roots = statement(database, 'SELECT DISTINCT root FROM sessions').all();
  const fitting = roots.find(({ root }) => hashBytes(Buffer.from(String(root))) === cwdHash);
  return fitting ? String(fitting['root']) : path.dirname(file);
}

/** Turns that came in between count as well. */
function renumberAll(database: Database, session: string): void {
  const { layout } = conversationOf(database, session);
  for (const [id, depth] of layout.depthOf)
    statement(database, 'UPDATE turns SET number = ? WHERE id = ? AND number <> ?').run(
      depth,
      id,
      depth,
    );
}
