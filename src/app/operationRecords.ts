/** Where the journals of operations and the database's table of them disagree. */
import fs from 'node:fs';
import path from 'node:path';
import { makeFolder } from '../base/atomicFile.ts';
import { operationFolder, setAsideFolder } from '../base/home.ts';
import type { Journal } from '../checkpoint/journal.ts';
import { asSessionId, type Root } from '../core/ids.ts';
import { inTransaction } from '../session/database.ts';
import {
  addOperation,
  markOperationPruned,
  operationsOf,
  type StoredOperation,
} from '../session/timelineStore.ts';
import { type Fault, fault } from './fault.ts';
import type { IngestContext } from './ingest.ts';
import { journalsOf } from './operations.ts';

/** Operations that were carried out but are not listed. What the turns' marks should be follows from the table: mend it first. */
export function unlistedOperations(context: IngestContext, root: Root): readonly Fault[] {
  const listed = new Set(operationsOf(context.database, root).map(({ id }) => id));
  return journalsOf(context, root)
    .filter(({ phase, operation }) => phase === 'done' && !listed.has(operation))
    .sort((a, b) => a.startedAt - b.startedAt)
    .map((journal) =>
      fault(
        journal.operation,
        `The operation "${journal.label}" was carried out but is not listed, so it cannot be taken back.`,
        `The operation "${journal.label}" is listed again.`,
        () => list(context, root, journal),
      ),
    );
}

/** Operations that are listed as if they could be taken back, and cannot. */
export function unrecordedOperations(context: IngestContext, root: Root): readonly Fault[] {
  const recorded = new Set(journalsOf(context, root).map(({ operation }) => operation));
  return operationsOf(context.database, root)
    .filter(({ id, pruned }) => !pruned && !recorded.has(id))
    .map((operation) => unrecorded(context, root, operation));
}

function unrecorded(context: IngestContext, root: Root, { id, label }: StoredOperation): Fault {
  const folder = operationFolder(context.home, root, id);
  const aside = path.join(setAsideFolder(context.home, root), id);
  const kept = fs.existsSync(folder) ? ` What is left of it was moved to ${aside}.` : '';
  return fault(
    id,
    `The record of "${label}" is gone or cannot be read, so it cannot be taken back.`,
    `"${label}" is listed as one that cannot be taken back: its record is gone or cannot be read.${kept}`,
    () => {
      if (fs.existsSync(folder)) {
        makeFolder(path.dirname(aside));
        fs.renameSync(folder, aside);
      }
      inTransaction(context.database, () => markOperationPruned(context.database, id));
    },
  );
}

function list({ database }: IngestContext, root: Root, journal: Journal): void {
  const { operation, kind, startedAt, label, steps, undoes, partly } = journal;
  inTransaction(database, () => {
    addOperation(database, {
      id: operation,
      root,
      session: asSessionId(journal.session),
      kind,
      at: startedAt,
      label,
      paths: steps.filter((step) => !step.optional).map((step) => step.path),
      undoes: undoes ?? null,
      ...(partly && { partly }),
    });
  });
}
