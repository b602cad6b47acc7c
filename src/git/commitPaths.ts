/**
 * A commit of named paths that touches nothing else of the user's repository: objects are written first, which changes
 * nothing visible; then, under git's own lock of the index and only if nothing moved meanwhile, the branch goes on to the
 * commit and the entries of its paths in the user's index follow. No hooks, no signing, no identity of the user.
 */
import fs from 'node:fs';
import path from 'node:path';
import { readIfExists } from '../base/atomicFile.ts';
import type { GitEntry, IndexEntry } from './commitEntries.ts';
import { indexEntries } from './commitEntries.ts';
import { type CommitGit, demand, GitFailure } from './commitGit.ts';
import { withoutHooks } from './commitHooks.ts';
import { prepareIndex } from './commitIndex.ts';
import { releaseIndexLock, takeIndexLock } from './commitIndexLock.ts';
import { type CommitJournal, closeCommitJournal, writeCommitJournal } from './commitJournal.ts';
import { type CommitRepository, commitHead, goingOnIn } from './commitRepository.ts';
import { treeWith } from './commitTree.ts';

export interface CommitChange {
  readonly path: string;
  /** In HEAD. Null: not there. */
  readonly before: GitEntry | null;
  readonly after: GitEntry | null;
  /** The entry in the user's index now, and what it is to be; where they are not `before` and `after`. */
  readonly staged?: { readonly before: GitEntry | null; readonly after: GitEntry | null };
}

export interface CommitText {
  readonly message: string;
  /** Of author and committer. */
  readonly identity: { readonly name: string; readonly email: string };
  /** When the author was done; seconds since 1970. */
  readonly authoredAt: number;
}

/**
 * Writes the objects of a commit that nothing points to yet. @throws GitFailure.
 * @param folders as `treeWith` wants them
 */
export async function makeCommit(
  git: CommitGit,
  { settings: { hash } }: CommitRepository,
  old: string | undefined,
  folders: ReadonlyMap<string, string>,
  changes: readonly CommitChange[],
  text: CommitText,
): Promise<string> {
  const tree = await treeWith(git, hash, old, folders, changes);
  const { name, email } = text.identity;
  const variables = {
    ...identityOf(text),
    GIT_AUTHOR_NAME: name,
    GIT_AUTHOR_EMAIL: email,
    GIT_AUTHOR_DATE: `@${text.authoredAt} +0000`,
  };
  const parents = old === undefined ? [] : ['-p', old];
  const args = ['commit-tree', tree, ...parents, '-F', '-'];
  return demand(await git({ args, input: text.message, variables }), 'commit-tree')
    .toString()
    .trim();
}

function identityOf({ identity }: Pick<CommitText, 'identity'>): Record<string, string> {
  return { GIT_COMMITTER_NAME: identity.name, GIT_COMMITTER_EMAIL: identity.email };
}

export interface Installation {
  readonly git: CommitGit;
  readonly repository: CommitRepository;
  /** Ours, of this repository. */
  readonly folder: string;
  readonly ref: string;
  readonly old: string | undefined;
  readonly commit: string;
  readonly changes: readonly CommitChange[];
  readonly identity: CommitText['identity'];
  /** For the reflog. */
  readonly why: string;
  readonly record: CommitJournal['record'];
  /** Milliseconds to wait for somebody else's lock of the index. */
  readonly patience: number;
  /** What `indexStamp` gave before the entries of the index were looked at. */
  readonly stamp: string;
  /** Looks once more, under the lock, at what nobody must have changed. */
  readonly isStillSo: () => boolean;
  readonly probe: (at: string) => void;
}

/** moved: HEAD, the branch, the index or a file is not what it was when the commit was made; nothing was changed. */
export type Installed = 'done' | 'moved' | 'indexLocked';

/**
 * Brings the branch to the commit. The journal stays when it is done, until the caller has recorded it and closes it.
 * Call under our lock of the repository. @throws GitFailure and system errors; the journal stays where it is needed.
 */
export async function installCommit(given: Installation): Promise<Installed> {
  const { folder, repository, probe, ref, old, commit, record } = given;
  const git = withoutHooks(given.git, repository.settings.hooks);
  const installation = { ...given, git };
  const { indexFile, topLevel } = repository;
  const nonce = newNonce();
  const steps = installation.changes.map(({ path, before, after, staged }) => ({
    path,
    ...(staged ?? { before, after }),
  }));
  const journal: CommitJournal = {
    format: 1,
    topLevel,
    indexFile,
    nonce,
    ref,
    old: old ?? null,
    new: commit,
    steps,
    record,
  };
  writeCommitJournal(folder, journal);
  probe('journal');
  let isMoved = false;
  try {
    if (!(await takeWithPatience(installation, nonce))) return 'indexLocked';
    probe('locked');
    if (!(await isUnchanged(installation, steps))) return 'moved';
    const replace = await prepareIndex(git, journal, steps);
    probe('prepared');
    if (!(await moveBranch(installation))) return 'moved';
    isMoved = true;
    probe('moved');
    replace();
    probe('replaced');
    return 'done';
  } finally {
    releaseIndexLock(indexFile, nonce);
    if (!isMoved) closeCommitJournal(folder);
  }
}

async function takeWithPatience(
  { repository: { indexFile }, patience }: Installation,
  nonce: string,
): Promise<boolean> {
  const deadline = Date.now() + patience;
  for (let pause = 20; ; pause = Math.min(pause * 2, 250)) {
    if (takeIndexLock(indexFile, nonce)) return true;
    if (Date.now() + pause > deadline) return false;
    await new Promise((resolve) => setTimeout(resolve, pause));
  }
}

async function isUnchanged(
  { git, ref, old, repository, stamp, isStillSo }: Installation,
  steps: CommitJournal['steps'],
): Promise<boolean> {
  const isSame = indexStamp(repository) === stamp;
  const [isOnBranch, entries] = await Promise.all([
    isCheckedOut(git, repository, ref, old),
    isSame
      ? undefined
      : indexEntries(
          git,
          steps.map(({ path }) => path),
        ),
  ]);
  if (!isOnBranch) return false;
  if (goingOnIn(repository.gitFolder) !== undefined) return false;
  if (entries && !steps.every((step) => isEntry(entries.get(step.path), step.before))) return false;
  return isStillSo();
}

/** The branch itself is compared once more when it moves. */
async function isCheckedOut(
  git: CommitGit,
  { gitFolder }: CommitRepository,
  ref: string,
  old: string | undefined,
): Promise<boolean> {
  // Where it is not kept in this file, git has to be asked.
  if (readIfExists(path.join(gitFolder, 'HEAD')) === `ref: ${ref}\n`) return true;
  const head = await commitHead(git);
  return head.ref === ref && head.commit === old;
}

/** Another one after every write: git replaces its index, and never writes into it. */
export function indexStamp({ indexFile }: CommitRepository): string {
  const stat = fs.statSync(indexFile, { bigint: true, throwIfNoEntry: false });
  return stat === undefined ? '' : [stat.ino, stat.size, stat.mtimeNs, stat.ctimeNs].join();
}

/** Whether the index has what is said, as merged and visible as it was. */
export function isEntry(entry: IndexEntry | undefined, expected: GitEntry | null): boolean {
  if (entry === undefined || expected === null) return entry === undefined && expected === null;
  return entry.stage === 0 && entry.id === expected.id && entry.mode === expected.mode;
}

async function moveBranch(installation: Installation): Promise<boolean> {
  const { git, ref, old, commit, why, identity } = installation;
  const args = ['update-ref', '--create-reflog', '-m', why, ref, commit];
  const result = await git({
    args: [...args, old ?? '0'.repeat(commit.length)],
    variables: identityOf({ identity }),
  });
  if (result.code === 0) return true;
  const head = await commitHead(git);
  if (head.commit !== old) return false;
  // Somebody holds the lock of the branch, or packs refs.
  if (/unable to (?:lock|create)|cannot lock/i.test(result.stderr)) return false;
  throw new GitFailure(`git update-ref: ${result.stderr.trim().split('\n')[0] ?? ''}`);
}

function newNonce(): string {
  return `${process.pid.toString(36)}-${Date.now().toString(36)}-${process.hrtime()[1].toString(36)}`;
}
