/**
 * What the hook processes of one session must tell each other: which turn is open and which number comes next. One small
 * file in our home store, written under the session's lock; everything else about turns is in the database. Kept outside
 * the work tree, so that numbers are not reused after `rm -rf .memcode` (spec/checkpoints A.3.8).
 */
import fs from 'node:fs';
import path from 'node:path';
import {
  listIfExists,
  makeFolder,
  readIfExists,
  type WriteOptions,
  writeFileAtomic,
} from '../base/atomicFile.ts';
import { withLock } from '../base/fileLock.ts';
import { liveFolder, liveFolders } from '../base/home.ts';
import { UserError } from '../core/errors.ts';
import { asSessionId, type Root, type SessionId, sessionFolder } from '../core/ids.ts';
import { numbersOnDisk } from './readSession.ts';

export interface LiveTurn {
  readonly id: string;
  readonly seq: number;
  readonly number: number;
  readonly label: string;
  /** RFC 3339. */
  readonly at: string;
  readonly agent: string;
  /** Ids the agent gave this turn; notifications of background work add theirs. */
  readonly promptIds: readonly string[];
  /** Text fingerprint of the prompt, to recognise the same event arriving twice. */
  readonly prompt: string;
  readonly open: boolean;
  /** Edited after its end (background work); sealed again when the next turn begins. */
  readonly late: boolean;
  /** Keys whose state was what the agent had left when a shell command began; empty outside of one. */
  readonly steady: readonly string[];
  /** There is a copy of its checkpoint: made before a command that might remove it, or when it ended. */
  readonly archived?: true;
}

/** A shell command that is running, as far as anybody knows. */
export interface LiveShell {
  /** The agent's id of the call, where it has one. */
  readonly callId?: string;
  /** Milliseconds since 1970: when its hook came, before anything else was done. */
  readonly at: number;
  /** Id of the snapshot taken before it; missing when there is none. */
  readonly before?: string;
  /** A sentence why there is none. */
  readonly failure?: string;
  /** Who runs it: a subagent's id, or empty. */
  readonly actor: string;
  /** Rows that the turn's checkpoint had when it began. */
  readonly rows: number;
  /** Keys that edit tools of the session named while it ran. */
  readonly edited: readonly string[];
  /** Files that are too large for snapshots: path and what tells one state from another. */
  readonly large: readonly (readonly [path: string, stamp: string])[];
  /** Manifests of other sessions as they were before it: place below the checkpoints, and what tells its states apart. */
  readonly others?: readonly (readonly [place: string, stamp: string])[];
  /** Its turn ended before it: nothing that comes later is measured from its beginning. */
  readonly untold?: true;
}

/** Commands that go on after their calls: what changes outside of calls may be theirs. */
export interface LiveBackground {
  /** Id of the snapshot up to which changes are accounted for. */
  readonly seen: string;
  /** Milliseconds since 1970: when that was taken. */
  readonly at: number;
  /** The agent has said that they run. Otherwise nobody reckons with them beyond the next prompt. */
  readonly isTold?: true;
}

export interface LiveSession {
  readonly format: 1;
  readonly session: string;
  readonly agent: string;
  readonly root: string;
  /** No number up to this one is given out again. */
  readonly highWater: number;
  /** How many turns the session has had. */
  readonly turns: number;
  readonly turn: LiveTurn | null;
  /** Shell commands whose end has not been told, by when they began. */
  readonly shells?: readonly LiveShell[];
  readonly background?: LiveBackground;
}

const stateName = 'state.json';
export const lockFile = (home: string, session: SessionId): string =>
  path.join(liveFolder(home, session), 'lock');
const stateFile = (home: string, session: SessionId): string =>
  path.join(liveFolder(home, session), stateName);

/** Sessions' state files that `readLive` cannot use; those of a newer version are none of them. */
export function unreadableStates(home: string): readonly string[] {
  return listIfExists(liveFolders(home))
    .filter((entry) => entry.isDirectory())
    .map((entry) => path.join(liveFolders(home), entry.name, stateName))
    .filter(isUnreadable);
}

function isUnreadable(file: string): boolean {
  try {
    const text = readIfExists(file);
    if (text === undefined) return false;
    const live: Partial<LiveSession> = JSON.parse(text);
    if (Number(live.format) > 1) return false;
    return (
      live.format !== 1 ||
      typeof live.session !== 'string' ||
      sessionFolder(asSessionId(live.session)) !== path.basename(path.dirname(file)) ||
      !Number.isSafeInteger(live.highWater)
    );
  } catch {
    // It cannot be read or is not JSON, which is the question.
    return true;
  }
}

/** Moves a state file that cannot be used out of the way, under its session's lock. @throws UserError `locked`. */
export function setStateAside(file: string, now: number): void {
  const folder = path.dirname(file);
  const done = withLock(path.join(folder, 'lock'), { wait: 3_000 }, () => {
    if (isUnreadable(file)) fs.renameSync(file, path.join(folder, `unreadable-${now}.json`));
  });
  if (!done) throw new UserError('locked', 'The session is busy. Try again.', { file });
}

/** The state of a session; undefined when there is none, it is damaged, or its folder belongs to another id. */
export function readLive(home: string, session: SessionId): LiveSession | undefined {
  const text = readIfExists(stateFile(home, session));
  if (text === undefined) return undefined;
  try {
    const live: LiveSession = JSON.parse(text);
    return live.format === 1 && live.session === session && Number.isSafeInteger(live.highWater)
      ? live
      : undefined;
  } catch {
    // Cut short by a crash of the disk: the numbers on disk and in the database still say what comes next.
    return undefined;
  }
}

/** Call under the lock. Durable by default: a number once given out stays given out. */
export function writeLive(
  home: string,
  session: SessionId,
  live: LiveSession,
  options: Pick<WriteOptions, 'durable'> = {},
): void {
  writeFileAtomic(stateFile(home, session), JSON.stringify(live), options);
}

/** Runs `work` under the session's lock. Undefined when the lock was not had within `wait` milliseconds. */
export function withSession<T>(
  home: string,
  session: SessionId,
  wait: number,
  work: () => T,
): { value: T } | undefined {
  makeFolder(liveFolder(home, session));
  return withLock(lockFile(home, session), { wait }, work);
}

/**
 * After a rewind: whatever the agent does next is a new turn, never one that was taken back. Not flushed, since no number is
 * given out here: where a power cut leaves no state, the numbers on disk and in the database say what comes next.
 * @throws UserError `locked`.
 */
export function forgetTurn(home: string, session: SessionId, seqs: readonly number[]): void {
  const done = withSession(home, session, 3_000, () => {
    const live = readLive(home, session);
    if (live?.turn && seqs.includes(live.turn.seq))
      writeLive(home, session, { ...live, turn: null }, { durable: false });
  });
  if (!done)
    throw new UserError('locked', `The session ${session} is busy. Try again.`, { session });
}

/**
 * Uses up the next number of a session that is recorded without turns. @throws UserError `locked`.
 */
export function claimSeq(home: string, root: Root, session: SessionId, agent: string): number {
  const done = withSession(home, session, 3_000, () => {
    const live = readLive(home, session);
    const seq =
      Math.max(live?.highWater ?? 0, numbersOnDisk(root, session, live === undefined).seq) + 1;
    const fresh: LiveSession = {
      format: 1,
      session,
      agent,
      root,
      highWater: seq,
      turns: 0,
      turn: null,
    };
    writeLive(home, session, { ...(live ?? fresh), highWater: seq });
    return seq;
  });
  if (done) return done.value;
  throw new UserError('locked', `The session ${session} is busy. Try again.`, { session });
}
