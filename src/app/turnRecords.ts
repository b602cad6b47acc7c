/**
 * Where turns and their checkpoints disagree. The operations that stand say which turns are taken back: those are marked
 * in the database, and a rewind has moved their checkpoints aside. Everything else lies in its normal place, unmarked.
 */
import fs from 'node:fs';
import path from 'node:path';
import { listIfExists } from '../base/atomicFile.ts';
import { obstacleOnTheWay } from '../checkpoint/canonicalKey.ts';
import { forgetTurn } from '../checkpoint/liveSession.ts';
import { moveCheckpoint } from '../checkpoint/moveCheckpoints.ts';
import { checkpointPlace, rewoundName, rewoundPlace, sessionPlace } from '../checkpoint/places.ts';
import { readCheckpoint } from '../checkpoint/readSession.ts';
import { asOperationId, type OperationId, type Root, type SessionId } from '../core/ids.ts';
import { inTransaction } from '../session/database.ts';
import {
  markRewound,
  operationsOf,
  type StoredTurn,
  sessionsOf,
  turnsOf,
} from '../session/timelineStore.ts';
import { type Fault, fault } from './fault.ts';
import type { IngestContext } from './ingest.ts';
import { unlistedOperations } from './operationRecords.ts';
import { journalsOf, pendingOperations } from './operations.ts';
import type { Finding } from './timelineApp.ts';

/** A turn as it is, and as the operations that stand want it. */
interface TurnRecord {
  readonly turn: StoredTurn;
  /** Where its checkpoint lies; undefined when it is nowhere. */
  readonly place: string | undefined;
  readonly wantedPlace: string;
  readonly wantedMark: OperationId | null;
  /** It lies in two places, and nothing says which is the right one. */
  readonly isTwice: boolean;
}

/**
 * Turns that can be brought back in agreement. None while an operation is cut short or not listed: it says what they are
 * to be.
 */
export function misplacedTurns(context: IngestContext, root: Root): readonly Fault[] {
  if (unlistedOperations(context, root).length > 0) return [];
  return recordsOf(context, root)
    .filter(({ isTwice }) => !isTwice)
    .filter(({ turn, wantedMark, place, wantedPlace }) => {
      const isMoved = place !== undefined && place !== wantedPlace;
      return isMoved || turn.rewoundBy !== wantedMark;
    })
    .map((record) => misplaced(context, record));
}

/** What nothing can mend. */
export function lostTurns(context: IngestContext, root: Root): readonly Finding[] {
  const records = recordsOf(context, root);
  const twice = records
    .filter(({ isTwice }) => isTwice)
    .map(({ turn, wantedPlace }) => ({
      severity: 'problem' as const,
      subject: wantedPlace,
      text: `The checkpoint of ${nameOf(turn)} is there twice, in its place and among those taken back.`,
    }));
  const lost = records.filter(({ turn, place }) => place === undefined && hasChanges(turn));
  const sessions = new Set(lost.map(({ turn }) => turn.session));
  return [
    ...twice,
    ...[...sessions].map((session) => {
      const numbers = lost.filter((r) => r.turn.session === session).map((r) => r.turn.number);
      return {
        severity: 'problem' as const,
        subject: sessionPlace(root, session),
        text: `The checkpoints of these turns are gone, so they cannot be rewound now: ${numbers.join(', ')}.`,
      };
    }),
  ];
}

/** memcode removes its own checkpoints; a running turn may yet turn out to have changed nothing. */
function hasChanges({ files, agent, end }: StoredTurn): boolean {
  return files.length > 0 && agent !== 'memcode' && end !== 'running';
}

function misplaced(
  { home, database }: IngestContext,
  { turn, place, wantedPlace, wantedMark }: TurnRecord,
): Fault {
  const { root, session, seq, rewoundBy } = turn;
  const isMarked = rewoundBy !== wantedMark;
  const isMoved = place !== undefined && place !== wantedPlace;
  const name = nameOf(turn);
  const wrong = [
    ...(isMarked
      ? [wantedMark === null ? 'it is marked as taken back' : 'its mark as taken back is missing']
      : []),
    ...(isMoved ? ['its checkpoint is not where it belongs'] : []),
  ];
  const done = [
    ...(isMarked ? [wantedMark === null ? 'the mark was taken off' : 'it was marked'] : []),
    ...(isMoved ? ['its checkpoint was moved to its place'] : []),
  ];
  return fault(
    turn.id,
    `The record of ${name} disagrees with the operations: ${wrong.join(', and ')}.`,
    `The record of ${name} agrees with the operations again: ${done.join(', and ')}.`,
    () => {
      // What the agent does next must not go to a turn that is taken back.
      if (wantedMark !== null) forgetTurn(home, session, [seq]);
      if (isMoved) {
        moveCheckpoint(place, wantedPlace);
        removeIfEmpty(path.dirname(place), sessionPlace(root, session));
      }
      inTransaction(database, () => {
        if (rewoundBy !== null) markRewound(database, session, [seq], rewoundBy, false);
        if (wantedMark !== null) markRewound(database, session, [seq], wantedMark, true);
      });
    },
  );
}

function recordsOf(context: IngestContext, root: Root): readonly TurnRecord[] {
  if (pendingOperations(context, root).length > 0) return [];
  const owners = ownersOf(context, root);
  return sessionsOf(context.database, root).flatMap(({ id }) => {
    const folder = path.join(sessionPlace(root, id), rewoundName);
    if (obstacleOnTheWay(root, path.relative(root, folder).split(path.sep))) return [];
    const aside = listIfExists(folder).filter((entry) => entry.isDirectory());
    const operations = aside.map((entry) => asOperationId(entry.name));
    return turnsOf(context.database, id)
      .filter((turn) => turn.root === root && turn.prunedAt === null)
      .map((turn) => recordOf(turn, owners.of(turn), owners.isKnown, operations));
  });
}

interface Owner {
  readonly id: OperationId;
  readonly session: SessionId;
  /** Its turns' checkpoints are aside; otherwise they are only marked. */
  readonly isAside: boolean;
  /** Undefined where its journal is gone: then the marks say it. */
  readonly seqs: ReadonlySet<number> | undefined;
}

/** The operations that stand and took turns back. */
function ownersOf(
  context: IngestContext,
  root: Root,
): {
  readonly of: (turn: StoredTurn) => readonly Owner[];
  readonly isKnown: (id: OperationId) => boolean;
} {
  const journals = new Map(journalsOf(context, root).map((j) => [j.operation, j]));
  const operations = operationsOf(context.database, root);
  const owners = operations
    .filter(({ undone, kind }) => !undone && (kind === 'rewind' || kind === 'revert'))
    .map(({ id, session, kind }): Owner => {
      const effect = journals.get(id)?.effect;
      const isAside = kind === 'rewind';
      if (effect === undefined) return { id, session, isAside, seqs: undefined };
      return { id, session, isAside, seqs: new Set(effect.kind === 'none' ? [] : effect.seqs) };
    });
  return {
    of: ({ session, seq, rewoundBy }) =>
      owners.filter((o) => o.session === session && (o.seqs?.has(seq) ?? rewoundBy === o.id)),
    isKnown: (id) => journals.has(id) || operations.some((o) => o.id === id),
  };
}

function recordOf(
  turn: StoredTurn,
  owners: readonly Owner[],
  isKnown: (id: OperationId) => boolean,
  operations: readonly OperationId[],
): TurnRecord {
  const { root, session, seq, rewoundBy } = turn;
  const here = checkpointPlace(root, session, seq);
  const asideOf = (id: OperationId) => path.join(rewoundPlace(root, session, id), String(seq));
  const normal = readCheckpoint(root, seq, here);
  const isForeign = normal !== undefined && 'foreign' in normal && normal.foreign;
  const aside = operations.filter((id) => readCheckpoint(root, seq, asideOf(id)) !== undefined);
  const isAside = (id: OperationId | undefined) => id !== undefined && aside.includes(id);
  const isTwice = normal !== undefined && aside.length > 0;
  const isNowhere = normal === undefined && aside.length === 0;
  const recordAt = (
    keeper: OperationId | undefined,
    wantedMark: OperationId | null,
  ): TurnRecord => {
    const found = isAside(keeper) ? keeper : aside[0];
    const place = normal !== undefined ? here : found === undefined ? undefined : asideOf(found);
    const wantedPlace = keeper === undefined || isForeign ? here : asideOf(keeper);
    return { turn, place, wantedPlace, wantedMark, isTwice };
  };
  // Nothing is known of the operation any more, but everything agrees with it.
  if (rewoundBy !== null && !isKnown(rewoundBy) && isAside(rewoundBy) && !isTwice)
    return recordAt(rewoundBy, rewoundBy);
  const takers = owners.filter((owner) => owner.isAside).map(({ id }) => id);
  const marked = owners.find(({ id }) => id === rewoundBy);
  const taker = takers.find(isAside) ?? (isForeign || isNowhere ? takers[0] : undefined);
  const marker = owners.find((owner) => !owner.isAside)?.id;
  return recordAt(marked?.isAside ? marked.id : taker, marked?.id ?? taker ?? marker ?? null);
}

function nameOf({ number, session }: StoredTurn): string {
  return `turn ${number} of session ${session}`;
}

function removeIfEmpty(folder: string, session: string): void {
  if (folder !== session && listIfExists(folder).length === 0) fs.rmdirSync(folder);
}
