/** Where commits in the making are kept in our home store, what is recorded of those that stand, and what crashes left. */
import fs from 'node:fs';
import path from 'node:path';
import { listIfExists, makeFolder } from '../base/atomicFile.ts';
import { withLockHeld } from '../base/fileLock.ts';
import type { RevertedCommit, TurnCommit } from '../core/autoCommit.ts';
import { messageOf } from '../core/errors.ts';
import type { Root } from '../core/ids.ts';
import { commitGit, GitFailure } from '../git/commitGit.ts';
import {
  closeCommitJournal,
  hasJournal,
  readCommitJournal,
  setJournalAside,
} from '../git/commitJournal.ts';
import { recoverCommit } from '../git/recoverCommit.ts';
import { dropLeftovers } from '../project/leftovers.ts';
import { markReverted, recordTurnCommit } from '../project/turnCommits.ts';
import { inTransaction } from '../session/database.ts';
import type { OperationContext } from './operations.ts';

/** One folder a repository. */
export const commitsFolder = (home: string): string => path.join(home, 'commits');
export const lockIn = (folder: string): string => path.join(folder, 'lock');
/** Milliseconds to wait for another process of ours. */
export const lockWait = 10_000;

/** What is recorded once a commit stands. */
export interface CommitRecord {
  readonly turnCommit: TurnCommit;
  readonly root: Root;
}

/** What is recorded once commits are reverted. */
export interface RevertRecord {
  readonly reverts: readonly RevertedCommit[];
}

/** What crashes left in any repository. @returns whether nothing is left of it. */
export async function recoverAll(context: OperationContext): Promise<boolean> {
  let isAll = true;
  for (const entry of listIfExists(commitsFolder(context.home))) {
    const folder = path.join(commitsFolder(context.home), entry.name);
    if (!entry.isDirectory() || !hasJournal(folder)) continue;
    const had = await withLockHeld(lockIn(folder), { wait: lockWait }, () =>
      recoverIn(context, folder),
    );
    isAll &&= had?.value === true;
  }
  return isAll;
}

/** Call under our lock of the repository. @returns false when it has to wait for somebody. */
export async function recoverIn(context: OperationContext, folder: string): Promise<boolean> {
  const { environment, log } = context;
  try {
    const journal = readCommitJournal(folder);
    if (journal === undefined) return true;
    const at = fs.existsSync(journal.topLevel) ? journal.topLevel : folder;
    const git = commitGit({ folder: at, hooks: hooksIn(folder), environment });
    const recovered = await recoverCommit(git, journal);
    if (recovered === 'later') return false;
    if (recovered === 'finished') record(context, journal.record as CommitRecord | RevertRecord);
    closeCommitJournal(folder);
    log(
      'info',
      `A commit that was cut short in ${journal.topLevel} was ${recoveredWords[recovered]}.`,
    );
    return true;
  } catch (error) {
    if (error instanceof GitFailure) throw error;
    log('warn', `A commit that was cut short cannot be finished: ${messageOf(error)}`);
    setJournalAside(folder);
    return true;
  }
}

const recoveredWords = { finished: 'finished', givenUp: 'given up' } as const;

/** An empty folder in place of the user's hooks; made if need be. */
export function hooksIn(folder: string): string {
  const hooks = path.join(folder, 'hooks');
  makeFolder(hooks);
  return hooks;
}

function record(context: OperationContext, made: CommitRecord | RevertRecord): void {
  if ('reverts' in made) recordReverts(context, made);
  else recordCommit(context, made);
}

/** Can be repeated. */
export function recordReverts(
  { database, log }: OperationContext,
  { reverts }: RevertRecord,
): void {
  inTransaction(database, () => {
    for (const revert of reverts) markReverted(database, revert);
  });
  for (const { commit, by } of reverts) log('info', `Commit ${commit} was reverted by ${by}.`);
}

/** Can be repeated. */
export function recordCommit(
  { database, log }: OperationContext,
  { turnCommit, root }: CommitRecord,
): void {
  inTransaction(database, () => {
    recordTurnCommit(database, turnCommit);
    dropLeftovers(database, root, turnCommit.session);
  });
  log('info', `Turn ${turnCommit.turn} was committed as ${turnCommit.commit ?? ''}.`);
}
