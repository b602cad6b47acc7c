/**
 * The copies of checkpoints in the snapshot store, read and given up directly: what they are needed for must work when
 * nothing else does. Writing them is `archiveCheckpoint`'s.
 */
import path from 'node:path';
import { snapshotRepository } from '../base/home.ts';
import type { Root, SessionId } from '../core/ids.ts';
import { isRepository } from '../git/bareRepository.ts';
import { ObjectStore } from '../git/objectStore.ts';
import { type ArchiveStore, dropArchived, hasArchived } from '../snapshot/archive.ts';
import { archiveName } from './archiveCheckpoint.ts';

/** Gives up the copies of checkpoints that are given up themselves. @throws system errors. */
export function dropArchives(
  home: string,
  root: Root,
  session: SessionId,
  seqs: readonly number[],
): void {
  withArchives(home, root, (store) => {
    for (const seq of seqs) dropArchived(store, archiveName(session, seq));
  });
}

/** Whether there is a copy of a turn's checkpoint. */
export function hasCopy(
  home: string,
  {
    root,
    session,
    seq,
  }: { readonly root: Root; readonly session: SessionId; readonly seq: number },
): boolean {
  return (
    withArchives(home, root, (store) => hasArchived(store, archiveName(session, seq))) ?? false
  );
}

/** Undefined when there is no store. */
export function withArchives<T>(
  home: string,
  root: Root,
  work: (store: ArchiveStore) => T,
): T | undefined {
  const folder = snapshotRepository(home, root);
  if (!isRepository(folder)) return undefined;
  const objects = new ObjectStore(path.join(folder, 'objects'));
  try {
    return work({ folder, objects, now: Date.now, durable: true });
  } finally {
    objects.close();
  }
}
