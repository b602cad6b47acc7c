/**
 * What is derived from the notes' files, so that finding one among thousands does not read them all: `<memory>/index.db`.
 * Never the truth. Rows follow the files by their stat data; a database that is lost, damaged or of another version is
 * made anew.
 */
import type fs from 'node:fs';
import path from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { listIfExists } from '../base/atomicFile.ts';
import { lstatIfExists } from '../base/lstatIfExists.ts';
import { temporaryPrefix } from '../base/temporaryPrefix.ts';
import { messageOf, systemCode } from '../core/errors.ts';
import type { MemoryOrigin, MemoryProblem, MemoryScope } from '../core/memory.ts';
import { indexPageName } from '../core/noteName.ts';
import { oddity, readMemoryFile } from './memoryFile.ts';
import { type MemoryPlaces, memoryPath, notesFolder } from './memoryPlaces.ts';
import { inOneGo, openNoteDatabase } from './noteDatabase.ts';
import { type MarkedNote, readNote } from './noteFile.ts';
import { type RowWriter, rowWriter, stampOf } from './noteRows.ts';
import { type NamesToLookAt, watchNames } from './watchNames.ts';

export interface IndexedNote extends MarkedNote {
  readonly key: number;
  /** Absolute. */
  readonly file: string;
  readonly stem: string;
}

export interface NoteIndex {
  /** Brings the rows of these places' folders up to the files. */
  refresh(places: MemoryPlaces, how?: { readonly everything: boolean }): void;
  /** Problems of the folders as they were met last. */
  problems(places: MemoryPlaces): readonly MemoryProblem[];
  readonly database: DatabaseSync;
  close(): void;
}

/** @throws UserError `unsupported`, `database` */
export function openNoteIndex(memory: string): NoteIndex {
  const database = openNoteDatabase(memory);
  const watches = new Map<string, NamesToLookAt>();
  const odd = new Map<string, ReadonlyMap<string, string>>();
  const refreshFolder = (folder: string, everything: boolean) => {
    const known = watches.get(folder);
    const names = everything ? undefined : known?.take();
    if (names?.size === 0) return;
    // Watched before it is looked through, so that nothing falls between.
    if (known === undefined || !known.isAlive) {
      const watch = watchNames(folder);
      if (watch) watches.set(folder, watch);
      else watches.delete(folder);
    }
    odd.set(folder, follow(database, memory, folder, names, odd.get(folder) ?? new Map()));
  };
  return {
    database,
    refresh(places, { everything } = { everything: false }) {
      for (const folder of foldersOf(places)) refreshFolder(folder, everything);
    },
    problems: (places) =>
      foldersOf(places).flatMap((folder) => [
        ...[...(odd.get(folder) ?? [])].map(([name, text]) => ({
          path: memoryPath({ folder: memory }, path.join(folder, name)),
          text: `It ${text}`,
        })),
        ...unreadHeads(database, memory, folder),
      ]),
    close() {
      for (const watch of watches.values()) watch.close();
      database.close();
    },
  };
}

export function foldersOf(places: MemoryPlaces): readonly string[] {
  return (['global', 'project'] as const).flatMap((scope) => notesFolder(places, scope) ?? []);
}

/** How rows name a folder. */
export function folderKey(places: MemoryPlaces, scope: MemoryScope): string | undefined {
  const folder = notesFolder(places, scope);
  return folder && memoryPath(places, folder);
}

/** Reads what changed; with `names` only these are looked at. @returns what is no note, by name */
function follow(
  database: DatabaseSync,
  memory: string,
  folder: string,
  names: ReadonlySet<string> | undefined,
  oddBefore: ReadonlyMap<string, string>,
): ReadonlyMap<string, string> {
  const key = memoryPath({ folder: memory }, folder);
  const present = names ?? new Set(namesIn(folder));
  const odd = new Map(names === undefined ? [] : oddBefore);
  const known = new Map(
    database
      .prepare('SELECT file, stamp FROM notes WHERE folder = ?')
      .all(key)
      .map((row) => [String(row['file']), String(row['stamp'])]),
  );
  const gone = names === undefined ? [...known.keys()].filter((name) => !present.has(name)) : [];
  const changed: ((rows: RowWriter) => void)[] = [];
  for (const name of present) {
    if (!isNoteName(name)) continue;
    odd.delete(name);
    const stat = lstatIfExists(path.join(folder, name));
    const problem = stat && oddity(stat);
    if (problem !== undefined) odd.set(name, problem);
    if (stat === undefined || problem !== undefined) {
      if (known.has(name)) gone.push(name);
    } else if (known.get(name) !== stampOf(stat))
      changed.push((rows) => {
        const unread = enter(rows, path.join(folder, name), stat);
        if (unread !== undefined) odd.set(name, unread);
      });
  }
  if (gone.length + changed.length === 0) return odd;
  const rows = rowWriter(database, key);
  inOneGo(database, () => {
    // Another process may have brought it since the folder was listed.
    for (const name of gone)
      if (
        odd.has(name) ||
        !isFolder(folder) ||
        lstatIfExists(path.join(folder, name)) === undefined
      )
        rows.drop(name);
    for (const one of changed) one(rows);
  });
  return odd;
}

/** None where something else stands in its place, or it may not be looked into. */
function namesIn(folder: string): readonly string[] {
  try {
    return isFolder(folder) ? listIfExists(folder).map(({ name }) => name) : [];
  } catch (error) {
    if (systemCode(error) === undefined) throw error;
    return [];
  }
}

function isFolder(folder: string): boolean {
  return lstatIfExists(folder)?.isDirectory() === true;
}

/** Absolute, of what are notes by their names. */
export function noteFilesIn(folder: string): readonly string[] {
  return namesIn(folder)
    .filter(isNoteName)
    .map((name) => path.join(folder, name));
}

/** Files that are notes by their name. */
export function isNoteName(name: string): boolean {
  return (
    name.endsWith('.md') &&
    !name.startsWith('.') &&
    !name.startsWith(temporaryPrefix) &&
    name.toLowerCase() !== indexPageName.toLowerCase()
  );
}

/** @returns why it cannot be read, if so */
function enter(rows: RowWriter, file: string, stat: fs.Stats): string | undefined {
  const name = path.basename(file);
  rows.drop(name);
  let bytes: Uint8Array | undefined;
  try {
    bytes = readMemoryFile(file);
  } catch (error) {
    return `cannot be read: ${messageOf(error)}`;
  }
  const stem = name.slice(0, -'.md'.length);
  if (bytes !== undefined) rows.add(name, stem, readNote(bytes, stem), stat);
  return undefined;
}

function unreadHeads(
  database: DatabaseSync,
  memory: string,
  folder: string,
): readonly MemoryProblem[] {
  const key = memoryPath({ folder: memory }, folder);
  return database
    .prepare('SELECT file, problem FROM notes WHERE folder = ? AND problem IS NOT NULL')
    .all(key)
    .map((row) => ({
      path: `${key}/${String(row['file'])}`,
      text: `Its head cannot be understood (${String(row['problem'])}); it is called by its file's name.`,
    }));
}

/** A row of `notes` as data. @param shadowing folded names of the project's notes */
export function indexedNote(
  places: MemoryPlaces,
  row: Readonly<Record<string, unknown>>,
  shadowing: ReadonlySet<string>,
): IndexedNote {
  const folder = String(row['folder']);
  const name = String(row['file']);
  const scope: MemoryScope = folder === folderKey(places, 'global') ? 'global' : 'project';
  const origin: MemoryOrigin | null =
    row['origin'] === null ? null : JSON.parse(String(row['origin']));
  return {
    key: Number(row['key']),
    file: path.join(places.folder, folder, name),
    stem: name.slice(0, -'.md'.length),
    name: String(row['name']),
    scope,
    path: `${folder}/${name}`,
    hook: String(row['hook']),
    mode: row['mode'] === null ? null : String(row['mode']),
    pinned: row['pinned'] === 1,
    createdAt: Number(row['created_at']),
    updatedAt: Number(row['updated_at']),
    origin,
    size: Number(row['size']),
    bodyMark: String(row['body_mark']),
    isShadowed: scope === 'global' && shadowing.has(String(row['folded'])),
  };
}
