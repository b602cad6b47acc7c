/** Takes in what hooks left in the spool, and closes turns nobody ended. */
import fs from 'node:fs';
import path from 'node:path';
import { isMissing, makeFolder } from '../base/atomicFile.ts';
import { postImageFolder, reserveFile, spoolFolder } from '../base/home.ts';
import { keepReserve } from '../base/reserve.ts';
import { listSpool } from '../base/spool.ts';
import { lockFile } from '../checkpoint/liveSession.ts';
import { endCheckpoint } from '../checkpoint/seal.ts';
import { arrivalText } from '../core/arrivalText.ts';
import { isUserError, messageOf, systemCode } from '../core/errors.ts';
import { asTurnId, type TurnId } from '../core/ids.ts';
import { parseSpoolEvent } from '../core/parseSpoolEvent.ts';
import type { SpoolEvent } from '../core/spoolEvent.ts';
import type { TouchSummary } from '../core/timeline.ts';
import { type Database, inTransaction } from '../session/database.ts';
import { statement } from '../session/statements.ts';
import { takeIn } from '../session/takeIn.ts';
import {
  markEnded,
  replaceTouches,
  type StoredTurn,
  staleTurns,
  turnById,
} from '../session/timelineStore.ts';
import { hasCheckpoint } from './archiveCheckpoint.ts';
import { dropArchives } from './archives.ts';
import { touchesOf } from './turnFiles.ts';

export interface IngestContext {
  readonly home: string;
  readonly database: Database;
  readonly now: () => number;
  readonly log: (level: 'info' | 'warn' | 'error', text: string) => void;
}

/** A turn without an event for this long is taken for dead. */
export const staleAfter = 30 * 60_000;

const batch = 2_000;
/** Of a batch: after a long time without a window there may be thousands. */
const mostLogged = 200;
const rememberFor = 7 * 24 * 3_600_000;

/** @returns how many events were new. @throws UserError `locked` when the database is busy; the spool then stays. */
export function ingest(context: IngestContext): number {
  let total = 0;
  for (
    let files = listSpool(spoolFolder(context.home));
    files.length > 0;
    files = files.slice(batch)
  ) {
    total += takeInFiles(context, files.slice(0, batch));
  }
  if (total > 0) makeReserve(context);
  closeStale(context);
  return total;
}

/** Where it was given up, too. What hooks need on a full disk keeps nobody from the timeline. */
function makeReserve({ home, log }: IngestContext): void {
  try {
    keepReserve(reserveFile(home), home);
  } catch (error) {
    log('warn', `No room is kept for hooks on a full disk: ${messageOf(error)}`);
  }
}

function takeInFiles(context: IngestContext, files: readonly string[]): number {
  const read = files.flatMap((file) => readEntry(context, file));
  const changed = new Set<TurnId>();
  const arrived = inTransaction(context.database, () => {
    const fresh: SpoolEvent[] = [];
    for (const { event } of read) {
      if (takeIn(context.database, event)) fresh.push(event);
      // Also for one taken in before: the process that did may have died before it looked at the files.
      if (['after', 'captured', 'end', 'tool'].includes(event.kind) && 'turn' in event)
        changed.add(asTurnId(event.turn));
    }
    statement(context.database, 'DELETE FROM taken_in WHERE at < ?').run(
      context.now() - rememberFor,
    );
    return fresh;
  });
  logArrivals(context, arrived);
  refreshTouches(context, changed);
  for (const { file } of read) fs.rmSync(file, { force: true });
  return arrived.length;
}

/** Who wonders why nothing appears looks here. */
function logArrivals({ log }: IngestContext, arrived: readonly SpoolEvent[]): void {
  for (const event of arrived.slice(-mostLogged)) log('info', arrivalText(event));
  const more = arrived.length - mostLogged;
  if (more > 0) log('info', `${more} older events arrived before these.`);
}

function readEntry(context: IngestContext, file: string): { file: string; event: SpoolEvent }[] {
  let text: string;
  try {
    text = fs.readFileSync(file, 'utf8');
  } catch (error) {
    if (isMissing(error)) return []; // another process took it in
    throw error;
  }
  const event = parseSpoolEvent(text);
  if (!('problem' in event)) return [{ file, event }];
  const aside = path.join(path.dirname(file), 'bad');
  makeFolder(aside);
  try {
    fs.renameSync(file, path.join(aside, path.basename(file)));
  } catch (error) {
    if (isMissing(error)) return []; // another process set it aside
    throw error;
  }
  context.log(
    'warn',
    `A spool entry was set aside (${event.problem}): ${path.join(aside, path.basename(file))}`,
  );
  return [];
}

/** Recomputes what the turns did to their files. Outside the transaction: reading files must not hold the database. */
export function refreshTouches(context: IngestContext, turns: ReadonlySet<TurnId>): void {
  const found = [...turns].flatMap((id) => {
    const turn = turnById(context.database, id);
    return turn ? touchesNow(context, turn) : [];
  });
  if (found.length === 0) return;
  inTransaction(context.database, () => {
    for (const { id, touches } of found) replaceTouches(context.database, id, touches);
  });
}

/** What cannot be looked at now must not keep everything else from being taken in. */
function touchesNow(
  context: IngestContext,
  turn: StoredTurn,
): { id: TurnId; touches: readonly TouchSummary[] }[] {
  try {
    return [{ id: turn.id, touches: touchesOf(context.home, turn) }];
  } catch (error) {
    if (systemCode(error) === undefined) throw error;
    context.log('warn', `The files of turn ${turn.id} cannot be read: ${messageOf(error)}`);
    return [];
  }
}

function closeStale(context: IngestContext): void {
  for (const id of staleTurns(context.database, context.now() - staleAfter)) {
    const turn = turnById(context.database, id);
    if (turn) closeIfPossible(context, turn);
  }
}

function closeIfPossible(context: IngestContext, turn: StoredTurn): void {
  try {
    closeTurn(context, turn);
  } catch (error) {
    if (systemCode(error) === undefined || isUserError(error)) throw error;
    context.log('warn', `Turn ${turn.id} cannot be closed now: ${messageOf(error)}`);
  }
}

/** Seals a turn that has no end of its own and marks it stale. */
export function closeTurn(context: IngestContext, turn: StoredTurn): void {
  const { root, session, seq, agent, number } = turn;
  const head = { seq, agent, turn: number, label: '', at: '' };
  const target = { root, session, lock: lockFile(context.home, session), head };
  const hadCheckpoint = hasCheckpoint(target);
  endCheckpoint(target, postImageFolder(context.home, root), false);
  // It held no change, so an earlier copy of it is none of anything.
  if (hadCheckpoint && !hasCheckpoint(target)) dropArchives(context.home, root, session, [seq]);
  inTransaction(context.database, () => markEnded(context.database, turn.id, 'stale', turn.lastAt));
  refreshTouches(context, new Set([turn.id]));
}
