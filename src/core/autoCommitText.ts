/** What people read about a commit that was not made, or not of everything. Pure. */
import type { LeftOut, LeftOutReason, SkipReason, TurnCommit } from './autoCommit.ts';

const leftOutTexts: Readonly<Record<LeftOutReason, string>> = {
  userChanges: 'has changes that are not the agent’s',
  userStaged: 'is staged',
  changedBefore: 'was not as committed when the agent changed it',
  changedByOthers: 'was changed by somebody else as well',
  unattributed: 'it is not known what the agent left there',
  overlaps: 'the agent’s lines and yours cannot be told apart',
  submodule: 'is in a submodule',
  nestedRepository: 'is in a repository of its own',
  ignored: 'is ignored by git',
  sparse: 'is not part of the sparse checkout',
  assumeUnchanged: 'git was told to take it for unchanged',
  tooLarge: 'is too large',
  outsideProject: 'is outside the project folder',
  notStored: 'what the turn left is not stored any more',
  inTheWay: 'something else is in its place',
  spelling: 'git knows it with other upper and lower case',
  filterFailed: 'a filter of the repository refused it',
};

const skipTexts: Readonly<Record<Exclude<SkipReason, LeftOutReason>, string>> = {
  merge: 'A merge is going on.',
  rebase: 'A rebase is going on.',
  cherryPick: 'A cherry-pick is going on.',
  revert: 'A revert is going on.',
  bisect: 'A bisect is going on.',
  applyMailbox: 'Patches are being applied (git am).',
  unmerged: 'Some files are not merged.',
  detachedHead: 'No branch is checked out (detached HEAD). Create or switch to a branch.',
  branchMoved: 'Another branch is checked out than when the turn began.',
  historyRewritten: 'The branch was rewritten since the turn began.',
  noRepository: 'The folder is in no git repository.',
  bareRepository: 'The repository has no work tree.',
  nothingToCommit: 'Everything is committed already.',
  indexLocked: 'Another git process holds the index. It is tried again later.',
  repositoryBusy: 'Something else is going on there. It is tried again later.',
  refMoved: 'The branch kept moving. It is tried again later.',
  gitMissing: 'Git cannot be found.',
  gitUnsafe: 'Git does not trust the folder, because it belongs to somebody else.',
  gitFailed: 'Git failed.',
  takenBack: 'The turn was taken back.',
  notRecorded: 'What the turn changed is not stored.',
};

/** Why a path is left out: a clause that goes after its name. */
export function leftOutText({ path, reason }: LeftOut): string {
  return `${path}: ${leftOutTexts[reason]}`;
}

/** One or two sentences. Undefined for a turn that was committed. */
export function skipText(
  commit: Pick<TurnCommit, 'reason' | 'detail' | 'leftOut'>,
): string | undefined {
  const { reason, detail, leftOut } = commit;
  if (reason === null) return undefined;
  if (!isOfPaths(reason))
    return detail === null ? skipTexts[reason] : `${skipTexts[reason]} (${detail})`;
  if (leftOut.length === 0) return `Not committed: what it changed ${leftOutTexts[reason]}.`;
  const named = leftOut.slice(0, mostNamed).map(leftOutText).join('; ');
  const more = leftOut.length - mostNamed;
  return `Not committed: ${named}${more > 0 ? `; and ${more} more` : ''}.`;
}

const mostNamed = 5;

function isOfPaths(reason: SkipReason): reason is LeftOutReason {
  return Object.hasOwn(leftOutTexts, reason);
}

/** Reasons that need nobody's attention: there was nothing to do, or it is done later. */
export function isQuiet(reason: SkipReason): boolean {
  return quiet.has(reason);
}

const quiet: ReadonlySet<SkipReason> = new Set<SkipReason>([
  'nothingToCommit',
  'takenBack',
  'noRepository',
  'ignored',
  'outsideProject',
  'repositoryBusy',
  'refMoved',
]);
