/**
 * Keeps the store of one root within its limits. Oldest first; the newest turns of the session used last always stay;
 * what goes is marked in the database first, so that the timeline says so and offers no rewind it cannot do.
 */
import path from 'node:path';
import { listIfExists } from '../base/atomicFile.ts';
import { folderSize } from '../base/folderSize.ts';
import { operationFolder, postImageFolder } from '../base/home.ts';
import type { Journal } from '../checkpoint/journal.ts';
import {
  checkpointPlace,
  checkpointsFolder,
  rewoundName,
  rewoundPlace,
  sessionPlace,
} from '../checkpoint/places.ts';
import { removeWhole, sweepPostImages, sweepTrash } from '../checkpoint/prune.ts';
import { readCheckpointsIn, sessionFolders } from '../checkpoint/readSession.ts';
import { isPending } from '../checkpoint/runOperation.ts';
import { asSessionId, type Root } from '../core/ids.ts';
import {
  itemsToRemove,
  protectedTurns,
  type RetentionLimits,
  type StoredItem,
} from '../core/retention.ts';
import { inTransaction } from '../session/database.ts';
import {
  markOperationPruned,
  markPruned,
  type StoredTurn,
  sessionsOf,
  turnsOf,
} from '../session/timelineStore.ts';
import type { IngestContext } from './ingest.ts';
import { journalsOf } from './operations.ts';
import { checkpointOf } from './turnFiles.ts';

const pause = 5 * 60_000;

/**
 * Enforces the limits for the roots that have just been written to, each at most every five minutes.
 * @returns a function to call after new events were taken in. It throws system errors.
 */
export function retentionKeeper(context: IngestContext, limits: () => RetentionLimits): () => void {
  const last = new Map<string, number>();
  return () => {
    const now = context.now();
    const rows = context.database
      .prepare('SELECT DISTINCT root FROM turns WHERE last_at > ?')
      .all(now - pause);
    for (const row of rows) {
      const root = String(row['root']) as Root;
      if (now - (last.get(root) ?? Number.NEGATIVE_INFINITY) < pause) continue;
      last.set(root, now);
      enforceRetention(context, root, limits());
    }
  };
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
  const items = [...turnItems(context, root), ...operationItems(context, root)];
  const images = folderSize(postImageFolder(context.home, root));
  const total = (list: readonly StoredItem[]) => list.reduce((sum, item) => sum + item.bytes, 0);
  const going = itemsToRemove(items, images, limits, context.now());
  const chosen = items.filter((item) => going.some((g) => g.id === item.id));
  for (const item of chosen) remove(context, root, item);
  const freed =
    chosen.length > 0
      ? sweepPostImages(postImageFolder(context.home, root), usedImages(root), context.now())
      : 0;
  const turns = chosen.filter((item) => 'turn' in item).length;
  if (chosen.length > 0) {
    context.log(
      'info',
      `Removed the saved states of ${turns} old turns and ${chosen.length - turns} old operations in ${root}.`,
    );
  }
  const bytesBefore = total(items) + images;
  return {
    bytesBefore,
    bytesAfter: bytesBefore - total(chosen) - freed,
    turns,
    operations: chosen.length - turns,
  };
}

function turnItems(context: IngestContext, root: Root): readonly Item[] {
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
      return [
        { id: turn.id, at: turn.startedAt, bytes: folderSize(checkpoint.place), isKept, turn },
      ];
    });
  });
}

function isAside(turn: StoredTurn, place: string): boolean {
  return turn.rewoundBy !== null && place !== checkpointPlace(turn.root, turn.session, turn.seq);
}

function operationItems(context: IngestContext, root: Root): readonly Item[] {
  const journals = journalsOf(context, root);
  const newest = journals.reduce((latest, j) => Math.max(latest, j.startedAt), 0);
  return journals.map((journal) => ({
    id: journal.operation,
    at: journal.startedAt,
    bytes:
      folderSize(operationFolder(context.home, root, journal.operation)) +
      folderSize(asideOf(root, journal)),
    // The newest can always be taken back.
    isKept: isPending(journal) || journal.startedAt === newest,
    journal,
  }));
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
  removeWhole(operationFolder(context.home, root, journal.operation));
  sweepTrash(path.join(sessionPlace(root, session), rewoundName));
}

/** Hashes that a manifest still refers to. */
function usedImages(root: Root): (sha256: string) => boolean {
  const used = new Set<string>();
  const folder = checkpointsFolder(root);
  for (const name of sessionFolders(root)) {
    const session = path.join(folder, name);
    const aside = listIfExists(path.join(session, rewoundName)).map((e) =>
      path.join(session, rewoundName, e.name),
    );
    for (const place of [session, ...aside]) {
      for (const { manifest } of readCheckpointsIn(root, place).checkpoints) {
        for (const { after } of manifest.files) {
          if (after?.kind === 'file' && after.sha256 !== undefined) used.add(after.sha256);
        }
      }
    }
  }
  return (sha256) => used.has(sha256);
}
