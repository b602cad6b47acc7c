/**
 * What crashes leave behind in our stores and beside the user's files: temporaries, things on their way out, redo points
 * of operations that never began, contents that were not written whole. None of it is a pre-image.
 */
import fs from 'node:fs';
import path from 'node:path';
import { listIfExists } from '../base/atomicFile.ts';
import {
  liveFolders,
  operationFolder,
  operationsFolder,
  postImageFolder,
  rootFolder,
  spoolFolder,
} from '../base/home.ts';
import { lstatIfExists } from '../base/lstatIfExists.ts';
import { isSpareInUse } from '../base/spareFiles.ts';
import { temporaryPrefix } from '../base/temporaryPrefix.ts';
import { hasJournal, operationFolders } from '../checkpoint/journal.ts';
import { checkpointsFolder, memcodeFolder, rewoundName } from '../checkpoint/places.ts';
import { wrongPostImages } from '../checkpoint/postImages.ts';
import { trashIn } from '../checkpoint/prune.ts';
import { sessionFolders } from '../checkpoint/readSession.ts';
import { isPending, temporariesOf } from '../checkpoint/runOperation.ts';
import type { Root } from '../core/ids.ts';
import { operationsOf } from '../session/timelineStore.ts';
import { type Fault, fault, leftover } from './fault.ts';
import type { IngestContext } from './ingest.ts';
import { journalsOf } from './operations.ts';

/** A younger one may be in use. */
const staleAfter = 3_600_000;

export function leftovers(context: IngestContext, root: Root): readonly Fault[] {
  const { home, now } = context;
  const sessions = sessionFolders(root).map((name) => path.join(checkpointsFolder(root), name));
  const aside = sessions.map((session) => path.join(session, rewoundName)).filter(isFolder);
  // Not through a link that a repository put there.
  const spares = [memcodeFolder(root)].filter(isFolder);
  const stores = [home, path.join(home, 'bin'), ...spares].flatMap(temporariesIn);
  const below = [spoolFolder(home), liveFolders(home), rootFolder(home, root), ...sessions];
  const stale = [...stores, ...below.flatMap(temporariesBelow)].filter((file) =>
    isStale(file, now()),
  );
  const beside = journalsOf(context, root)
    .filter((journal) => !isPending(journal))
    .flatMap((journal) => temporariesOf(root, journal));
  return [
    ...[...stale, ...beside].map(temporary),
    ...[...sessions, ...aside, operationsFolder(home, root)].flatMap(trashIn).map(trash),
    ...neverBegun(context, root),
    ...wrongPostImages(postImageFolder(home, root)).map(wrongImage),
  ];
}

function temporary(file: string): Fault {
  return leftover(
    file,
    'A temporary that a crash left behind.',
    'A temporary that a crash had left behind was removed.',
    () => fs.rmSync(file, { force: true }),
  );
}

function trash(folder: string): Fault {
  return leftover(
    folder,
    'Saved states that were to be removed to keep within the limits, and are not all gone.',
    'The rest of saved states that were to go was removed.',
    () => fs.rmSync(folder, { recursive: true, force: true }),
  );
}

/** The journal is written before the first change: without one the files are as they were. */
function neverBegun({ home, database }: IngestContext, root: Root): readonly Fault[] {
  const known = new Set(operationsOf(database, root).map(({ id }) => id));
  return operationFolders(home, root)
    .filter((id) => !hasJournal(home, root, id) && !known.has(id))
    .map((id) => {
      const folder = operationFolder(home, root, id);
      return leftover(
        folder,
        'What an operation saved that was cut short before it changed anything.',
        'What an operation had saved that never began was removed.',
        () => fs.rmSync(folder, { recursive: true, force: true }),
      );
    });
}

function wrongImage(file: string): Fault {
  return fault(
    file,
    'What an agent left is stored here with bytes that are not the ones it left.',
    'Bytes that were not the ones an agent had left were removed.',
    () => fs.rmSync(file, { force: true }),
  );
}

function temporariesIn(folder: string): readonly string[] {
  return listIfExists(folder)
    .filter(({ name }) => name.startsWith(temporaryPrefix) && !isSpareInUse(name))
    .filter((entry) => !entry.isDirectory())
    .map((entry) => path.join(folder, entry.name));
}

/** Not where pre-images lie: there the names are the user's. */
function temporariesBelow(folder: string): readonly string[] {
  const folders = listIfExists(folder).filter(
    (entry) => entry.isDirectory() && entry.name !== 'files' && entry.name !== 'more',
  );
  return [
    ...temporariesIn(folder),
    ...folders.flatMap((entry) => temporariesBelow(path.join(folder, entry.name))),
  ];
}

function isStale(file: string, now: number): boolean {
  const stat = lstatIfExists(file);
  return stat !== undefined && now - stat.mtimeMs > staleAfter;
}

function isFolder(folder: string): boolean {
  return lstatIfExists(folder)?.isDirectory() === true;
}
