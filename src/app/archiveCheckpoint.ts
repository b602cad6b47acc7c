/** Copies of checkpoints outside the folder they protect: for the day on which `.memcode` is gone. */
import fs from 'node:fs';
import path from 'node:path';
import type { CaptureTarget } from '../checkpoint/capture.ts';
import { checkpointPlace, manifestName } from '../checkpoint/places.ts';
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

/** Nothing when the turn has no checkpoint. Never throws: the checkpoint itself is there all the same. */
export async function archiveCheckpoint(
  { log }: { readonly log: (text: string) => void },
  snapshots: Snapshots,
  checkpoint: Checkpoint,
): Promise<void> {
  if (!hasCheckpoint(checkpoint)) return;
  const { root, session, head } = checkpoint;
  const place = checkpointPlace(root, session, head.seq);
  try {
    await snapshots.archive(archiveName(session, head.seq), place);
  } catch (error) {
    log(`Checkpoint ${head.seq} was not archived: ${messageOf(error)}`);
  }
}
