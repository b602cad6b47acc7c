/**
 * Commits in the making that a crash cut short, and locks of the user's index that stayed behind: what doctor tells of them,
 * and how repair mends it. Every start does the same for journals by itself; a lock without one blocks the user's git until
 * it is found here.
 */
import fs from 'node:fs';
import path from 'node:path';
import { listIfExists, readIfExists } from '../base/atomicFile.ts';
import { isLocked, withLockHeld } from '../base/fileLock.ts';
import { isInside } from '../base/platform.ts';
import { rootId } from '../base/root.ts';
import { messageOf } from '../core/errors.ts';
import type { Root } from '../core/ids.ts';
import { indexLockFile, isOurLock } from '../git/commitIndexLock.ts';
import { type CommitJournal, hasJournal, readCommitJournal } from '../git/commitJournal.ts';
import { runGit } from '../git/runGit.ts';
import { commitsFolder, lockIn, lockWait, recoverIn } from './autoCommitRecords.ts';
import type { OperationContext } from './operations.ts';
import type { Finding } from './timelineApp.ts';

/** Looks only. What another process is at now is not told. */
export function commitFindings(context: OperationContext, root: Root): readonly Finding[] {
  const journals = leftJournals(context, root).map(
    ({ folder, journal }): Finding => ({
      severity: 'problem',
      subject: folder,
      text:
        journal === undefined
          ? 'The record of a commit that was cut short cannot be understood.'
          : `A commit on ${journal.ref} in ${journal.topLevel} was cut short.`,
    }),
  );
  const locks = leftLocks(context, root).map(
    (lock): Finding => ({
      severity: 'problem',
      subject: lock,
      text: 'A commit that was cut short left its lock of the index: git cannot commit here.',
    }),
  );
  return [...journals, ...locks];
}

/** @returns what was done, and what could not be. */
export async function mendCommits(
  context: OperationContext,
  root: Root,
): Promise<readonly Finding[]> {
  const done: Finding[] = [];
  for (const { folder } of leftJournals(context, root))
    done.push(await mendJournal(context, folder));
  for (const lock of leftLocks(context, root)) {
    fs.rmSync(lock, { force: true });
    const text = 'The lock of the index that a commit had left behind was removed.';
    done.push({ severity: 'note', subject: lock, text });
  }
  return done;
}

async function mendJournal(context: OperationContext, folder: string): Promise<Finding> {
  const problem = (text: string): Finding => ({ severity: 'problem', subject: folder, text });
  try {
    const had = await withLockHeld(lockIn(folder), { wait: lockWait }, () =>
      recoverIn(context, folder),
    );
    if (had?.value === true)
      return {
        severity: 'note',
        subject: folder,
        text: 'A commit that was cut short was finished, given up or set aside.',
      };
    return problem('A commit that was cut short waits: another git process holds the index.');
  } catch (error) {
    return problem(`A commit that was cut short could not be finished: ${messageOf(error)}`);
  }
}

interface LeftJournal {
  readonly folder: string;
  /** Undefined for one that cannot be understood: whose it is cannot be told, so everybody hears of it. */
  readonly journal: CommitJournal | undefined;
}

function leftJournals({ home }: OperationContext, root: Root): readonly LeftJournal[] {
  return listIfExists(commitsFolder(home))
    .map(({ name }) => path.join(commitsFolder(home), name))
    .filter((folder) => hasJournal(folder) && !isLocked(lockIn(folder)))
    .map((folder) => ({ folder, journal: journalOf(folder) }))
    .filter(({ journal }) => journal === undefined || isOf(journal, root));
}

function journalOf(folder: string): CommitJournal | undefined {
  try {
    return readCommitJournal(folder);
  } catch {
    // It is told as one that cannot be understood.
    return undefined;
  }
}

function isOf({ topLevel }: CommitJournal, root: Root): boolean {
  const { platform } = process;
  return isInside(topLevel, root, platform) || isInside(root, topLevel, platform);
}

/** Locks of ours that no journal knows. */
function leftLocks({ home, environment }: OperationContext, root: Root): readonly string[] {
  if (!fs.existsSync(path.join(root, '.git'))) return [];
  const args = ['rev-parse', '--path-format=absolute', '--git-common-dir', '--git-path', 'index'];
  const { code, stdout } = runGit(root, args, environment);
  const [common = '', index = ''] = stdout.toString().split('\n');
  if (code !== 0 || !fs.existsSync(common)) return [];
  const folder = path.join(commitsFolder(home), rootId(fs.realpathSync.native(common) as Root));
  const lock = indexLockFile(index);
  const text = readIfExists(lock) ?? '';
  return isOurLock(text) && !hasJournal(folder) && !isLocked(lockIn(folder)) ? [lock] : [];
}
