/** Reads what a transcript holds beyond what was read before. Looks only. */
import fs from 'node:fs';
import type { Fields } from '../agents/fields.ts';
import type { TranscriptReader, TranscriptSource, TranscriptTurn } from '../agents/transcript.ts';
import { readLines } from '../base/jsonLines.ts';
import type { Database } from '../session/database.ts';
import { type TranscriptState, transcriptState } from '../session/transcriptState.ts';

/** Without a note of how far it was read, only the end of a large transcript is looked at: the newest turns. */
const firstLook = 8 << 20;
/** A file that is one JSON value has to be taken whole. */
export const largestWhole = 128 << 20;

export interface TranscriptFile {
  readonly file: string;
  readonly size: number;
  readonly identity: string;
  /** Of a file that holds many. */
  readonly session?: string;
}

export interface ReadTranscript {
  readonly turns: readonly TranscriptTurn[];
  readonly reader: TranscriptReader;
  /** Lines that are no JSON object. */
  readonly unreadable: number;
  readonly state: TranscriptState;
}

/** Undefined for anything but a plain file: a payload may name a pipe. */
export function transcriptFile(file: string): TranscriptFile | undefined {
  const stat = fs.statSync(file, { throwIfNoEntry: false });
  if (!stat?.isFile()) return undefined;
  return { file, size: stat.size, identity: `${stat.dev}:${stat.ino}` };
}

/** From where to read on. Another file of that name, or one that became shorter, is read anew. */
export function startOf(database: Database, at: TranscriptFile, isWhole: boolean): number {
  if (isWhole) return 0;
  const state = transcriptState(database, at.file);
  if (state && state.identity === at.identity && state.position <= at.size) return state.position;
  return Math.max(0, at.size - firstLook);
}

/** @throws the system error. */
export function readTranscript(
  database: Database,
  source: TranscriptSource,
  at: TranscriptFile,
  session: string,
  start: number,
): ReadTranscript {
  const reader = source.reader(at.file);
  let unreadable = 0;
  for (const { record, position } of recordsOf(source, at, start)) {
    if (record === undefined) unreadable++;
    else reader.take(record, position);
  }
  const last = reader.last();
  const before = transcriptState(database, at.file);
  const isSame = before?.identity === at.identity;
  const turns = [...reader.finished(), ...(last ? [last] : [])];
  return {
    turns,
    reader,
    unreadable,
    state: {
      file: at.file,
      session,
      position: last?.position ?? start,
      size: at.size,
      identity: at.identity,
      imported: isSame ? before.imported : 0,
      importedSize: isSame ? before.importedSize : 0,
    },
  };
}

export interface TranscriptRecord {
  /** Undefined for a line that is no JSON object. */
  readonly record: Fields | undefined;
  readonly position: number;
}

/** @throws the system error, and Error for a file that is too large to be taken whole. */
export function* recordsOf(
  source: TranscriptSource,
  { file, size, session }: TranscriptFile,
  start: number,
): Generator<TranscriptRecord> {
  if (source.recordsIn !== undefined) {
    let position = 0;
    for (const record of source.recordsIn(file, session ?? ''))
      yield { record, position: position++ };
    return;
  }
  if (source.form(file) === 'whole') {
    if (size > largestWhole) throw new Error(`It has ${size} bytes, more than can be read.`);
    yield { record: parse(fs.readFileSync(file), true), position: 0 };
    return;
  }
  // A look that does not start with the file starts within a line.
  let isPart = start > 0 && !endsLine(file, start - 1);
  for (const { bytes, position } of readLines(file, start)) {
    if (!isPart && bytes.length > 0 && !isBlank(bytes)) yield { record: parse(bytes), position };
    isPart = false;
  }
}

/** @param isList whether a bare list of messages is as good */
function parse(bytes: Buffer, isList = false): Fields | undefined {
  try {
    const value: unknown = JSON.parse(bytes.toString());
    if (isList && Array.isArray(value)) return { messages: value };
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as Fields)
      : undefined;
  } catch {
    // The caller counts what cannot be read.
    return undefined;
  }
}

function isBlank(bytes: Buffer): boolean {
  return bytes.length < 3 && bytes.toString().trim() === '';
}

function endsLine(file: string, at: number): boolean {
  const fd = fs.openSync(file, 'r');
  try {
    const byte = Buffer.alloc(1);
    fs.readSync(fd, byte, 0, 1, at);
    return byte[0] === 10;
  } finally {
    fs.closeSync(fd);
  }
}
