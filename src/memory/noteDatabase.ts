/** The database of what is derived from notes: opened, or made anew when it is lost, damaged or of another version. */
import fs from 'node:fs';
import type { DatabaseSync } from 'node:sqlite';
import { makeFolder } from '../base/atomicFile.ts';
import { rollBack } from '../base/rollBack.ts';
import { messageOf, UserError } from '../core/errors.ts';
import { indexFile } from './memoryPlaces.ts';

const version = 3;
const schema = `
  CREATE TABLE notes (
    key INTEGER PRIMARY KEY,
    -- Folder, relative to the memory folder.
    folder TEXT NOT NULL,
    file TEXT NOT NULL,
    stem TEXT NOT NULL,
    name TEXT NOT NULL,
    folded TEXT NOT NULL,
    hook TEXT NOT NULL,
    mode TEXT,
    pinned INTEGER NOT NULL,
    created_at INTEGER NOT NULL,
    updated_at INTEGER NOT NULL,
    origin TEXT,
    size INTEGER NOT NULL,
    body_mark TEXT NOT NULL,
    problem TEXT,
    stamp TEXT NOT NULL,
    UNIQUE (folder, file)
  ) STRICT;
  CREATE INDEX notes_by_name ON notes (folder, folded);
  CREATE INDEX notes_by_stem ON notes (folder, stem);
  CREATE VIRTUAL TABLE note_words USING fts5 (
    name, body, content = '', contentless_delete = 1, tokenize = 'unicode61 remove_diacritics 2', prefix = '3'
  );
  PRAGMA user_version = ${version};
`;

/** In one write transaction. @throws what went wrong, of the database or of the work */
export function inOneGo(database: DatabaseSync, work: () => void): void {
  database.exec('BEGIN IMMEDIATE');
  try {
    work();
    database.exec('COMMIT');
  } catch (error) {
    rollBack(database);
    throw error;
  }
}

/** @throws UserError `unsupported`, `database` */
export function openNoteDatabase(memory: string): DatabaseSync {
  const file = indexFile(memory);
  makeFolder(memory);
  try {
    return open(file);
  } catch (error) {
    if (error instanceof UserError || isBusy(error)) throw error;
    // Nothing in it is worth keeping: it is made of the files.
    for (const part of ['', '-wal', '-shm', '-journal'])
      fs.rmSync(file + part, { force: true, recursive: true });
  }
  try {
    return open(file);
  } catch (error) {
    throw new UserError(
      'database',
      `${file} cannot be made: ${messageOf(error)}.`,
      { file },
      error,
    );
  }
}

function open(file: string): DatabaseSync {
  const sqlite = process.getBuiltinModule('node:sqlite');
  if (sqlite === undefined)
    throw new UserError('unsupported', 'This runtime has no node:sqlite; memory needs it.');
  fs.closeSync(fs.openSync(file, 'a', 0o600));
  const database = new sqlite.DatabaseSync(file);
  try {
    database.exec(
      'PRAGMA busy_timeout = 5000; PRAGMA journal_mode = WAL; PRAGMA synchronous = OFF;',
    );
    prepare(database);
    return database;
  } catch (error) {
    database.close();
    throw error;
  }
}

function prepare(database: DatabaseSync): void {
  const present = () =>
    Number(database.prepare('PRAGMA user_version').get()?.['user_version'] ?? 0);
  if (present() === version) {
    for (const table of ['notes', 'note_words'])
      database.prepare(`SELECT rowid FROM ${table} LIMIT 1`).get();
    return;
  }
  inOneGo(database, () => {
    if (present() === version) return;
    database.exec('DROP TABLE IF EXISTS notes; DROP TABLE IF EXISTS note_words;');
    database.exec(schema);
  });
}

function isBusy(error: unknown): boolean {
  return error instanceof Error && /database is locked|busy/i.test(error.message);
}
