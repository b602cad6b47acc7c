/**
 * Opens `timeline.db`: `node:sqlite`, WAL, one schema with numbered migrations. The schema already has the shape the
 * message DAG needs (a turn knows its parent turn and will own nodes), so that later tables only add to it.
 */
import fs from 'node:fs';
import path from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { makeFolder } from '../base/atomicFile.ts';
import { rollBack } from '../base/rollBack.ts';
import { messageOf, UserError } from '../core/errors.ts';

export type Database = DatabaseSync;

const busyTimeout = 3_000;

/** One entry a version; never edited once released, only added to. */
const migrations: readonly string[] = [
  `
  CREATE TABLE sessions (
    id TEXT PRIMARY KEY,
    agent TEXT NOT NULL,
    root TEXT NOT NULL,
    title TEXT,
    transcript TEXT,
    started_at INTEGER NOT NULL,
    updated_at INTEGER NOT NULL,
    ended_at INTEGER
  ) STRICT;
  CREATE INDEX sessions_by_root ON sessions (root, updated_at);

  CREATE TABLE turns (
    id TEXT PRIMARY KEY,
    session TEXT NOT NULL REFERENCES sessions (id),
    -- The turn before it on its branch; several turns with one parent are retries.
    parent TEXT REFERENCES turns (id),
    seq INTEGER NOT NULL,
    number INTEGER NOT NULL,
    root TEXT NOT NULL,
    agent TEXT NOT NULL,
    model TEXT,
    prompt_id TEXT,
    prompt TEXT NOT NULL,
    reply TEXT,
    started_at INTEGER NOT NULL,
    last_at INTEGER NOT NULL,
    ended_at INTEGER,
    ending TEXT NOT NULL DEFAULT 'running',
    uncaptured_shell INTEGER NOT NULL DEFAULT 0,
    head_commit TEXT,
    head_branch TEXT,
    -- The operation that took it back, while that is in force.
    rewound_by TEXT,
    UNIQUE (session, seq)
  ) STRICT;
  CREATE INDEX turns_running ON turns (last_at) WHERE ending = 'running';

  CREATE TABLE tool_calls (
    turn TEXT NOT NULL REFERENCES turns (id),
    position INTEGER NOT NULL,
    name TEXT NOT NULL,
    call_id TEXT,
    summary TEXT,
    paths TEXT NOT NULL,
    at INTEGER NOT NULL,
    done INTEGER NOT NULL DEFAULT 0,
    PRIMARY KEY (turn, position)
  ) STRICT, WITHOUT ROWID;

  CREATE TABLE unprotected (
    turn TEXT NOT NULL REFERENCES turns (id),
    path TEXT NOT NULL,
    reason TEXT NOT NULL,
    PRIMARY KEY (turn, path)
  ) STRICT, WITHOUT ROWID;

  CREATE TABLE touches (
    turn TEXT NOT NULL REFERENCES turns (id),
    path TEXT NOT NULL,
    change TEXT NOT NULL,
    cause TEXT NOT NULL,
    added INTEGER,
    removed INTEGER,
    PRIMARY KEY (turn, path)
  ) STRICT, WITHOUT ROWID;

  CREATE TABLE operations (
    id TEXT PRIMARY KEY,
    root TEXT NOT NULL,
    session TEXT NOT NULL,
    kind TEXT NOT NULL,
    at INTEGER NOT NULL,
    label TEXT NOT NULL,
    paths TEXT NOT NULL,
    undoes TEXT,
    undone_by TEXT
  ) STRICT;
  CREATE INDEX operations_by_root ON operations (root, at);

  -- Spool entries already taken in: two processes may read the same file.
  CREATE TABLE taken_in (id TEXT PRIMARY KEY, at INTEGER NOT NULL) STRICT, WITHOUT ROWID;
  `,
  `
  -- When retention removed the saved states; null while they are there.
  ALTER TABLE turns ADD COLUMN pruned_at INTEGER;
  ALTER TABLE operations ADD COLUMN pruned INTEGER NOT NULL DEFAULT 0;
  `,
  `
  -- Why the effects of a shell command are not captured; 'pending' until that is known, null when they are.
  ALTER TABLE tool_calls ADD COLUMN uncaptured TEXT;
  -- Whether it is the agent's work is not certain.
  ALTER TABLE touches ADD COLUMN uncertain INTEGER NOT NULL DEFAULT 0;
  `,
  `
  -- Of a rewind or revert that kept conflicts: {"seq": the turn's, "kept": [paths]}.
  ALTER TABLE operations ADD COLUMN partly TEXT;
  `,
  `
  -- How much of a turn is in the DAG: 0 nothing, 1 prompt and a placeholder for the reply, 2 all there is to know.
  ALTER TABLE turns ADD COLUMN recorded INTEGER NOT NULL DEFAULT 0;
  -- When it was read from a transcript alone: no hook saw it, nothing of it was saved.
  ALTER TABLE turns ADD COLUMN imported_at INTEGER;
  CREATE INDEX turns_to_record ON turns (session, seq) WHERE recorded < 2;

  CREATE TABLE nodes (
    key INTEGER PRIMARY KEY,
    id TEXT NOT NULL UNIQUE,
    session TEXT NOT NULL REFERENCES sessions (id),
    turn TEXT NOT NULL REFERENCES turns (id),
    -- The order of the session's nodes; times are never compared.
    seq INTEGER NOT NULL,
    role TEXT NOT NULL CHECK (role IN ('user', 'assistant', 'tool')),
    -- Which message comes before it in the conversation; null for the first, and for what a tool answered.
    predecessor TEXT,
    -- Which message invoked it.
    caller TEXT,
    content TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    model TEXT,
    input_tokens INTEGER,
    output_tokens INTEGER,
    duration INTEGER,
    name TEXT,
    call_id TEXT,
    input TEXT,
    failed INTEGER NOT NULL DEFAULT 0,
    -- What was said before a tool was called.
    said TEXT,
    UNIQUE (session, seq)
  ) STRICT;
  CREATE INDEX nodes_by_turn ON nodes (turn, seq);
  CREATE VIRTUAL TABLE node_words USING fts5 (
    words, content = '', contentless_delete = 1, tokenize = 'unicode61 remove_diacritics 2', prefix = '3'
  );

  -- Records of a transcript that nobody here understands, as they were.
  CREATE TABLE kept_records (
    turn TEXT NOT NULL REFERENCES turns (id),
    position INTEGER NOT NULL,
    kind TEXT NOT NULL,
    record TEXT NOT NULL,
    PRIMARY KEY (turn, position)
  ) STRICT, WITHOUT ROWID;

  -- How far a transcript has been read: up to the first record of the turn that may still grow.
  CREATE TABLE transcripts (
    file TEXT PRIMARY KEY,
    session TEXT NOT NULL,
    position INTEGER NOT NULL,
    size INTEGER NOT NULL,
    identity TEXT NOT NULL
  ) STRICT, WITHOUT ROWID;
  CREATE TABLE transcript_turns (
    session TEXT NOT NULL,
    -- The agent's own name for the turn.
    key TEXT NOT NULL,
    turn TEXT NOT NULL,
    position INTEGER NOT NULL,
    PRIMARY KEY (session, key)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX transcript_turns_by_turn ON transcript_turns (turn);

  -- Where a person looks: no row while that is the end of the newest branch.
  CREATE TABLE cursors (session TEXT PRIMARY KEY, turn TEXT, branch TEXT NOT NULL) STRICT, WITHOUT ROWID;

  -- Turns that the session's mirror does not have yet, or has otherwise.
  CREATE TABLE outbox (turn TEXT PRIMARY KEY, session TEXT NOT NULL, at INTEGER NOT NULL) STRICT, WITHOUT ROWID;
  CREATE INDEX outbox_by_session ON outbox (session);
  CREATE TABLE mirror_commits (
    turn TEXT PRIMARY KEY,
    session TEXT NOT NULL,
    id TEXT NOT NULL
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX mirror_commits_by_session ON mirror_commits (session);
  CREATE TABLE mirrors (
    session TEXT PRIMARY KEY,
    attempts INTEGER NOT NULL DEFAULT 0,
    retry_at INTEGER NOT NULL DEFAULT 0,
    failure TEXT,
    -- What we wrote into HEAD last: another text there is a person's doing.
    head TEXT,
    remote TEXT,
    -- Refs and their commits as they were pushed.
    pushed TEXT,
    push_attempts INTEGER NOT NULL DEFAULT 0,
    push_retry_at INTEGER NOT NULL DEFAULT 0,
    push_failure TEXT
  ) STRICT, WITHOUT ROWID;
  `,
  `
  -- How far an import has taken in every turn: reading at the end of a turn begins near the end of a large file.
  ALTER TABLE transcripts ADD COLUMN imported INTEGER NOT NULL DEFAULT 0;
  ALTER TABLE transcripts ADD COLUMN imported_size INTEGER NOT NULL DEFAULT 0;
  CREATE INDEX touches_by_path ON touches (path, turn);
  `,
  `
  CREATE TABLE projects (
    id TEXT PRIMARY KEY,
    name TEXT NOT NULL,
    description TEXT NOT NULL,
    workdir TEXT NOT NULL UNIQUE,
    status TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    joins_by_folder INTEGER NOT NULL,
    auto_commit TEXT NOT NULL,
    -- Turns that began before are never committed: when committing was switched on, or the project taken up again.
    commit_since INTEGER NOT NULL,
    -- Reasons for not committing that nobody wants to hear of any more: a JSON list.
    muted TEXT NOT NULL DEFAULT '[]'
  ) STRICT;
  -- A row without a project: a person took the session out, and it does not join by its folder.
  CREATE TABLE project_sessions (
    session TEXT PRIMARY KEY,
    project TEXT,
    joined_at INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX project_sessions_by_project ON project_sessions (project, joined_at);

  -- What became of a turn's changes in the user's repository.
  CREATE TABLE turn_commits (
    turn TEXT PRIMARY KEY,
    session TEXT NOT NULL,
    project TEXT NOT NULL,
    state TEXT NOT NULL CHECK (state IN ('committed', 'skipped', 'waiting')),
    commit_id TEXT,
    branch TEXT,
    reason TEXT,
    detail TEXT,
    paths TEXT NOT NULL,
    left_out TEXT NOT NULL,
    older_turns TEXT NOT NULL,
    at INTEGER NOT NULL,
    -- A person has been told.
    told INTEGER NOT NULL DEFAULT 0
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX turn_commits_by_session ON turn_commits (session);
  CREATE INDEX turn_commits_by_project ON turn_commits (project, at);

  -- What agents left uncommitted: from the state before base_turn to the state after turn.
  CREATE TABLE commit_leftovers (
    root TEXT NOT NULL,
    path TEXT NOT NULL,
    session TEXT NOT NULL,
    base_turn TEXT NOT NULL,
    turn TEXT NOT NULL,
    turns TEXT NOT NULL,
    PRIMARY KEY (root, path)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX commit_leftovers_by_session ON commit_leftovers (session);
  `,
  `
  -- What a transcript tells of a file before and after an imported turn: 'absent', the SHA-256 of its bytes, null for unknown.
  CREATE TABLE reconstructed (
    turn TEXT NOT NULL REFERENCES turns (id),
    path TEXT NOT NULL,
    before TEXT,
    after TEXT,
    PRIMARY KEY (turn, path)
  ) STRICT, WITHOUT ROWID;
  `,
  `
  -- Every change of a file of memory, in the order they were made. Its files lie outside every root.
  CREATE TABLE memory_touches (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    at INTEGER NOT NULL,
    -- Relative to the memory folder.
    path TEXT NOT NULL,
    -- SHA-256 of the bytes; null for no file.
    before TEXT,
    after TEXT,
    actor TEXT NOT NULL,
    agent TEXT,
    session TEXT,
    turn TEXT,
    -- The rewind or undo that made it.
    operation TEXT
  ) STRICT;
  CREATE INDEX memory_touches_by_path ON memory_touches (path, id);
  CREATE INDEX memory_touches_by_turn ON memory_touches (turn) WHERE turn IS NOT NULL;
  CREATE INDEX memory_touches_by_operation ON memory_touches (operation) WHERE operation IS NOT NULL;
  CREATE TABLE memory_contents (sha256 TEXT PRIMARY KEY, bytes BLOB NOT NULL) STRICT;
  -- What agents asked to write and no person has approved yet.
  CREATE TABLE memory_pending (
    id TEXT PRIMARY KEY,
    at INTEGER NOT NULL,
    -- Of the project's memory; null for global.
    project TEXT,
    origin TEXT NOT NULL,
    write TEXT NOT NULL,
    -- Which file it would change, and the hash of what was there; null for none.
    path TEXT NOT NULL,
    base TEXT
  ) STRICT, WITHOUT ROWID;
  `,
  `
  -- The commit that took this one back, when a person asked for it.
  ALTER TABLE turn_commits ADD COLUMN reverted_by TEXT;
  `,
  `
  -- Diffs, as JSON, that lead from the one text to the other where those are not told; whether the second was made of the first.
  ALTER TABLE reconstructed ADD COLUMN patches TEXT;
  ALTER TABLE reconstructed ADD COLUMN replayed INTEGER NOT NULL DEFAULT 0;
  `,
  `
  -- Every turn that an import takes in is looked for among those that hooks recorded.
  CREATE INDEX turns_of_hooks ON turns (session, started_at) WHERE imported_at IS NULL;
  CREATE INDEX turns_by_prompt_id ON turns (session, prompt_id) WHERE prompt_id IS NOT NULL;
  `,
];

/** @throws UserError `unsupported` (no `node:sqlite`), `database` (cannot be opened, or is of a newer version). */
export function openDatabase(file: string): Database {
  const sqlite = process.getBuiltinModule('node:sqlite');
  if (sqlite === undefined) {
    throw new UserError(
      'unsupported',
      `This runtime (Node ${process.versions.node}) has no node:sqlite; Node 22.13 or newer is needed.`,
    );
  }
  try {
    makeFolder(path.dirname(file));
    // Created by us, so that it and the files SQLite puts beside it are readable by their user only.
    fs.closeSync(fs.openSync(file, 'a', 0o600));
    const database = new sqlite.DatabaseSync(file);
    database.exec(
      `PRAGMA busy_timeout = ${busyTimeout}; PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; PRAGMA foreign_keys = ON;`,
    );
    migrate(database, file);
    return database;
  } catch (error) {
    if (error instanceof UserError) throw error;
    throw new UserError(
      'database',
      `The timeline database ${file} cannot be opened: ${messageOf(error)}.`,
      { file },
      error,
    );
  }
}

/**
 * Runs `work` in one write transaction.
 * @throws UserError `locked` when another process holds it for too long, `database` when the disk takes nothing more.
 */
export function inTransaction<T>(database: Database, work: () => T): T {
  try {
    database.exec('BEGIN IMMEDIATE');
  } catch (error) {
    throw new UserError(
      'locked',
      `The timeline database is busy: ${messageOf(error)}. Try again.`,
      {},
      error,
    );
  }
  try {
    const value = work();
    database.exec('COMMIT');
    return value;
  } catch (error) {
    rollBack(database);
    throw unwritable(error) ?? error;
  }
}

/** SQLite's: read-only, an error of the disk, a full disk. */
const refusals: ReadonlySet<number> = new Set([8, 10, 13]);

function unwritable(error: unknown): UserError | undefined {
  if (!(error instanceof Error && 'errcode' in error)) return undefined;
  // The lower byte; the others say more of it.
  if (!refusals.has(Number(error.errcode) & 0xff)) return undefined;
  return new UserError(
    'database',
    `The timeline database cannot be written: ${error.message}. Nothing was changed.`,
    {},
    error,
  );
}

function migrate(database: Database, file: string): void {
  const version = () =>
    Number(database.prepare('PRAGMA user_version').get()?.['user_version'] ?? 0);
  if (version() > migrations.length) {
    throw new UserError(
      'database',
      `The timeline database ${file} was written by a newer version of Memcode Timeline.`,
      { file },
    );
  }
  if (version() === migrations.length) return;
  inTransaction(database, () => {
    for (let at = version(); at < migrations.length; at++) database.exec(migrations[at] ?? '');
    database.exec(`PRAGMA user_version = ${migrations.length}`);
  });
}
