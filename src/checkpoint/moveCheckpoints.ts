/** Moves the checkpoints of an operation aside (`.rewound/<operation>/<seq>`) or back. Can be repeated after a crash. */
import fs from 'node:fs';
import path from 'node:path';
import { makeFolder, syncFolder } from '../base/atomicFile.ts';
import { asSessionId, type OperationId, type Root } from '../core/ids.ts';
import type { Journal } from './journal.ts';
import { checkpointPlace, rewoundPlace } from './places.ts';
import { readCheckpoint } from './readSession.ts';

/**
 * A rewind moves its own consumed checkpoints aside; its redo brings back those of the operation it undoes. What memcode
 * wrote stays where it is (spec/checkpoints A.2.7). @throws system errors.
 */
export function moveCheckpoints(root: Root, journal: Journal, direction: 'aside' | 'back'): void {
  const session = asSessionId(journal.session);
  const owner: OperationId = journal.undoes ?? journal.operation;
  const aside = rewoundPlace(root, session, owner);
  for (const seq of journal.seqs) {
    const here = checkpointPlace(root, session, seq);
    const there = path.join(aside, String(seq));
    const [from, to] = direction === 'aside' ? [here, there] : [there, here];
    if (!fs.existsSync(from) || isForeign(root, seq, from)) continue;
    makeFolder(path.dirname(to));
    fs.renameSync(from, to);
    syncFolder(path.dirname(to));
    syncFolder(path.dirname(from));
  }
  if (direction === 'back') fs.rmSync(aside, { recursive: true, force: true });
}

function isForeign(root: Root, seq: number, place: string): boolean {
  const checkpoint = readCheckpoint(root, seq, place);
  return checkpoint !== undefined && 'foreign' in checkpoint && checkpoint.foreign;
}
