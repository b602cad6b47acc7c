/** Checkpoints that are gone from the work tree, and have a copy in the snapshot store. */
import path from 'node:path';
import { listIfExists } from '../base/atomicFile.ts';
import { lstatIfExists } from '../base/lstatIfExists.ts';
import { obstacleOnTheWay } from '../checkpoint/canonicalKey.ts';
import { makeStore } from '../checkpoint/capture.ts';
import { checkpointsFolder, rewoundName } from '../checkpoint/places.ts';
import { asSessionId, type Root, sessionFolder } from '../core/ids.ts';
import { type StoredTurn, sessionsOf, turnsOf } from '../session/timelineStore.ts';
import { archivedFolders, unarchiveFolder } from '../snapshot/archive.ts';
import { withArchives } from './archives.ts';
import { type Fault, fault } from './fault.ts';
import { type IngestContext, refreshTouches } from './ingest.ts';

/** What `repair` brings back. */
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
