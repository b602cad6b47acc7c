/**
 * Finds and lists notes. One rule of precedence: a project's note is meant before a global one of the same name, and
 * whoever wants the other says the scope. Reads only.
 */
import path from 'node:path';
import { UserError } from '../core/errors.ts';
import type { MemoryScope, Note, NoteSummary } from '../core/memory.ts';
import { foldNoteName } from '../core/noteName.ts';
import { readMemoryFile } from './memoryFile.ts';
import { type MemoryPlaces, memoryPath } from './memoryPlaces.ts';
import { readNote } from './noteFile.ts';
import { folderKey, type IndexedNote, indexedNote, type NoteIndex } from './noteIndex.ts';

export interface NoteFilter {
  readonly scope?: MemoryScope | undefined;
  /** Notes of this mode and of all modes; missing: every note. */
  readonly mode?: string | undefined;
}

/** Pinned first, then the ones changed last; a project's note before the global one it shadows. Refresh the index before. */
export function listNotes(
  index: NoteIndex,
  places: MemoryPlaces,
  { scope, mode }: NoteFilter = {},
): readonly IndexedNote[] {
  const shadowing = shadowingNames(index, places);
  const rows = scopesOf(scope).flatMap((each) => {
    const folder = folderKey(places, each);
    if (folder === undefined) return [];
    return index.database
      .prepare('SELECT * FROM notes WHERE folder = ? AND (mode IS NULL OR ? IS NULL OR mode = ?)')
      .all(folder, mode ?? null, mode ?? null);
  });
  return rows
    .map((row) => indexedNote(places, row, shadowing))
    .sort(
      (a, b) =>
        Number(b.pinned) - Number(a.pinned) ||
        b.updatedAt - a.updatedAt ||
        (a.name < b.name ? -1 : a.name > b.name ? 1 : 0) ||
        (a.scope === 'project' ? -1 : 1),
    );
}

/** The note of that name, or else of that file's name. Refresh the index before. */
export function findNote(
  index: NoteIndex,
  places: MemoryPlaces,
  name: string,
  scope?: MemoryScope,
): IndexedNote | undefined {
  return (
    noteNamed(index, places, name, scope) ??
    firstWhere(index, places, 'stem', foldNoteName(name.replace(/\.md$/i, '')), scope)
  );
}

/** The note of that name: what is written under another name than a file's is another note. Refresh the index before. */
export function noteNamed(
  index: NoteIndex,
  places: MemoryPlaces,
  name: string,
  scope?: MemoryScope,
): IndexedNote | undefined {
  return firstWhere(index, places, 'folded', foldNoteName(name), scope);
}

/** The note in a file. Refresh the index before. */
export function noteInFile(
  index: NoteIndex,
  places: MemoryPlaces,
  file: string,
): IndexedNote | undefined {
  const row = index.database
    .prepare('SELECT * FROM notes WHERE folder = ? AND file = ?')
    .get(memoryPath(places, path.dirname(file)), path.basename(file));
  return row && indexedNote(places, row, shadowingNames(index, places));
}

function firstWhere(
  index: NoteIndex,
  places: MemoryPlaces,
  column: 'folded' | 'stem',
  value: string,
  scope: MemoryScope | undefined,
): IndexedNote | undefined {
  for (const each of scopesOf(scope)) {
    const row = index.database
      .prepare(`SELECT * FROM notes WHERE folder = ? AND ${column} = ? ORDER BY file LIMIT 1`)
      .get(folderKey(places, each) ?? '', value);
    if (row) return indexedNote(places, row, shadowingNames(index, places));
  }
  return undefined;
}

/** With its body. @throws UserError `notFound` when it went meanwhile, `fileSystem` */
export function wholeNote(note: IndexedNote): Note {
  const whole = noteIfThere(note);
  if (whole === undefined) throw noSuchNote(note.name);
  return whole;
}

/** Undefined when its file went since the index was brought up to date. @throws UserError `fileSystem` */
export function noteIfThere(note: IndexedNote): Note | undefined {
  const bytes = readMemoryFile(note.file);
  if (bytes === undefined) return undefined;
  return { ...withoutPlaces(note), body: readNote(bytes, note.stem).body };
}

/** What others are told of it. */
export function withoutPlaces(note: IndexedNote): NoteSummary {
  const { key: _key, file: _file, stem: _stem, bodyMark: _mark, ...summary } = note;
  return summary;
}

export function noSuchNote(name: string): UserError {
  return new UserError('notFound', `There is no note ${name}.`, { name });
}

/** Folded names of the project's notes. */
export function shadowingNames(index: NoteIndex, places: MemoryPlaces): ReadonlySet<string> {
  const folder = folderKey(places, 'project');
  if (folder === undefined) return new Set();
  const rows = index.database.prepare('SELECT folded FROM notes WHERE folder = ?').all(folder);
  return new Set(rows.map((row) => String(row['folded'])));
}

function scopesOf(scope: MemoryScope | undefined): readonly MemoryScope[] {
  return scope === undefined ? ['project', 'global'] : [scope];
}
