/**
 * Commits what agents did, turn by turn, in projects where a person has switched that on. It follows the database: every
 * ended turn that is not decided yet is looked at, in this process or another, one commit at a time for each repository.
 */
import fs from 'node:fs';
import path from 'node:path';
import { keepLock, withLockHeld } from '../base/fileLock.ts';
import { isInside } from '../base/platform.ts';
import { rootId } from '../base/root.ts';
import type { SkipReason, TurnCommit } from '../core/autoCommit.ts';
import { isUserError, messageOf, systemCode } from '../core/errors.ts';
import type { Root, TurnId } from '../core/ids.ts';
import { type CommitGit, commitGit, GitFailure } from '../git/commitGit.ts';
import { closeCommitJournal } from '../git/commitJournal.ts';
import { type CommitRepository, openCommitRepository } from '../git/commitRepository.ts';
import { dropLeftovers, keepLeftover } from '../project/leftovers.ts';
import { projectById, type StoredProject } from '../project/registry.ts';
import { recordTurnCommit, turnCommitOf } from '../project/turnCommits.ts';
import { inTransaction } from '../session/database.ts';
import { type StoredTurn, turnById } from '../session/timelineStore.ts';
import { type AgentChange, ChangeReader } from './autoCommitChanges.ts';
import type { CommitPlace } from './autoCommitFacts.ts';
import { isPending, type PendingTurn, pendingTurns } from './autoCommitQueue.ts';
import {
  type CommitRecord,
  commitsFolder,
  hooksIn,
  lockIn,
  lockWait,
  recordCommit,
  recoverAll,
  recoverIn,
} from './autoCommitRecords.ts';
import { commitTurn, type MadeCommit, type TurnOutcome } from './autoCommitTurn.ts';
import { ownWork, workOf } from './autoCommitWork.ts';
import { type OperationContext, pendingOperations } from './operations.ts';
import { joinByFolder } from './projectJoins.ts';

export interface AutoCommitter {
  /** Looks for turns to commit, after what is going on. Returns at once. */
  kick(): void;
  /** When nothing is going on any more. Never rejects. */
  idle(): Promise<void>;
  dispose(): void;
}

export interface AutoCommitOptions {
  /** Whether git may be run in this folder at all. */
  readonly mayCommit: (folder: string) => boolean;
  /** Milliseconds to wait for whoever holds the user's index. */
  readonly patience: number;
  /** Something was decided. */
  readonly changed: () => void;
}

const attempts = 3;
const retryAfter = 30_000;

export function autoCommitter(
  context: OperationContext,
  options: AutoCommitOptions,
): AutoCommitter {
  let running: Promise<void> | undefined;
  let isAskedAgain = false;
  let isRecovered = false;
  let isDisposed = false;
  let retry: NodeJS.Timeout | undefined;
  /** When turns that wait were tried last, here. */
  const tried = new Map<TurnId, number>();
  const isTooSoon = ({ turn, isWaiting }: PendingTurn) =>
    isWaiting && Date.now() - (tried.get(turn) ?? 0) < options.patience;

  const run = async (): Promise<void> => {
    do {
      isAskedAgain = false;
      if (!isRecovered) isRecovered = await recoverAll(context);
      if (isDisposed) return;
      joinByFolder(context.database, context.now());
      for (const pending of pendingTurns(context.database)) {
        if (isDisposed) return;
        if (isTooSoon(pending)) continue;
        await decide(context, options, pending);
        tried.set(pending.turn, Date.now());
      }
    } while (isAskedAgain && !isDisposed);
  };
  const scheduleRetry = (): void => {
    if (isDisposed || !pendingTurns(context.database).some(({ isWaiting }) => isWaiting)) return;
    clearTimeout(retry);
    retry = setTimeout(kick, retryAfter);
    retry.unref();
  };
  const kick = (): void => {
    if (isDisposed) return;
    isAskedAgain = true;
    running ??= run()
      .then(scheduleRetry)
      .catch((error: unknown) => {
        if (!isDisposed)
          context.log('error', `Agents’ work was not committed: ${messageOf(error)}`);
      })
      .finally(() => {
        running = undefined;
        // Asked for after the last look.
        if (isAskedAgain) kick();
      });
  };
  return {
    kick,
    idle: async () => {
      while (running !== undefined) await running;
    },
    dispose() {
      isDisposed = true;
      clearTimeout(retry);
    },
  };
}

async function decide(
  context: OperationContext,
  options: AutoCommitOptions,
  pending: PendingTurn,
): Promise<void> {
  const project = projectById(context.database, pending.project);
  const turn = turnById(context.database, pending.turn);
  if (project === undefined || turn === undefined || !options.mayCommit(turn.root)) return;
  const job = { context, options, project, turn, isWaiting: pending.isWaiting };
  try {
    await decideTurn(job);
  } catch (error) {
    if (error instanceof GitFailure)
      skip(job, 'gitFailed', ownWork(context, turn, new ChangeReader(context)), messageOf(error));
    else if (systemCode(error) !== undefined && !isUserError(error))
      wait(job, 'gitFailed', messageOf(error));
    else throw error;
  }
}

interface Job {
  readonly context: OperationContext;
  readonly options: AutoCommitOptions;
  readonly project: StoredProject;
  readonly turn: StoredTurn;
  readonly isWaiting: boolean;
}

async function decideTurn(job: Job): Promise<void> {
  const { context, turn } = job;
  if (turn.rewoundBy !== null) return skip(job, 'takenBack', []);
  const reader = new ChangeReader(context);
  const changes = reader.of(turn.id);
  if (changes === undefined) return skip(job, 'notRecorded', []);
  const first = commitGit({
    folder: fs.existsSync(turn.root) ? turn.root : context.home,
    hooks: hooksIn(commitsFolder(context.home)),
    environment: context.environment,
  });
  const repository = await openCommitRepository(first);
  if ('problem' in repository) return skip(job, repository.problem, ownWork(context, turn, reader));
  const folder = path.join(commitsFolder(context.home), rootId(repository.commonFolder as Root));
  const had = await withLockHeld(lockIn(folder), { wait: lockWait }, async () => {
    if (!(await recoverIn(context, folder))) return wait(job, 'indexLocked');
    // Another process may have been faster.
    if (!isPending(context.database, turn.id)) return;
    if (isBeingRewound(job)) return wait(job, 'repositoryBusy');
    await tryToCommit(job, repository, folder);
  });
  if (had === undefined) wait(job, 'repositoryBusy');
}

function isBeingRewound({ context, turn }: Job): boolean {
  return pendingOperations(context, turn.root).length > 0;
}

async function tryToCommit(job: Job, repository: CommitRepository, folder: string): Promise<void> {
  const { context, options, turn, isWaiting } = job;
  const place = placeOf(job, repository, folder);
  if (place === undefined) return skip(job, 'outsideProject', []);
  for (let attempt = 0; attempt < attempts; attempt++) {
    const reader = new ChangeReader(context);
    const outcome = await commitTurn({
      place,
      turn,
      work: workOf(context, turn, reader),
      numberOf: (id) => turnById(context.database, id)?.number ?? 0,
      // Whoever holds the index since the last time gets no more time.
      patience: isWaiting ? 0 : options.patience,
      probe: context.probe,
      isStillWanted: () => !isBeingRewound(job) && isPending(context.database, turn.id),
      recordOf: (made) => recordOf(job, made),
    });
    if (finish(job, outcome, folder)) return;
  }
  wait(job, 'refMoved');
}

/** False when it has to be tried again. */
function finish(job: Job, outcome: TurnOutcome, folder: string): boolean {
  const { context } = job;
  switch (outcome.kind) {
    case 'again':
      return false;
    case 'indexLocked':
      wait(job, 'indexLocked');
      return true;
    case 'skipped':
      skip(job, outcome.reason, outcome.keep, null, outcome.leftOut);
      return true;
    case 'committed':
      recordCommit(context, recordOf(job, outcome.made));
      job.options.changed();
      context.probe('recorded');
      closeCommitJournal(folder);
      return true;
  }
}

/** Undefined when the project has no part in the repository. */
function placeOf(job: Job, repository: CommitRepository, folder: string): CommitPlace | undefined {
  const { context, project, turn } = job;
  const { topLevel } = repository;
  const within = (inner: string) => {
    const relative = path.relative(topLevel, inner).split(path.sep).join('/');
    return relative === '' ? '' : `${relative}/`;
  };
  const isPart = isInside(topLevel, project.workdir, process.platform);
  const isWhole = isInside(project.workdir, topLevel, process.platform);
  if (!isInside(topLevel, turn.root, process.platform) || !(isPart || isWhole)) return undefined;
  const run = commitGit({
    folder: topLevel,
    hooks: hooksIn(folder),
    environment: context.environment,
  });
  const git: CommitGit = (call) => {
    // Throws when the lock was broken: somebody else is at it then.
    keepLock(lockIn(folder));
    return run(call);
  };
  return {
    git,
    repository,
    folder,
    prefix: within(turn.root),
    below: isWhole ? '' : within(project.workdir),
    mode: project.autoCommit,
    environment: context.environment,
  };
}

function recordOf(
  job: Job,
  { commit, branch, paths, leftOut, olderTurns }: MadeCommit,
): CommitRecord {
  return {
    root: job.turn.root,
    turnCommit: {
      ...decisionOf(job),
      state: 'committed',
      commit,
      branch,
      paths,
      leftOut,
      olderTurns,
    },
  };
}

function decisionOf({ context, project, turn }: Job): TurnCommit {
  return {
    turn: turn.id,
    session: turn.session,
    project: project.id,
    state: 'skipped',
    commit: null,
    branch: null,
    reason: null,
    detail: null,
    paths: [],
    leftOut: [],
    olderTurns: [],
    at: context.now(),
  };
}

function skip(
  job: Job,
  reason: SkipReason,
  keep: readonly AgentChange[],
  detail: string | null = null,
  leftOut: TurnCommit['leftOut'] = [],
): void {
  const { context, turn } = job;
  const { database } = context;
  inTransaction(database, () => {
    recordTurnCommit(database, { ...decisionOf(job), reason, detail, leftOut });
    dropLeftovers(database, turn.root, turn.session);
    for (const { path: at, turns, session, fault } of keep) {
      const [baseTurn, newest] = [turns[0], turns.at(-1)];
      if (fault === undefined && baseTurn !== undefined && newest !== undefined)
        keepLeftover(database, turn.root, { path: at, session, baseTurn, turn: newest, turns });
    }
  });
  context.log('info', `Turn ${turn.id} was not committed: ${reason}.`);
  job.options.changed();
}

function wait(job: Job, reason: SkipReason, detail: string | null = null): void {
  const { context, turn } = job;
  // Told again it would be news, and whoever hears news looks for turns to commit.
  if (turnCommitOf(context.database, turn.id)?.reason === reason) return;
  inTransaction(context.database, () =>
    recordTurnCommit(context.database, { ...decisionOf(job), state: 'waiting', reason, detail }),
  );
  context.log('warn', `Turn ${turn.id} waits to be committed: ${reason}.`);
  job.options.changed();
}
