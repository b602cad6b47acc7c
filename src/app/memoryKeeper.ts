/** What every use of memory shares: where it lies, its index, its lock, and the one way in which a file of it changes. */
import path from 'node:path';
import { writeFileAtomic } from '../base/atomicFile.ts';
import { withLockHeld } from '../base/fileLock.ts';
import { memoryFolder } from '../base/home.ts';
import { isUserError, messageOf, UserError } from '../core/errors.ts';
import type { OperationId, Root } from '../core/ids.ts';
import type { MemoryOrigin } from '../core/memory.ts';
import { indexPageName } from '../core/noteName.ts';
import { indexPage } from '../memory/indexPage.ts';
import { putMemoryFile, readMemoryFile } from '../memory/memoryFile.ts';
import { type MemoryPlaces, memoryLock, memoryPath, notesFolder } from '../memory/memoryPlaces.ts';
import { type NoteIndex, openNoteIndex } from '../memory/noteIndex.ts';
import { listNotes } from '../memory/notes.ts';
import { notePlace, projectIdentity } from '../memory/projectIdentity.ts';
import { inTransaction } from '../session/database.ts';
import { addMemoryTouch, dropMemoryTouch } from '../session/memoryTouches.ts';
import type { OperationContext } from './operations.ts';

/** Milliseconds; hundreds of saves by several processes pass in it. */
const patience = 60_000;
/** Milliseconds that who has just written leaves to others: they look for the lock every now and then only. */
const courtesy = 30;

/** Bytes; it has a line for each note. */
const largestPage = 32 * 1024 * 1024;

export interface MemoryKeeper {
  readonly context: OperationContext;
  /** `<home>/memory` */
  readonly folder: string;
  places(root: Root | null): MemoryPlaces;
  /**
   * Up to date with the files of these places.
   * @param everything looks at each file, whatever the system told @throws UserError `database`, `unsupported`
   */
  index(places: MemoryPlaces, everything?: boolean): NoteIndex;
  /** One at a time, across processes. @throws UserError `locked` */
  alone<T>(work: () => T | Promise<T>): Promise<T>;
  close(): void;
}

export function memoryKeeper(context: OperationContext): MemoryKeeper {
  const folder = memoryFolder(context.home);
  let opened: NoteIndex | undefined;
  let releasedAt = Number.NEGATIVE_INFINITY;
  return {
    context,
    folder,
    places: (root) => ({ folder, project: root === null ? null : projectIdentity(root).id }),
    index(places, everything = false) {
      try {
        opened ??= openNoteIndex(folder);
        opened.refresh(places, { everything });
        return opened;
      } catch (error) {
        // Opened anew the next time, and made anew if it is damaged.
        opened?.close();
        opened = undefined;
        if (isUserError(error)) throw error;
        throw new UserError(
          'database',
          `The index of notes cannot be brought up to date: ${messageOf(error)}.`,
          { folder },
          error,
        );
      }
    },
    async alone(work) {
      const left = releasedAt + courtesy - performance.now();
      if (left > 0) await new Promise((resolve) => setTimeout(resolve, left));
      const done = await withLockHeld(memoryLock(folder), { wait: patience }, work);
      releasedAt = performance.now();
      if (done) return done.value;
      throw new UserError('locked', 'Another process is writing to memory. Try again.');
    },
    close() {
      opened?.close();
      opened = undefined;
    },
  };
}

export interface FileChange {
  /** Absolute. */
  readonly file: string;
  readonly after: Uint8Array | null;
  readonly origin: MemoryOrigin;
  readonly operation?: OperationId;
}

/**
 * Changes one file and writes down how. The row comes first: when the file does not follow, what is there is what the row
 * calls before, and taking it back changes nothing. A row goes only where nothing changed for certain: a write may fail
 * after its file is there, while that is flushed. Hold the lock. @returns false when it is so already
 */
export function changeFile({ context, folder }: MemoryKeeper, change: FileChange): boolean {
  const { file, after, origin, operation } = change;
  const { database, now } = context;
  const before = readMemoryFile(file) ?? null;
  if (before === after || (before && after && before.equals(after))) return false;
  const touch = inTransaction(database, () =>
    addMemoryTouch(database, {
      at: now(),
      origin,
      operation,
      path: memoryPath({ folder }, file),
      before,
      after,
    }),
  );
  context.probe('memory');
  try {
    putMemoryFile(folder, file, after);
  } catch (error) {
    if (isStill(file, before)) dropMemoryTouch(database, touch);
    throw error;
  }
  return true;
}

function isStill(file: string, before: Buffer | null): boolean {
  try {
    const now = readMemoryFile(file);
    return now === undefined ? before === null : before?.equals(now) === true;
  } catch {
    // The disk fails here too, and why is about to be thrown.
    return false;
  }
}

/** After notes of these places changed: what is derived follows. Losing it is no reason to fail. Hold the lock. */
export function followNotes(keeper: MemoryKeeper, places: MemoryPlaces, root: Root | null): void {
  if (root !== null) notePlace(keeper.folder, projectIdentity(root));
  const index = indexIfThere(keeper, places);
  if (index === undefined) return;
  for (const scope of ['global', 'project'] as const) {
    const notes = notesFolder(places, scope);
    if (notes === undefined) continue;
    const lines = listNotes(index, places, { scope }).map((note) => ({
      ...note,
      fileName: path.basename(note.file),
    }));
    const file = path.join(notes, indexPageName);
    try {
      const before = readMemoryFile(file, largestPage)?.toString();
      if (before === undefined && lines.length === 0) continue;
      const page = indexPage(before, lines);
      if (page !== undefined) writeFileAtomic(file, page, { durable: false });
    } catch (error) {
      keeper.context.log('warn', `${file} was not brought up to date: ${messageOf(error)}`);
    }
  }
}

function indexIfThere(keeper: MemoryKeeper, places: MemoryPlaces): NoteIndex | undefined {
  try {
    return keeper.index(places, true);
  } catch (error) {
    if (!isUserError(error)) throw error;
    keeper.context.log('warn', error.message);
    return undefined;
  }
}

/** The same for files that an operation changed, by their paths in the memory folder. */
export async function followFiles(
  context: OperationContext,
  paths: readonly string[],
): Promise<void> {
  const projects = new Set(paths.map((at) => /^projects\/([^/]+)\//.exec(at)?.[1] ?? null));
  const keeper = memoryKeeper(context);
  try {
    await keeper.alone(() => {
      for (const project of projects) followNotes(keeper, { folder: keeper.folder, project }, null);
    });
  } finally {
    keeper.close();
  }
}
