/**
 * Takes commits of agents' turns back, by ordinary new commits: one each, newest first, put in place together. Only for turns
 * whose files have gone back already: no file is touched here, nor anything of the user's but the branch, its reflog and the
 * index entries of these paths. As safe as the commits themselves: the same lock, journal and last look.
 */
import path from 'node:path';
import { keepLock, withLockHeld } from '../base/fileLock.ts';
import { realFolder, rootId } from '../base/root.ts';
import type { RevertedCommit, TurnCommit } from '../core/autoCommit.ts';
import { skipText } from '../core/autoCommitText.ts';
import { UserError } from '../core/errors.ts';
import type { Root, TurnId } from '../core/ids.ts';
import { type CommitGit, commitGit, demand } from '../git/commitGit.ts';
import { closeCommitJournal } from '../git/commitJournal.ts';
import { type CommitText, indexStamp, installCommit, makeCommit } from '../git/commitPaths.ts';
import {
  type CommitHead,
  type CommitRepository,
  commitHead,
  goingOnIn,
  openCommitRepository,
} from '../git/commitRepository.ts';
import { takenBackCommits } from '../project/turnCommits.ts';
import {
  commitsFolder,
  hooksIn,
  lockIn,
  lockWait,
  recordReverts,
  recoverIn,
} from './autoCommitRecords.ts';
import { type OperationContext, pendingOperations } from './operations.ts';
import { combined, type RevertStep, revertStep, stagedAt } from './revertChanges.ts';

const attempts = 3;
/** Older ones are not looked for. */
const mostCommits = 20_000;

interface Place {
  readonly context: OperationContext;
  readonly root: Root;
  readonly git: CommitGit;
  readonly repository: CommitRepository;
  /** Ours, of this repository. */
  readonly folder: string;
  /** Of paths relative to the root: '' or a folder with `/` at its end. */
  readonly prefix: string;
}

/**
 * Commits in the checked-out history whose turns are all taken back, and that are not reverted; newest first. None where
 * git or a repository is missing.
 */
export async function revertableCommits(
  context: OperationContext,
  root: Root,
): Promise<readonly TurnCommit[]> {
  const known = takenBackCommits(context.database, root);
  if (known.length === 0) return [];
  const git = commitGit({
    folder: root,
    hooks: hooksIn(commitsFolder(context.home)),
    environment: context.environment,
  });
  return inHistory(git, known);
}

export interface RevertWish {
  readonly root: Root;
  /** Whose commits; all of them `revertableCommits` lists. */
  readonly turns: readonly TurnId[];
  /** Milliseconds to wait for whoever holds the user's index. */
  readonly patience: number;
}

/**
 * @throws UserError `nothingToDo`, `conflicts` with the files, `refused` with why not now, `locked`, `interrupted`, `notFound`
 * without the folder
 */
export async function revertCommits(
  context: OperationContext,
  wish: RevertWish,
): Promise<readonly RevertedCommit[]> {
  const { root } = wish;
  const first = commitGit({
    folder: realFolder(root),
    hooks: hooksIn(commitsFolder(context.home)),
    environment: context.environment,
  });
  const repository = await openCommitRepository(first);
  if ('problem' in repository) throw notNow(repository.problem);
  const folder = path.join(commitsFolder(context.home), rootId(repository.commonFolder as Root));
  const had = await withLockHeld(lockIn(folder), { wait: lockWait }, async () => {
    if (!(await recoverIn(context, folder))) throw notNow('indexLocked');
    return revertHere(placeOf(context, root, repository, folder), wish);
  });
  if (had === undefined) throw notNow('repositoryBusy');
  return had.value;
}

function placeOf(
  context: OperationContext,
  root: Root,
  repository: CommitRepository,
  folder: string,
): Place {
  const run = commitGit({
    folder: repository.topLevel,
    hooks: hooksIn(folder),
    environment: context.environment,
  });
  const relative = path.relative(repository.topLevel, root).split(path.sep).join('/');
  return {
    context,
    root,
    repository,
    folder,
    prefix: relative === '' ? '' : `${relative}/`,
    git: (call) => {
      // Throws when the lock was broken: somebody else is at it then.
      keepLock(lockIn(folder));
      return run(call);
    },
  };
}

async function revertHere(place: Place, wish: RevertWish): Promise<readonly RevertedCommit[]> {
  const { context, folder } = place;
  for (let attempt = 0; attempt < attempts; attempt++) {
    const done = await tryToRevert(place, wish);
    if (done === 'indexLocked') throw notNow('indexLocked');
    if (done === 'moved') continue;
    recordReverts(context, { reverts: done });
    context.probe('recorded');
    closeCommitJournal(folder);
    return done;
  }
  throw notNow('refMoved');
}

async function tryToRevert(
  place: Place,
  { turns, patience }: RevertWish,
): Promise<readonly RevertedCommit[] | 'moved' | 'indexLocked'> {
  const { context, root, git, repository, folder } = place;
  const head = await commitHead(git);
  refuseSituation(place, head);
  const { ref = '', commit: old = '' } = head;
  const stamp = indexStamp(repository);
  const wanted = await wantedCommits(place, turns);
  const identity = await identityOf(git);
  const { made, steps } = await makeAll(place, wanted, old, identity);
  const changes = combined(steps);
  const staged = await stagedAt(git, changes);
  if (staged.length > 0)
    throw conflicts('Something else is staged where commits would be reverted', staged);
  const newest = made.at(-1)?.by ?? old;
  // All of them were taken back by hand: there is nothing to commit, and nothing more to offer.
  if (newest === old) return made;
  context.probe('made');
  const result = await installCommit({
    ...{ git, repository, folder, ref, old, changes, identity, stamp, patience },
    commit: newest,
    why: `Memcode Timeline: revert ${made.length === 1 ? '1 commit' : `${made.length} commits`}`,
    record: { reverts: made },
    isStillSo: () => {
      const known = new Set(takenBackCommits(context.database, root).map(({ turn }) => turn));
      return pendingOperations(context, root).length === 0 && made.every((m) => known.has(m.turn));
    },
    probe: context.probe,
  });
  return result === 'done' ? made : result;
}

/** @throws UserError */
function refuseSituation({ context, root, repository }: Place, { ref, commit }: CommitHead): void {
  if (pendingOperations(context, root).length > 0)
    throw new UserError(
      'interrupted',
      'An earlier operation was cut short. Finish it or roll it back first.',
      { root },
    );
  const goingOn = goingOnIn(repository.gitFolder);
  if (goingOn !== undefined) throw notNow(goingOn);
  if (ref === undefined) throw notNow('detachedHead');
  if (commit === undefined)
    throw new UserError('nothingToDo', 'There is no commit on this branch yet.');
}

async function wantedCommits(
  { context, root, git }: Place,
  turns: readonly TurnId[],
): Promise<readonly TurnCommit[]> {
  const all = await inHistory(git, takenBackCommits(context.database, root));
  const wanted = all.filter(({ turn }) => turns.includes(turn));
  if (wanted.length === new Set(turns).size && wanted.length > 0) return wanted;
  const missing = turns.filter((turn) => !wanted.some((commit) => commit.turn === turn));
  throw new UserError(
    'nothingToDo',
    missing.length === 0
      ? 'There is no commit to revert.'
      : `There is no commit to revert of ${missing.join(', ')}: only what is checked out, of turns that were taken back, is reverted.`,
    { turns: missing },
  );
}

/** Newest first. */
async function inHistory(
  git: CommitGit,
  commits: readonly TurnCommit[],
): Promise<readonly TurnCommit[]> {
  const args = ['rev-list', '--topo-order', `--max-count=${mostCommits}`, 'HEAD'];
  const { code, stdout } = await git({ args });
  const order = code === 0 ? stdout.toString().split('\n') : [];
  const place = new Map(order.map((id, index) => [id, index]));
  return commits
    .filter(({ commit }) => commit !== null && place.has(commit))
    .toSorted((a, b) => (place.get(a.commit ?? '') ?? 0) - (place.get(b.commit ?? '') ?? 0));
}

interface Made {
  readonly made: readonly RevertedCommit[];
  readonly steps: readonly RevertStep[];
}

/** Objects only: one commit on top of the other. @throws UserError `conflicts` before the branch sees any of it. */
async function makeAll(
  { context, git, repository, folder, prefix }: Place,
  wanted: readonly TurnCommit[],
  old: string,
  identity: CommitText['identity'],
): Promise<Made> {
  const made: RevertedCommit[] = [];
  const steps: RevertStep[] = [];
  const { environment } = context;
  let tip = old;
  for (const { turn, commit, paths } of wanted) {
    if (commit === null) continue;
    const names = paths.map((at) => prefix + at);
    const step = await revertStep({ git, folder, environment }, tip, commit, names);
    if (step.refused.length > 0)
      throw conflicts(
        `Commit ${commit.slice(0, 8)} cannot be reverted: later commits changed the same places`,
        step.refused,
      );
    if (step.changes.length > 0)
      tip = await makeCommit(git, repository, tip, step.folders, step.changes, {
        message: await messageOf(git, commit),
        identity,
        authoredAt: Math.floor(context.now() / 1000),
      });
    steps.push(step);
    made.push({ turn, commit, by: tip });
  }
  return { made, steps };
}

/** As git words it. */
async function messageOf(git: CommitGit, commit: string): Promise<string> {
  const args = ['log', '-1', '--encoding=UTF-8', '--no-show-signature', '--format=%s', commit];
  const subject = demand(await git({ args }), 'log')
    .toString()
    .trim();
  return `Revert "${subject}"\n\nThis reverts commit ${commit}.\n`;
}

/** A person asked for it: theirs, where git knows them. */
async function identityOf(git: CommitGit): Promise<CommitText['identity']> {
  const value = async (name: string) =>
    (await git({ args: ['config', '--get', name] })).stdout.toString().trim();
  const [name, email] = await Promise.all([value('user.name'), value('user.email')]);
  return name !== '' && email !== ''
    ? { name, email }
    : { name: 'Memcode Timeline', email: 'timeline@memcode.invalid' };
}

function notNow(reason: NonNullable<TurnCommit['reason']>): UserError {
  const text = skipText({ reason, detail: null, leftOut: [] }) ?? '';
  const isLocked = reason === 'indexLocked' || reason === 'repositoryBusy' || reason === 'refMoved';
  return new UserError(
    isLocked ? 'locked' : 'refused',
    `No commit was reverted. ${isLocked ? 'Another process is at the repository. Try again.' : text}`,
    { reason },
  );
}

function conflicts(what: string, paths: readonly string[]): UserError {
  return new UserError('conflicts', `${what}: ${paths.join(', ')}. Nothing was changed.`, {
    paths,
  });
}
