/** Memory as it was: versions of one file, everything at a moment, and bringing a version back. */
import path from 'node:path';
import { UserError } from '../core/errors.ts';
import type { Root, TurnId } from '../core/ids.ts';
import {
  type FactScope,
  factScopes,
  type MemoryScope,
  type MemoryTouch,
  memoryScopes,
  type Note,
} from '../core/memory.ts';
import { foldNoteName } from '../core/noteName.ts';
import { readSheet } from '../memory/factSheets.ts';
import { readMemoryFile } from '../memory/memoryFile.ts';
import { factsFile, type MemoryPlaces, memoryPath, notesFolder } from '../memory/memoryPlaces.ts';
import { readNote } from '../memory/noteFile.ts';
import { isNoteName } from '../memory/noteIndex.ts';
import { findNote, listNotes } from '../memory/notes.ts';
import {
  memoryContent,
  memoryStatesAt,
  memoryTouch,
  pathsWithHistory,
  touchesOfPath,
} from '../session/memoryTouches.ts';
import { turnById } from '../session/timelineStore.ts';
import { changeFile, followNotes, type MemoryKeeper } from './memoryKeeper.ts';
import { placeSince, touchesWithMoves } from './memoryMoves.ts';
import { factCap } from './memoryStore.ts';
import type { MemoryMoment, MemoryVersion } from './memoryUse.ts';

/** Newest first. A note that was forgotten is found by its file's name, or by the name it had. */
export function historyOf(
  keeper: MemoryKeeper,
  root: Root | null,
  name: string,
  scope: MemoryScope | undefined,
): readonly MemoryVersion[] {
  const { database } = keeper.context;
  const places = keeper.places(root);
  const paths = pathsOf(keeper, places, name, scope);
  const versions = paths.flatMap((at) => touchesWithMoves(database, at));
  return [...versions].sort((a, b) => b.id - a.id).map((touch) => versionOf(keeper, touch));
}

function pathsOf(
  keeper: MemoryKeeper,
  places: MemoryPlaces,
  name: string,
  scope: MemoryScope | undefined,
): readonly string[] {
  // A note may be called so too; who means one says its scope.
  const sheet = scope === undefined ? factScopes.find((each) => each === name) : undefined;
  const file = sheet && factsFile(places, sheet);
  if (file !== undefined) return [memoryPath(places, file)];
  const known = findNote(keeper.index(places), places, name, scope);
  if (known !== undefined) return [known.path];
  const wanted = foldNoteName(name);
  const folders = memoryScopes.flatMap((each) => {
    if (scope !== undefined && scope !== each) return [];
    const folder = notesFolder(places, each);
    return folder === undefined ? [] : [memoryPath(places, folder)];
  });
  return pathsWithHistory(keeper.context.database).filter(
    (at) =>
      folders.includes(path.posix.dirname(at)) &&
      namesOf(keeper, at).some((each) => foldNoteName(each) === wanted),
  );
}

/** What a path was called: by its file, and by the last text it had. */
function namesOf({ context }: MemoryKeeper, at: string): readonly string[] {
  const stem = path.posix.basename(at, '.md');
  const hash = touchesOfPath(context.database, at).at(-1)?.before;
  const bytes =
    hash === null || hash === undefined ? undefined : memoryContent(context.database, hash);
  return bytes === undefined ? [stem] : [stem, readNote(bytes, stem).name];
}

function versionOf({ context }: MemoryKeeper, touch: MemoryTouch): MemoryVersion {
  const text = (hash: string | null) =>
    hash === null ? null : bytesAsText(memoryContent(context.database, hash));
  return { touch, before: text(touch.before), after: text(touch.after) };
}

/** See `MemoryUse.restore`. */
export function restoreVersion(
  keeper: MemoryKeeper,
  id: number,
  side: 'before' | 'after',
): Promise<void> {
  const { database } = keeper.context;
  const touch = memoryTouch(database, id);
  if (touch === undefined)
    throw new UserError('notFound', `There is no change of memory ${id}.`, { touch: id });
  const hash = touch[side];
  const after = hash === null ? null : memoryContent(database, hash);
  if (after === undefined)
    throw new UserError('damaged', `The text of ${touch.path} at that time is not kept.`, {
      path: touch.path,
    });
  return keeper.alone(() => {
    // A note that was moved since gets its old text where it is now.
    const at = placeSince(database, touch);
    const project = /^projects\/([^/]+)\//.exec(at)?.[1] ?? null;
    const file = path.join(keeper.folder, ...at.split('/'));
    changeFile(keeper, { file, after, origin: { actor: 'person' } });
    followNotes(keeper, { folder: keeper.folder, project }, null);
  });
}

/** See `MemoryUse.asOf`. What no change is known of is as it is now. */
export function memoryAsOf(
  keeper: MemoryKeeper,
  root: Root | null,
  moment: TurnId | number,
): MemoryMoment {
  const places = keeper.places(root);
  const at = typeof moment === 'number' ? moment : endOf(keeper, moment);
  const states = memoryStatesAt(keeper.context.database, at);
  const gone = new Set<string>();
  const bytesOf = (file: string): Uint8Array | undefined => {
    const name = memoryPath(places, file);
    const hash = states.get(name);
    if (hash === undefined) return readMemoryFile(file);
    if (hash === null) return undefined;
    const bytes = memoryContent(keeper.context.database, hash);
    if (bytes === undefined) gone.add(name);
    return bytes;
  };
  const notes = notesThen(keeper, places, states, bytesOf);
  const sheets = sheetsThen(places, bytesOf);
  return { at, notes, sheets, gone: [...gone] };
}

function notesThen(
  keeper: MemoryKeeper,
  places: MemoryPlaces,
  states: ReadonlyMap<string, string | null>,
  bytesOf: (file: string) => Uint8Array | undefined,
): readonly Note[] {
  const present = listNotes(keeper.index(places), places);
  const known = new Map(present.map((note) => [note.path, note]));
  const notes = memoryScopes.flatMap((scope) => {
    const folder = notesFolder(places, scope);
    if (folder === undefined) return [];
    const prefix = `${memoryPath(places, folder)}/`;
    const paths = new Set(
      [...known.keys(), ...states.keys()].filter((at) => at.startsWith(prefix)),
    );
    return [...paths].sort().flatMap((at): readonly Note[] => {
      if (!isNoteName(path.posix.basename(at))) return [];
      const bytes = bytesOf(path.join(places.folder, ...at.split('/')));
      if (bytes === undefined) return [];
      const {
        problem: _problem,
        createdAt,
        updatedAt,
        ...note
      } = readNote(bytes, path.posix.basename(at, '.md'));
      const now = known.get(at);
      return [
        {
          ...note,
          scope,
          path: at,
          createdAt: createdAt ?? now?.createdAt ?? 0,
          updatedAt: updatedAt ?? now?.updatedAt ?? 0,
          size: [...note.body].length,
          isShadowed: false,
        },
      ];
    });
  });
  const shadowing = new Set(
    notes.flatMap(({ scope, name }) => (scope === 'project' ? [foldNoteName(name)] : [])),
  );
  return notes.map((note) => ({
    ...note,
    isShadowed: note.scope === 'global' && shadowing.has(foldNoteName(note.name)),
  }));
}

function sheetsThen(
  places: MemoryPlaces,
  bytesOf: (file: string) => Uint8Array | undefined,
): MemoryMoment['sheets'] {
  return factScopes.flatMap((scope: FactScope) => {
    return readSheet(places, scope, factCap(scope), bytesOf)?.sheet ?? [];
  });
}

function endOf({ context }: MemoryKeeper, id: TurnId): number {
  const turn = turnById(context.database, id);
  if (turn === undefined) throw new UserError('notFound', `There is no turn ${id}.`, { turn: id });
  return turn.endedAt ?? context.now();
}

function bytesAsText(bytes: Uint8Array | undefined): string | undefined {
  return bytes === undefined ? undefined : new TextDecoder().decode(bytes);
}
