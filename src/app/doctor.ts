/** Looks over the store of one root and says what is wrong with it. Changes nothing. */
import path from 'node:path';
import { listIfExists } from '../base/atomicFile.ts';
import { hashFile } from '../base/hash.ts';
import { spoolFolder } from '../base/home.ts';
import { blobOfRow } from '../checkpoint/blobOfRow.ts';
import { listOperations, readJournal } from '../checkpoint/journal.ts';
import { checkpointsFolder } from '../checkpoint/places.ts';
import { faultOfBlob, readCheckpointsIn, sessionFolders } from '../checkpoint/readSession.ts';
import { isPending } from '../checkpoint/runOperation.ts';
import { messageOf } from '../core/errors.ts';
import type { Root } from '../core/ids.ts';
import type { IngestContext } from './ingest.ts';
import type { Finding } from './timelineApp.ts';

/** Problems first, then notes. */
export function examine(context: IngestContext, root: Root): readonly Finding[] {
  const findings = [
    ...checkpointFindings(root),
    ...operationFindings(context.home, root),
    ...spoolFindings(context.home),
    ...databaseFindings(context),
  ];
  return findings.sort(
    (a, b) => Number(b.severity === 'problem') - Number(a.severity === 'problem'),
  );
}

function checkpointFindings(root: Root): Finding[] {
  const folder = checkpointsFolder(root);
  const findings: Finding[] = [];
  let count = 0;
  for (const name of sessionFolders(root)) {
    const { checkpoints, damaged } = readCheckpointsIn(root, path.join(folder, name));
    findings.push(
      ...damaged.map((d) =>
        problem(
          d.place,
          `Checkpoint ${d.seq} of session ${name} is damaged: ${d.problems.join(' ')}`,
        ),
      ),
    );
    for (const { seq, place, manifest } of checkpoints) {
      count++;
      for (const row of manifest.files) {
        const fault = faultOfBlob(place, row) ?? wrongHash(place, row);
        if (fault !== undefined)
          findings.push(
            problem(place, `Checkpoint ${seq} of session ${name}, ${row.path}: ${fault}`),
          );
      }
    }
  }
  findings.push({
    severity: 'note',
    subject: folder,
    text: `${count} checkpoints were read and compared with their checksums.`,
  });
  return findings;
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

function operationFindings(home: string, root: Root): Finding[] {
  return listOperations(home, root).flatMap((operation) => {
    try {
      const journal = readJournal(home, root, operation);
      if (!isPending(journal)) return [];
      return [
        problem(
          operation,
          `A ${journal.kind} was cut short ("${journal.label}"). Run doctor --finish or doctor --roll-back.`,
        ),
      ];
    } catch (error) {
      return [problem(operation, messageOf(error))];
    }
  });
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

function databaseFindings({ database }: IngestContext): Finding[] {
  const rows = database
    .prepare('PRAGMA quick_check')
    .all()
    .map((row) => String(Object.values(row)[0]));
  return rows.length === 1 && rows[0] === 'ok'
    ? []
    : rows.map((text) => problem('timeline.db', text));
}

function problem(subject: string, text: string): Finding {
  return { severity: 'problem', subject, text };
}
