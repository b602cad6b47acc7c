/** The rows of notes in the index: written file by file. */
import type fs from 'node:fs';
import type { DatabaseSync } from 'node:sqlite';
import { foldNoteName } from '../core/noteName.ts';
import { allWordsOf, wordsOf } from '../core/searchText.ts';
import { bodyMark, type NoteData } from './noteFile.ts';

export interface RowWriter {
  add(file: string, stem: string, note: NoteData, stat: fs.Stats): void;
  drop(file: string): void;
}

/** Of one folder. Statements are made once: making one takes longer than running it. */
export function rowWriter(database: DatabaseSync, folder: string): RowWriter {
  const insert = database.prepare(
    `INSERT INTO notes (folder, file, stem, name, folded, hook, mode, pinned, created_at, updated_at, origin, size, body_mark, problem, stamp)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  );
  const insertWords = database.prepare(
    'INSERT INTO note_words (rowid, name, body) VALUES (?, ?, ?)',
  );
  const remove = database.prepare('DELETE FROM notes WHERE folder = ? AND file = ? RETURNING key');
  const removeWords = database.prepare('DELETE FROM note_words WHERE rowid = ?');
  return {
    add(file, stem, note, stat) {
      const { lastInsertRowid } = insert.run(
        folder,
        file,
        foldNoteName(stem),
        note.name,
        foldNoteName(note.name),
        note.hook,
        note.mode,
        note.pinned ? 1 : 0,
        note.createdAt ?? Math.round(stat.birthtimeMs || stat.mtimeMs),
        note.updatedAt ?? Math.round(stat.mtimeMs),
        note.origin && JSON.stringify(note.origin),
        [...note.body].length,
        bodyMark(note.body),
        note.problem ?? null,
        stampOf(stat),
      );
      insertWords.run(lastInsertRowid, wordsOf(note.name, stem), allWordsOf(note.body));
    },
    drop(file) {
      const row = remove.get(folder, file);
      if (row) removeWords.run(Number(row['key']));
    },
  };
}

/** By which a file is known not to have changed. */
export function stampOf({ size, mtimeMs, ctimeMs, ino }: fs.Stats): string {
  return `${size} ${mtimeMs} ${ctimeMs} ${ino}`;
}
