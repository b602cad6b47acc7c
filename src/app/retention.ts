/**
 * Keeps the store of one root within its limits. Oldest first; the newest turns of the session used last always stay;
 * what goes is marked in the database first, so that the timeline says so and offers no rewind it cannot do.
 */
import path from 'node:path';
import { addFile, addHoldings, type Holdings, sizeOf } from '../base/folderSize.ts';
import { operationFolder, postImageFolder } from '../base/home.ts';
import type { Journal } from '../checkpoint/journal.ts';
import { checkpointPlace, rewoundName, rewoundPlace, sessionPlace } from '../checkpoint/places.ts';
import { storedContents } from '../checkpoint/postImages.ts';
import { removeWhole, sweepPostImages, sweepTrash } from '../checkpoint/prune.ts';
import {
  readCheckpointsIn,
  type StoredCheckpoint,
  sessionFolders,
} from '../checkpoint/readSession.ts';
import { isPending } from '../checkpoint/runOperation.ts';
import { placesOfSession } from '../checkpoint/sessionPlaces.ts';
import { isUserError, messageOf, systemCode } from '../core/errors.ts';
import { asSessionId, type Root } from '../core/ids.ts';
import {
  itemsToRemove,
  protectedTurns,
  type RetentionLimits,
  type StoredItem,
} from '../core/retention.ts';
import { inTransaction } from '../session/database.ts';
import { statement } from '../session/statements.ts';
import {
  markOperationPruned,
  markPruned,
  type StoredTurn,
  sessionsOf,
  turnsOf,
} from '../session/timelineStore.ts';
import { dropArchives } from './archives.ts';
import type { IngestContext } from './ingest.ts';
import { enforceMemoryRetention } from './memoryRetention.ts';
import { journalsOf, unlessBusy } from './operations.ts';
import { checkpointOf } from './turnFiles.ts';

const pause = 5 * 60_000;

/**
 * Enforces the limits for the roots that have just been written to and for memory, each at most every five minutes.
 * @returns a function to call after new events were taken in.
 */
export function retentionKeeper(context: IngestContext, limits: () => RetentionLimits): () => void {
  const last = new Map<string, number>();
  let lastOfMemory = Number.NEGATIVE_INFINITY;
  return () => {
    const now = context.now();
    const rows = statement(
      context.database,
      'SELECT DISTINCT root FROM turns WHERE last_at > ?',
    ).all(now - pause);
    for (const row of rows) {
      const root = String(row['root']) as Root;
      if (now - (last.get(root) ?? Number.NEGATIVE_INFINITY) < pause) continue;
      last.set(root, now);
      ifPossible(context, `Old saved states in ${root}`, () =>
        unlessBusy(context, root, () => enforceRetention(context, root, limits())),
      );
    }
    // Afterwards: what those turns held is free then.
    if (now - lastOfMemory < pause) return;
    lastOfMemory = now;
    ifPossible(context, 'Old versions of memory', () => enforceMemoryRetention(context, limits()));
  };
}

/** Nobody is kept from the timeline by what cannot be removed now: it is tried again after the next events. */
function ifPossible(context: IngestContext, what: string, work: () => void): void {
  try {
    work();
  } catch (error) {
    if (systemCode(error) === undefined && !isUserError(error)) throw error;
    context.log('warn', `${what} could not be removed: ${messageOf(error)}`);
  }
}

export interface RetentionReport {
  readonly bytesBefore: number;
  readonly bytesAfter: number;
  readonly turns: number;
  readonly operations: number;
}

type Item = StoredItem & ({ readonly turn: StoredTurn } | { readonly journal: Journal });

/** @throws UserError `locked`; system errors. */
export function enforceRetention(
  context: IngestContext,
  root: Root,
  limits: RetentionLimits,
): RetentionReport {
  const before = holdingsOf(context, root);
  if (before.going(limits).length === 0)
    return { bytesBefore: before.bytes, bytesAfter: before.bytes, turns: 0, operations: 0 };
  // What nobody refers to any more goes before anything that somebody does.
  sweep(context, root);
  const chosen = holdingsOf(context, root).going(limits);
  for (const item of chosen) remove(context, root, item);
  sweep(context, root);
  const turns = chosen.filter((item) => 'turn' in item).length;
  const operations = chosen.length - turns;
  if (chosen.length > 0) {
    context.log(
      'info',
      `Removed the saved states of ${turns} old turns and ${operations} old operations in ${root}.`,
    );
  }
  const { bytes } = holdingsOf(context, root);
  return { bytesBefore: before.bytes, bytesAfter: bytes, turns, operations };
}

function sweep({ home, now }: IngestContext, root: Root): void {
  sweepPostImages(postImageFolder(home, root), usedImages(root), now());
}

interface RootHoldings {
  /** On the disk: what several share counts once. */
  readonly bytes: number;
  readonly going: (limits: RetentionLimits) => readonly Item[];
}

function holdingsOf(context: IngestContext, root: Root): RootHoldings {
  const contents = storedContents(postImageFolder(context.home, root));
  const items = [...turnItems(context, root, contents), ...operationItems(context, root, contents)];
  const held: Holdings = new Map(items.flatMap(({ holds }) => [...holds]));
  const all: Holdings = new Map(held);
  for (const file of contents.values()) addFile(all, file);
  const bytes = sizeOf(all);
  return {
    bytes,
    going: (limits) => {
      const going = itemsToRemove(items, bytes - sizeOf(held), limits, context.now());
      return items.filter((item) => going.some((g) => g.id === item.id));
    },
  };
}

type Contents = ReadonlyMap<string, string>;

/** What a checkpoint keeps on the disk: its folder, and what the agent left. */
function addCheckpoint(holds: Holdings, contents: Contents, { place, manifest }: StoredCheckpoint) {
  addHoldings(holds, place);
  for (const { after } of manifest.files) {
    const file = after?.kind === 'file' ? contents.get(after.sha256 ?? '') : undefined;
    if (file !== undefined) addFile(holds, file);
  }
}

function turnItems(context: IngestContext, root: Root, contents: Contents): readonly Item[] {
  // Also those that are marked already: a crash may have come before their states were gone.
  const sessions = sessionsOf(context.database, root).map((session) =>
    turnsOf(context.database, session.id).filter((t) => t.root === root),
  );
  const lastUse = (turns: readonly StoredTurn[]) => Math.max(0, ...turns.map((t) => t.lastAt));
  // A session may have gone on in another root since: what counts is its last turn in this one.
  const last = Math.max(0, ...sessions.map(lastUse));
  return sessions.flatMap((turns) => {
    const kept = turns.filter((t) => t.prunedAt === null).slice(-protectedTurns);
    const newest = new Set(lastUse(turns) === last ? kept.map((t) => t.id) : []);
    return turns.flatMap((turn) => {
      const checkpoint = checkpointOf(turn);
      // Taken back: it belongs to its operation. memcode's: not ours to remove.
      if (
        checkpoint === undefined ||
        'problems' in checkpoint ||
        checkpoint.foreign ||
        isAside(turn, checkpoint.place)
      )
        return [];
      const isKept = turn.end === 'running' || newest.has(turn.id);
      const holds: Holdings = new Map();
      addCheckpoint(holds, contents, checkpoint);
      return [{ id: turn.id, at: turn.startedAt, holds, isKept, turn }];
    });
  });
}

function isAside(turn: StoredTurn, place: string): boolean {
  return turn.rewoundBy !== null && place !== checkpointPlace(turn.root, turn.session, turn.seq);
}

function operationItems(context: IngestContext, root: Root, contents: Contents): readonly Item[] {
  const journals = journalsOf(context, root);
  const newest = journals.reduce((latest, j) => Math.max(latest, j.startedAt), 0);
  return journals.map((journal) => {
    const holds: Holdings = new Map();
    addHoldings(holds, operationFolder(context.home, root, journal.operation));
    const aside = asideOf(root, journal);
    addHoldings(holds, aside);
    for (const checkpoint of readCheckpointsIn(root, aside).checkpoints)
      addCheckpoint(holds, contents, checkpoint);
    return {
      id: journal.operation,
      at: journal.startedAt,
      holds,
      // The newest can always be taken back.
      isKept: isPending(journal) || journal.startedAt === newest,
      journal,
    };
  });
}

function asideOf(root: Root, journal: Journal): string {
  return rewoundPlace(root, asSessionId(journal.session), journal.operation);
}

function remove(context: IngestContext, root: Root, item: Item): void {
  const now = context.now();
  if ('turn' in item) {
    const { id, session, seq } = item.turn;
    inTransaction(context.database, () => markPruned(context.database, session, [seq], now));
    removeWhole(checkpointPlace(root, session, seq));
    dropArchives(context.home, root, session, [seq]);
    sweepTrash(sessionPlace(root, session));
    context.log('info', `The saved states of turn ${id} were removed to keep within the limits.`);
    return;
  }
  const { journal } = item;
  const session = asSessionId(journal.session);
  const consumed = journal.effect.kind === 'takeBack' ? journal.effect.seqs : [];
  inTransaction(context.database, () => {
    markOperationPruned(context.database, journal.operation);
    const stillAside = turnsOf(context.database, session).filter(
      (t) => t.rewoundBy === journal.operation,
    );
    markPruned(
      context.database,
      session,
      consumed.filter((seq) => stillAside.some((t) => t.seq === seq)),
      now,
    );
  });
  removeWhole(asideOf(root, journal));
  dropArchives(context.home, root, session, consumed);
  removeWhole(operationFolder(context.home, root, journal.operation));
  sweepTrash(path.join(sessionPlace(root, session), rewoundName));
}

/** Hashes that a manifest still refers to. */
function usedImages(root: Root): (sha256: string) => boolean {
  const used = new Set<string>();
  for (const place of sessionFolders(root).flatMap((name) => placesOfSession(root, name))) {
    for (const { manifest } of readCheckpointsIn(root, place).checkpoints) {
      for (const { after } of manifest.files) {
        if (after?.kind === 'file' && after.sha256 !== undefined) used.add(after.sha256);
      }
    }
  }
  return (sha256) => used.has(sha256);
}
