/**
 * The copies of checkpoints in the snapshot store, read and given up directly: what they are needed for must work when
 * nothing else does. Writing them is `archiveCheckpoint`'s.
 */
import path from 'node:path';
import { listIfExists } from '../base/atomicFile.ts';
import { rootFolder } from '../base/home.ts';
import { lstatIfExists } from '../base/lstatIfExists.ts';
import { obstacleOnTheWay } from '../checkpoint/canonicalKey.ts';
import { makeStore } from '../checkpoint/capture.ts';
import { checkpointsFolder, rewoundName } from '../checkpoint/places.ts';
import { asSessionId, type Root, type SessionId, sessionFolder } from '../core/ids.ts';
import { isRepository } from '../git/bareRepository.ts';
import { ObjectStore } from '../git/objectStore.ts';
import { type StoredTurn, sessionsOf, turnsOf } from '../session/timelineStore.ts';
import {
  type ArchiveStore,
  archivedFolders,
  dropArchived,
  hasArchived,
  unarchiveFolder,
} from '../snapshot/archive.ts';
import { archiveName } from './archiveCheckpoint.ts';
import { type Fault, fault } from './fault.ts';
import { type IngestContext, refreshTouches } from './ingest.ts';

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
  { root, session, seq }: Pick<StoredTurn, 'root' | 'session' | 'seq'>,
): boolean {
  return (
    withArchives(home, root, (store) => hasArchived(store, archiveName(session, seq))) ?? false
  );
}

/** Checkpoints that are gone from `.memcode` and can be brought back. */
export function goneCheckpoints(context: IngestContext, root: Root): readonly Fault[] {
  const { home } = context;
  const folder = checkpointsFolder(root);
  if (obstacleOnTheWay(root, path.relative(root, folder).split(path.sep))) return [];
  const names = withArchives(home, root, (store) =>
    archivedFolders(store).map((archived) => archived.name),
  );
  if (names === undefined || names.length === 0) return [];
  const turns = turnsByName(context, root);
  return names
    .filter((name) => isGone(folder, name) && isWanted(turns.get(name)))
    .map((name) => {
      const place = path.join(folder, ...name.split('/'));
      const turn = turns.get(name);
      const what = turn ? `turn ${turn.number} of session ${turn.session}` : name;
      return fault(
        place,
        `The checkpoint of ${what} is gone. There is a copy outside the folder: run doctor --repair.`,
        `The checkpoint of ${what} was brought back from its copy.`,
        () => {
          makeStore(root, path.dirname(place));
          withArchives(home, root, (store) => unarchiveFolder(store, name, place));
          if (turn) refreshTouches(context, new Set([turn.id]));
        },
      );
    });
}

/** Undefined when there is no store. */
function withArchives<T>(
  home: string,
  root: Root,
  work: (store: ArchiveStore) => T,
): T | undefined {
  const folder = path.join(rootFolder(home, root), 'store.git');
  if (!isRepository(folder)) return undefined;
  const objects = new ObjectStore(path.join(folder, 'objects'));
  try {
    return work({ folder, objects, now: Date.now, durable: true });
  } finally {
    objects.close();
  }
}

/** Neither in its place nor among what operations took back. */
function isGone(folder: string, name: string): boolean {
  const [session = '', seq = ''] = name.split('/');
  const aside = path.join(folder, session, rewoundName);
  const places = listIfExists(aside).map((entry) => path.join(aside, entry.name, seq));
  return [path.join(folder, session, seq), ...places].every((place) => !lstatIfExists(place));
}

/** What retention removed stays removed. Of an unknown turn the copy is all there is. */
function isWanted(turn: StoredTurn | undefined): boolean {
  return turn === undefined || turn.prunedAt === null;
}

function turnsByName(context: IngestContext, root: Root): ReadonlyMap<string, StoredTurn> {
  const sessions = sessionsOf(context.database, root).map(({ id }) => asSessionId(id));
  return new Map(
    sessions
      .flatMap((session) => turnsOf(context.database, session))
      .filter((turn) => turn.root === root)
      .map((turn) => [`${sessionFolder(turn.session)}/${turn.seq}`, turn]),
  );
}
