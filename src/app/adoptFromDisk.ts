/** Enters what only the disk knows into the database: memcode's checkpoints, and ours after the database was lost. */
import path from 'node:path';
import { listIfExists } from '../base/atomicFile.ts';
import { readLive } from '../checkpoint/liveSession.ts';
import { checkpointsFolder, seqOfName } from '../checkpoint/places.ts';
import { readCheckpoint, sessionFolders } from '../checkpoint/readSession.ts';
import { asSessionId, asTurnId, type Root, sessionFolder } from '../core/ids.ts';
import { adoptTurn } from '../session/adoptTurn.ts';
import { inTransaction } from '../session/database.ts';
import { replaceTouches, turnById } from '../session/timelineStore.ts';
import type { IngestContext } from './ingest.ts';
import { touchesOf } from './turnFiles.ts';

/** Cheap when nothing is new: folder names against known numbers. */
export function adoptFromDisk(context: IngestContext, root: Root): void {
  const folder = checkpointsFolder(root);
  const known = knownSeqs(context, root);
  for (const name of sessionFolders(root)) {
    // By number: each turn's own number and its parent follow from the ones before it.
    const seqs = listIfExists(path.join(folder, name))
      .map((entry) => (entry.isDirectory() ? seqOfName(entry.name) : undefined))
      .filter((seq) => seq !== undefined)
      .sort((a, b) => a - b);
    for (const seq of seqs) if (!known.has(`${name}/${seq}`)) adopt(context, root, name, seq);
  }
}

function knownSeqs(context: IngestContext, root: Root): ReadonlySet<string> {
  const rows = context.database.prepare('SELECT session, seq FROM turns WHERE root = ?').all(root);
  return new Set(
    rows.map(
      (row) => `${sessionFolder(asSessionId(String(row['session'])))}/${Number(row['seq'])}`,
    ),
  );
}

function adopt(context: IngestContext, root: Root, name: string, seq: number): void {
  const checkpoint = readCheckpoint(
    root,
    seq,
    path.join(checkpointsFolder(root), name, String(seq)),
  );
  if (checkpoint === undefined) return;
  if ('problems' in checkpoint) {
    context.log(
      'warn',
      `Checkpoint ${seq} of session ${name} is damaged: ${checkpoint.problems.join(' ')}`,
    );
    return;
  }
  const { manifest, foreign } = checkpoint;
  if (manifest.files.length === 0) return;
  // A folder that does not bear the name its session would get is not trusted to say whose it is.
  const session =
    manifest.session !== undefined && sessionFolder(asSessionId(manifest.session)) === name
      ? manifest.session
      : name;
  // A turn that is going on is told by its own events; entered here it would look ended.
  const live = readLive(context.home, asSessionId(session))?.turn;
  if (live?.open && live.seq === seq) return;
  const at = Date.parse(manifest.at);
  inTransaction(context.database, () => {
    adoptTurn(context.database, {
      session,
      root,
      agent: manifest.agent ?? (foreign ? 'memcode' : 'unknown'),
      seq,
      number: manifest.turn,
      label: manifest.label,
      at: Number.isNaN(at) ? context.now() : at,
    });
    const turn = turnById(context.database, asTurnId(`${session}#${seq}`));
    if (turn) replaceTouches(context.database, turn.id, touchesOf(context.home, turn));
  });
}
