/** Looks over the store of one root and says what is wrong with it. Changes nothing. */
import path from 'node:path';
import { listIfExists } from '../base/atomicFile.ts';
import { hashFile } from '../base/hash.ts';
import { logFile, spoolFolder } from '../base/home.ts';
import { readLog } from '../base/hookLog.ts';
import { blobOfRow } from '../checkpoint/blobOfRow.ts';
import { type Journal, listOperations, readJournal } from '../checkpoint/journal.ts';
import { keptBytes } from '../checkpoint/keptBytes.ts';
import { checkpointsFolder } from '../checkpoint/places.ts';
import {
  faultOfBlob,
  readCheckpointsIn,
  type SessionLog,
  sessionFolders,
} from '../checkpoint/readSession.ts';
import { faultsOfRedoPoint } from '../checkpoint/redoPoint.ts';
import { isPending } from '../checkpoint/runOperation.ts';
import { placesOfSession } from '../checkpoint/sessionPlaces.ts';
import { messageOf } from '../core/errors.ts';
import type { Root } from '../core/ids.ts';
import { checkNodes } from '../session/checkNodes.ts';
import { mirrorsBehind } from '../session/mirror/mirrorStore.ts';
import { operationsOf } from '../session/timelineStore.ts';
import type { IngestContext } from './ingest.ts';
import { commitFindings } from './leftCommits.ts';
import type { OperationContext } from './operations.ts';
import { mendable } from './repair.ts';
import type { Finding } from './timelineApp.ts';
import { lostTurns } from './turnRecords.ts';

/** Milliseconds: a week. */
const recent = 7 * 24 * 3_600_000;

/** Problems first, then notes. */
export function examine(context: OperationContext, root: Root): readonly Finding[] {
  const findings = [
    ...checkpointFindings(context.home, root),
    ...operationFindings(context, root),
    ...mendable(context, root),
    ...commitFindings(context, root),
    ...lostTurns(context, root),
    ...messageFindings(context, root),
    ...spoolFindings(context.home),
    ...hookFindings(context),
    ...databaseFindings(context),
  ];
  return findings.sort(
    (a, b) => Number(b.severity === 'problem') - Number(a.severity === 'problem'),
  );
}

/** Those that a rewind took back count as well: an undo brings them back. */
function checkpointFindings(home: string, root: Root): Finding[] {
  const logs = sessionFolders(root).flatMap((name) =>
    placesOfSession(root, name).map((place) => ({ name, log: readCheckpointsIn(root, place) })),
  );
  const count = logs.reduce((sum, { log }) => sum + log.checkpoints.length, 0);
  return [
    ...logs.flatMap(({ name, log }) => findingsOf(home, root, name, log)),
    {
      severity: 'note',
      subject: checkpointsFolder(root),
      text: `${count} checkpoints were read and compared with their checksums.`,
    },
  ];
}

function findingsOf(
  home: string,
  root: Root,
  name: string,
  { checkpoints, damaged }: SessionLog,
): Finding[] {
  const kept = keptBytes(home, root);
  return [
    ...damaged.map(({ seq, place, problems }) =>
      problem(place, `Checkpoint ${seq} of session ${name} is damaged: ${problems.join(' ')}`),
    ),
    ...checkpoints.flatMap(({ seq, place, manifest }) =>
      manifest.files.flatMap((row) => {
        const fault =
          row.blob === undefined
            ? (faultOfBlob(place, row) ?? wrongHash(place, row))
            : kept.faultOf(row);
        return fault === undefined
          ? []
          : [problem(place, `Checkpoint ${seq} of session ${name}, ${row.path}: ${fault}`)];
      }),
    ),
  ];
}

function wrongHash(place: string, row: Parameters<typeof blobOfRow>[1]): string | undefined {
  if (row.before.kind !== 'file' || row.before.sha256 === undefined) return undefined;
  try {
    return hashFile(blobOfRow(place, row)).sha256 === row.before.sha256
      ? undefined
      : 'Its saved bytes are not the ones that were saved.';
  } catch (error) {
    return `Its saved bytes cannot be read (${messageOf(error)}).`;
  }
}

function operationFindings({ home, database }: IngestContext, root: Root): Finding[] {
  const listed = new Map(operationsOf(database, root).map((o) => [o.id, o]));
  return listOperations(home, root).flatMap((operation) => {
    const known = listed.get(operation);
    try {
      const journal = readJournal(home, root, operation);
      if (isPending(journal)) return [cutShort(journal)];
      const isNeeded = journal.phase === 'done' && !known?.undone && !known?.pruned;
      return isNeeded ? redoPointFindings(home, root, journal) : [];
    } catch (error) {
      // One that is listed was carried out: its record can be given up, which `mendable` tells.
      return known === undefined ? [problem(operation, messageOf(error))] : [];
    }
  });
}

function cutShort({ operation, kind, label }: Journal): Finding {
  return problem(
    operation,
    `A ${kind} was cut short ("${label}"). Run doctor --finish or doctor --roll-back.`,
  );
}

function redoPointFindings(home: string, root: Root, journal: Journal): Finding[] {
  return faultsOfRedoPoint(home, root, journal).map(({ path: key, fault }) =>
    problem(journal.operation, `"${journal.label}" cannot be taken back for ${key}: ${fault}`),
  );
}

/** The conversation as a whole, and what its mirrors lack. */
function messageFindings({ database }: IngestContext, root: Root): Finding[] {
  const behind = mirrorsBehind(database, root);
  return [
    ...checkNodes(database, root).map(({ node, text }) => problem(node, text)),
    ...behind.map(({ session, failure }) =>
      problem(session, `The mirror of this session is behind: ${failure}`),
    ),
  ];
}

function spoolFindings(home: string): Finding[] {
  const bad = listIfExists(path.join(spoolFolder(home), 'bad')).length;
  return bad === 0
    ? []
    : [
        problem(
          path.join(spoolFolder(home), 'bad'),
          `${bad} hook records could not be understood and were set aside.`,
        ),
      ];
}

/** What hooks could not do is in their log, which nobody reads. */
function hookFindings({ home, now }: IngestContext): Finding[] {
  const lines = readLog(logFile(home), now() - recent);
  const newest = lines.at(-1);
  if (newest === undefined) return [];
  const text = `${lines.length} lines of the last week say what hooks could not do; the newest: ${newest.slice(0, 300)}`;
  return [{ severity: 'note', subject: logFile(home), text }];
}

function databaseFindings({ database }: IngestContext): Finding[] {
  const check = database.prepare('PRAGMA quick_check').all();
  const texts = check.map((row) => String(Object.values(row)[0])).filter((text) => text !== 'ok');
  const dangling = database.prepare('PRAGMA foreign_key_check').all();
  return [
    ...texts.map((text) => problem('timeline.db', text)),
    ...[...new Set(dangling.map((row) => `${row['table']} names one of ${row['parent']}`))].map(
      (names) => problem('timeline.db', `A row of ${names} that is not there.`),
    ),
  ];
}

function problem(subject: string, text: string): Finding {
  return { severity: 'problem', subject, text };
}
