/**
 * What a session's agent has been told of memory: `<home>/live/<session>/memory.json`, and what the last prompt's hook gave it
 * (`memory.given.json`) until it is seen that the prompt was taken. Part of the hook: no more is loaded than files.
 */
import fs from 'node:fs';
import path from 'node:path';
import {
  isMissing,
  makeFolder,
  readIfExists,
  removeFile,
  writeFileAtomic,
} from '../base/atomicFile.ts';
import { liveFolder } from '../base/home.ts';
import { renameOver } from '../base/renameOver.ts';
import type { SessionId } from '../core/ids.ts';

export interface ToldMemory {
  readonly format: 1;
  /** Where the agent worked when it was told first: what it knows is of there. */
  readonly folder: string | null;
  /** Milliseconds since 1970. */
  readonly at: number;
  /** Of the prompt that it came with; missing at a session's start. */
  readonly turn?: string;
  /** Compare again whatever the stamps say: not everything could be told, or something changed while it was read. */
  readonly mustCompare?: true;
  /** Thing -> mark of its state. */
  readonly told: Readonly<Record<string, string>>;
  /** Files and folders that it depends on, and how they were. */
  readonly stamps: readonly (readonly [file: string, stamp: string])[];
}

const knownFile = (home: string, session: SessionId): string =>
  path.join(liveFolder(home, session), 'memory.json');
const givenFile = (home: string, session: SessionId): string =>
  path.join(liveFolder(home, session), 'memory.given.json');

export const readKnown = (home: string, session: SessionId) => read(knownFile(home, session));
export const readGiven = (home: string, session: SessionId) => read(givenFile(home, session));

/** What was told with certainty. What was given before counts no more. @throws system errors */
export function writeKnown(home: string, session: SessionId, memory: ToldMemory): void {
  makeFolder(liveFolder(home, session));
  writeFileAtomic(knownFile(home, session), JSON.stringify(memory), { durable: false });
  removeFile(givenFile(home, session));
}

/** What goes out with a prompt. @throws system errors */
export function writeGiven(home: string, session: SessionId, memory: ToldMemory): void {
  makeFolder(liveFolder(home, session));
  writeFileAtomic(givenFile(home, session), JSON.stringify(memory), { durable: false });
}

/** Whether the agent, by the source of its start, has lost or never had what it was told. */
export function startsAnew(source: string | undefined): boolean {
  return source !== 'resume' && source !== 'fork';
}

/** Whether a session that goes on has lost what it was told. */
export function losesContext(source: string | undefined): boolean {
  return source === 'clear' || source === 'compact';
}

/** @throws system errors */
export function forgetTold(home: string, session: SessionId): void {
  removeFile(knownFile(home, session));
  removeFile(givenFile(home, session));
}

/** The agent has gone to work on the prompt: what came with it was read. @throws system errors */
export function confirmGiven(home: string, session: SessionId): void {
  const given = givenFile(home, session);
  if (fs.statSync(given, { throwIfNoEntry: false }) === undefined) return;
  try {
    renameOver(given, knownFile(home, session));
  } catch (error) {
    // Another hook of the same moment was first.
    if (!isMissing(error)) throw error;
  }
}

/** Whether the agent knows everything: nothing that it depends on has changed. */
export function isCurrent({ stamps, mustCompare }: Stamped): boolean {
  return mustCompare !== true && stamps.every(([file, stamp]) => stampOf(file).stamp === stamp);
}

export type Stamped = Pick<ToldMemory, 'stamps' | 'mustCompare'>;

/**
 * How files are, for `isCurrent` later. @param since when reading them began: what changed about then, or later, may have been
 * read as it was before.
 */
export function stampsOf(files: readonly string[], since: number): Stamped {
  let newest = 0;
  const stamps = [...new Set(files)].map((file) => {
    const { stamp, changed } = stampOf(file);
    newest = Math.max(newest, changed);
    return [file, stamp] as const;
  });
  return { stamps, ...(newest > since - clockStep && { mustCompare: true }) };
}

/** Milliseconds by which the time of a change may lag behind the clock. */
const clockStep = 50;

/** Tells one state of a file or folder from another, where links lead; '' when nothing is there. */
function stampOf(file: string): { readonly stamp: string; readonly changed: number } {
  try {
    const stat = fs.statSync(file, { throwIfNoEntry: false });
    if (stat === undefined) return nothing;
    const { size, mtimeMs, ctimeMs, ino } = stat;
    // The last is no program's to choose: copying tools and archives set the time of a change.
    return { stamp: `${size} ${mtimeMs} ${ino} ${ctimeMs}`, changed: Math.max(mtimeMs, ctimeMs) };
  } catch {
    // A file stands where a folder should, or it may not be looked at: nothing either way.
    return nothing;
  }
}

const nothing = { stamp: '', changed: 0 };

function isTold(value: unknown): boolean {
  return typeof value === 'object' && value !== null;
}

/** Damaged is as good as none: the agent is told again. */
function read(file: string): ToldMemory | undefined {
  try {
    const memory: ToldMemory = JSON.parse(readIfExists(file) ?? 'null');
    const isWhole = memory?.format === 1 && Array.isArray(memory.stamps) && isTold(memory.told);
    return isWhole ? memory : undefined;
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}
