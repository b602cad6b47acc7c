/** Notes read from their files alone, where there is no database: the newest, since each has to be read. Reads only. */
import path from 'node:path';
import { lstatIfExists } from '../base/lstatIfExists.ts';
import { isUserError, systemCode } from '../core/errors.ts';
import type { MemoryScope } from '../core/memory.ts';
import { foldNoteName } from '../core/noteName.ts';
import { oddity, readMemoryFile } from './memoryFile.ts';
import { type MemoryPlaces, memoryPath, notesFolder } from './memoryPlaces.ts';
import { bodyMark, type MarkedNote, readNote } from './noteFile.ts';
import { noteFilesIn } from './noteIndex.ts';

/** Files of each scope, by when they were written. */
const most = 300;

/** Of this mode and of all modes. @throws system errors */
export function notesFromFiles(places: MemoryPlaces, mode: string): readonly MarkedNote[] {
  const ofProject = notesOf(places, 'project', mode, new Set());
  const names = new Set(ofProject.map(({ name }) => foldNoteName(name)));
  return [...ofProject, ...notesOf(places, 'global', mode, names)];
}

function notesOf(
  places: MemoryPlaces,
  scope: MemoryScope,
  mode: string,
  shadowing: ReadonlySet<string>,
): readonly MarkedNote[] {
  const folder = notesFolder(places, scope);
  if (folder === undefined) return [];
  return noteFilesIn(folder)
    .map((file) => ({ file, stat: lstatIfExists(file) }))
    .filter(({ stat }) => stat !== undefined && oddity(stat) === undefined)
    .sort((a, b) => (b.stat?.mtimeMs ?? 0) - (a.stat?.mtimeMs ?? 0))
    .slice(0, most)
    .flatMap(({ file }) => {
      const note = noteFromFile(places, file, shadowing);
      return note === undefined || (note.mode !== null && note.mode !== mode) ? [] : note;
    });
}

/** Undefined when it is not there or cannot be read. @param shadowing folded names of notes that are meant instead */
export function noteFromFile(
  places: MemoryPlaces,
  file: string,
  shadowing: ReadonlySet<string> = new Set(),
): MarkedNote | undefined {
  const stat = lstatIfExists(file);
  const bytes = readIfReadable(file);
  if (bytes === undefined || stat === undefined) return undefined;
  const { name, hook, mode, pinned, origin, body, ...times } = readNote(
    bytes,
    path.basename(file, '.md'),
  );
  return {
    name,
    scope: path.dirname(file) === notesFolder(places, 'global') ? 'global' : 'project',
    path: memoryPath(places, file),
    hook,
    mode,
    pinned,
    createdAt: times.createdAt ?? Math.round(stat.birthtimeMs || stat.mtimeMs),
    updatedAt: times.updatedAt ?? Math.round(stat.mtimeMs),
    origin,
    size: [...body].length,
    bodyMark: bodyMark(body),
    isShadowed: shadowing.has(foldNoteName(name)),
  };
}

/** The others are given where one cannot be read; `doctor` names it. */
function readIfReadable(file: string): Buffer | undefined {
  try {
    return readMemoryFile(file);
  } catch (error) {
    if (!isUserError(error) && systemCode(error) === undefined) throw error;
    return undefined;
  }
}
