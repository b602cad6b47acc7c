/** Finishes or gives up a commit that was cut short. */

import fs from 'node:fs';
import path from 'node:path';
import { indexEntries } from './commitEntries.ts';
import type { CommitGit } from './commitGit.ts';
import { configuredHooks, withoutHooks } from './commitHooks.ts';
import { prepareIndex } from './commitIndex.ts';
import { holdsIndexLock, releaseIndexLock, takeIndexLock } from './commitIndexLock.ts';
import type { CommitJournal } from './commitJournal.ts';
import { isEntry } from './commitPaths.ts';
import { commitHead, holds } from './commitRepository.ts';

/** later: somebody else holds the index. */
export type Recovered = 'finished' | 'givenUp' | 'later';

/**
 * Where the branch has the commit, the entries of its paths follow in the index, unless they were changed since; where it
 * does not, only our lock goes. Call under our lock of the repository.
 */
export async function recoverCommit(git: CommitGit, journal: CommitJournal): Promise<Recovered> {
  const { indexFile, nonce, ref } = journal;
  if (!fs.existsSync(path.dirname(indexFile))) return 'givenUp';
  const { stdout } = await git({ args: ['rev-parse', '-q', '--verify', `${ref}^{commit}`] });
  const tip = stdout.toString().trim();
  if (tip === '' || !(await holds(git, tip, journal.new))) {
    releaseIndexLock(indexFile, nonce);
    return 'givenUp';
  }
  if (!holdsIndexLock(indexFile, nonce) && !takeIndexLock(indexFile, nonce)) return 'later';
  try {
    if ((await commitHead(git)).ref === ref) await followInIndex(git, journal);
  } finally {
    releaseIndexLock(indexFile, nonce);
  }
  return 'finished';
}

async function followInIndex(git: CommitGit, journal: CommitJournal): Promise<void> {
  const entries = await indexEntries(
    git,
    journal.steps.map(({ path: at }) => at),
  );
  const behind = journal.steps.filter(
    ({ path: at, before, after }) =>
      isEntry(entries.get(at), before) && !isEntry(entries.get(at), after),
  );
  if (behind.length === 0) return;
  const quiet = withoutHooks(git, await configuredHooks(git));
  const replace = await prepareIndex(quiet, journal, behind);
  replace();
}
