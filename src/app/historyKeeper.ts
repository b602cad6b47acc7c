/**
 * Keeps histories and mirrors up to date while a host lives: what hooks and transcripts tell goes into the DAG at once, the
 * mirrors follow a moment later. Whatever fails there is tried again and told; it never reaches the DAG.
 */
import { mirrorFolder } from '../base/home.ts';
import { oneByOne } from '../base/oneByOne.ts';
import { isUserError, messageOf } from '../core/errors.ts';
import type { MirrorState } from '../core/history.ts';
import { asSessionId } from '../core/ids.ts';
import { inTransaction } from '../session/database.ts';
import { isMirror, openMirror } from '../session/mirror/mirrorRepository.ts';
import {
  mirrorRow,
  mirrorStateOf,
  saveMirrorRow,
  sessionsInOutbox,
  sessionsToMirror,
  sessionsWithRemote,
} from '../session/mirror/mirrorStore.ts';
import { branchState } from '../session/mirror/pushMirror.ts';
import { recordHistory } from './historyRecorder.ts';
import {
  isMirrorAsLeft,
  type MirrorContext,
  pushIfOwed,
  retryAfter,
  syncMirror,
} from './mirrorSync.ts';
import type { MirrorOptions, MirrorReport } from './sessionHistory.ts';

export interface HistoryKeeper {
  /** Records what is new. @returns whether a transcript may still tell more */
  record(): boolean;
  /** From now on the mirrors follow by themselves. */
  start(): void;
  sync(options?: MirrorOptions): Promise<MirrorReport>;
  state(session: string): MirrorState;
  behind(): readonly MirrorState[];
  setRemote(session: string, remote: string | null): void;
  /** Nothing is begun after this; what runs ends at its next step. */
  stop(): void;
}

const soon = 100;
const later = 2_000;

export function historyKeeper(context: MirrorContext): HistoryKeeper {
  const { database, home, now, log } = context;
  const abort = new AbortController();
  let isStarted = false;
  let isChecked = false;
  let timer: NodeJS.Timeout | undefined;
  /** A round waits for its turn. */
  let isDue = false;
  // Two that push the same mirror at once are in each other's way.
  const alone = oneByOne();

  const record = (): boolean => {
    try {
      const left = recordHistory(context);
      if (isStarted) schedule(left === 'waiting' ? later : soon);
      return left !== 'done';
    } catch (error) {
      // Somebody else writes: the next look takes it up.
      if (!isUserError(error, 'locked')) throw error;
      log('warn', messageOf(error));
      if (isStarted) schedule(later);
      return true;
    }
  };
  const schedule = (after: number): void => {
    if (abort.signal.aborted || timer !== undefined) return;
    timer = setTimeout(() => {
      timer = undefined;
      if (isDue) return;
      isDue = true;
      void alone(() => {
        isDue = false;
        return follow();
      });
    }, after);
    timer.unref();
  };
  /** One round: what is due. The next one is set by what is left. */
  const follow = async (): Promise<void> => {
    try {
      const left = recordHistory(context);
      const owed = new Set(sessionsInOutbox(database));
      if (!isChecked) for (const session of await changedMirrors()) owed.add(session);
      isChecked = true;
      const waits = left === 'done' ? [] : [left === 'more' ? soon : later];
      for (const session of owed) {
        const wait = await attempt(session);
        if (wait !== undefined) waits.push(wait);
        if (abort.signal.aborted) return;
      }
      for (const session of sessionsWithRemote(database)) {
        const { pushRetryAt } = mirrorRow(database, session);
        if (pushRetryAt <= now()) await pushIfOwed(context, session, abort.signal);
        if (abort.signal.aborted) return;
        const row = mirrorRow(database, session);
        if (row.pushFailure !== null) waits.push(Math.max(soon, row.pushRetryAt - now()));
      }
      if (waits.length > 0) schedule(Math.min(...waits));
    } catch (error) {
      if (abort.signal.aborted) return;
      log('error', `Mirrors could not be brought up to date: ${messageOf(error)}`);
      schedule(later);
    }
  };
  /** What a crash or a person left otherwise than we did. */
  const changedMirrors = async (): Promise<readonly string[]> => {
    const changed: string[] = [];
    for (const session of sessionsToMirror(database)) {
      if (abort.signal.aborted) break;
      if (!isMirrorAsLeft(context, session)) changed.push(session);
      await new Promise((resolve) => setImmediate(resolve));
    }
    return changed;
  };
  /** @returns milliseconds to the next attempt, when this one failed or is not due */
  const attempt = async (session: string): Promise<number | undefined> => {
    const row = mirrorRow(database, session);
    // Each start tries again at once.
    if (isChecked && row.retryAt > now()) return row.retryAt - now();
    try {
      await syncMirror(context, session, { signal: abort.signal });
      noteAttempt(session, undefined);
      return undefined;
    } catch (error) {
      if (abort.signal.aborted) return undefined;
      log('warn', `The mirror of session ${session} is behind: ${messageOf(error)}`);
      return noteAttempt(session, messageOf(error));
    }
  };
  const noteAttempt = (session: string, failure: string | undefined): number => {
    const row = mirrorRow(database, session);
    const wait = failure === undefined ? 0 : retryAfter(row.attempts);
    inTransaction(database, () =>
      saveMirrorRow(database, {
        ...row,
        attempts: failure === undefined ? 0 : row.attempts + 1,
        retryAt: failure === undefined ? 0 : now() + wait,
        failure: failure ?? null,
      }),
    );
    return wait;
  };
  const sync = async ({
    session,
    check = false,
    signal,
    progress,
  }: MirrorOptions): Promise<MirrorReport> => {
    while (recordHistory(context) === 'more') await new Promise((resolve) => setImmediate(resolve));
    const report = { mirrors: 0, commits: 0, pushed: 0 };
    const failures: { session: string; reason: string }[] = [];
    const repairs: string[] = [];
    const all = session === undefined ? sessionsToMirror(database) : [session];
    const owed = new Set(sessionsInOutbox(database));
    for (const each of all) {
      if (signal?.aborted || abort.signal.aborted) break;
      report.mirrors++;
      try {
        if (check || owed.has(each) || session !== undefined || !isMirrorAsLeft(context, each)) {
          const done = await syncMirror(context, each, {
            check,
            signal,
            isWanted: session !== undefined,
          });
          noteAttempt(each, undefined);
          report.commits += done.commits;
          repairs.push(...done.repairs);
        }
        const pushed = await pushIfOwed(context, each, signal);
        if (pushed === 'pushed') report.pushed++;
        else if (pushed === 'failed')
          failures.push({ session: each, reason: mirrorRow(database, each).pushFailure ?? '' });
      } catch (error) {
        noteAttempt(each, messageOf(error));
        failures.push({ session: each, reason: messageOf(error) });
      }
      progress?.(report.commits);
    }
    return { ...report, failures, repairs };
  };
  const state = (session: string): MirrorState => {
    const folder = mirrorFolder(home, asSessionId(session));
    const row = mirrorRow(database, session);
    const isPushed =
      row.remote !== null && isMirror(folder) && branchState(openMirror(folder)) === row.pushed;
    return mirrorStateOf(database, session, folder, isPushed);
  };

  return {
    record,
    start() {
      isStarted = true;
      schedule(soon);
    },
    sync: (options = {}) => alone(() => sync(options)),
    state,
    behind: () =>
      [...new Set([...sessionsInOutbox(database), ...sessionsWithRemote(database)])]
        .map(state)
        .filter((m) => m.behind > 0 || m.failure !== null || (m.remote !== null && !m.isPushed)),
    setRemote(session, remote) {
      const row = mirrorRow(database, session);
      const pushed = remote === row.remote ? row.pushed : null;
      inTransaction(database, () =>
        saveMirrorRow(database, {
          ...row,
          remote,
          pushed,
          pushAttempts: 0,
          pushRetryAt: 0,
          pushFailure: null,
        }),
      );
      if (isStarted) schedule(soon);
    },
    stop() {
      abort.abort();
      clearTimeout(timer);
    },
  };
}
