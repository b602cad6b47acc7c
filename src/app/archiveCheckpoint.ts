/** Copies of checkpoints outside the folder they protect: for the day on which `.memcode` is gone. */
import fs from 'node:fs';
import path from 'node:path';
import { type CaptureTarget, makeStore } from '../checkpoint/capture.ts';
import { checkpointPlace, manifestName } from '../checkpoint/places.ts';
import { readManifestFile } from '../checkpoint/readManifest.ts';
import { messageOf } from '../core/errors.ts';
import { type SessionId, sessionFolder } from '../core/ids.ts';
import type { Snapshots } from './snapshots.ts';

type Checkpoint = Pick<CaptureTarget, 'root' | 'session' | 'head'>;

export function archiveName(session: SessionId, seq: number): string {
  return `${sessionFolder(session)}/${seq}`;
}

export function hasCheckpoint({ root, session, head }: Checkpoint): boolean {
  return fs.existsSync(path.join(checkpointPlace(root, session, head.seq), manifestName));
}

/** @returns whether there is a copy now; never throws, since the checkpoint itself is there all the same. */
export async function archiveCheckpoint(
  { log }: { readonly log: (text: string) => void },
  snapshots: Snapshots,
  checkpoint: Checkpoint,
): Promise<boolean> {
  if (!hasCheckpoint(checkpoint)) return false;
  const { root, session, head } = checkpoint;
  const place = checkpointPlace(root, session, head.seq);
  try {
    const rows = readManifestFile(place).value?.files ?? [];
    const held = rows.flatMap(({ blob, leftBlob }) =>
      [blob, leftBlob].filter((id) => id !== undefined),
    );
    await snapshots.archive(archiveName(session, head.seq), place, held);
    return true;
  } catch (error) {
    log(`Checkpoint ${head.seq} was not archived: ${messageOf(error)}`);
    return false;
  }
}

/** For a checkpoint that turned out to hold no change. Never throws. */
export async function dropCopy(
  { log }: { readonly log: (text: string) => void },
  snapshots: Snapshots,
  { session, head }: Checkpoint,
): Promise<void> {
  try {
    await snapshots.dropArchive(archiveName(session, head.seq));
  } catch (error) {
    log(`The copy of checkpoint ${head.seq} stays: ${messageOf(error)}`);
  }
}

/** Brings a checkpoint back that a command has removed: what comes next must not begin anew. Never throws. */
export async function bringBack(
  { log }: { readonly log: (text: string) => void },
  snapshots: Snapshots,
  checkpoint: Checkpoint,
): Promise<void> {
  const { root, session, head } = checkpoint;
  const place = checkpointPlace(root, session, head.seq);
  if (fs.existsSync(place)) return;
  try {
    makeStore(root, path.dirname(place));
    await snapshots.unarchive(archiveName(session, head.seq), place);
    log(`Checkpoint ${head.seq} was removed by a command and brought back.`);
  } catch (error) {
    log(`Checkpoint ${head.seq} was removed and not brought back: ${messageOf(error)}`);
  }
}
