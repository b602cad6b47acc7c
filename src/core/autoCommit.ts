/** What becomes of a turn's changes in the user's repository: the modes, and why something is not committed. Pure types. */
import type { ProjectId, SessionId, TurnId } from './ids.ts';

/**
 * off: nothing. whenClean: the agent's files, unless anything of the user's is uncommitted. agentPathsOnly: those of the
 * agent's files that nobody else had changed. separateHunks: of the others, the agent's part where it can be told apart.
 */
export type AutoCommitMode = 'off' | 'whenClean' | 'agentPathsOnly' | 'separateHunks';

export const autoCommitModes: readonly AutoCommitMode[] = [
  'off',
  'whenClean',
  'agentPathsOnly',
  'separateHunks',
];

/** Why one path is not in the commit. */
export type LeftOutReason =
  | 'userChanges' // not the agent's, and uncommitted
  | 'userStaged' // somebody has staged something there
  | 'changedBefore' // it was not as committed when the agent changed it
  | 'changedByOthers' // somebody else changed it during the turn or after it
  | 'unattributed' // what the agent left there is not known
  | 'overlaps' // the agent's lines and the user's cannot be told apart
  | 'submodule'
  | 'nestedRepository'
  | 'ignored'
  | 'sparse' // not checked out (skip-worktree)
  | 'assumeUnchanged' // git was told not to look at it
  | 'tooLarge'
  | 'outsideProject'
  | 'notStored' // the bytes are not kept any more
  | 'inTheWay' // a folder where a file was, or the reverse, with something else in it
  | 'spelling' // git knows it with other upper and lower case
  | 'filterFailed'; // the repository's own filter refused it

/** Why there is no commit of a turn: where it is a reason of paths, none of its paths could be committed. */
export type SkipReason =
  | LeftOutReason
  | 'merge'
  | 'rebase'
  | 'cherryPick'
  | 'revert'
  | 'bisect'
  | 'applyMailbox'
  | 'unmerged'
  | 'detachedHead'
  | 'branchMoved' // another branch than when the turn began
  | 'historyRewritten'
  | 'noRepository'
  | 'bareRepository'
  | 'nothingToCommit'
  | 'indexLocked'
  | 'repositoryBusy' // another of our processes is at it
  | 'refMoved'
  | 'gitMissing'
  | 'gitUnsafe'
  | 'gitFailed'
  | 'takenBack'
  | 'notRecorded';

export interface LeftOut {
  /** Relative to the root, `/`-separated. */
  readonly path: string;
  readonly reason: LeftOutReason;
}

/** waiting: will be tried again. */
export type TurnCommitState = 'committed' | 'skipped' | 'waiting';

/** What was decided about one turn. */
export interface TurnCommit {
  readonly turn: TurnId;
  readonly session: SessionId;
  readonly project: ProjectId;
  readonly state: TurnCommitState;
  /** Full hash, when committed. */
  readonly commit: string | null;
  /** Short name of the branch, when committed. */
  readonly branch: string | null;
  /** Null when committed. */
  readonly reason: SkipReason | null;
  /** What git said, where that is all that is known. */
  readonly detail: string | null;
  /** In the commit; relative to the root. */
  readonly paths: readonly string[];
  readonly leftOut: readonly LeftOut[];
  /** Turns whose leftovers went into the commit as well. */
  readonly olderTurns: readonly TurnId[];
  /** The commit that took it back, once somebody asked for that: full hash. */
  readonly revertedBy?: string;
  /** Milliseconds since 1970. */
  readonly at: number;
}

/** A commit of an agent's turn and the new one that takes back what it did. */
export interface RevertedCommit {
  readonly turn: TurnId;
  /** Full hashes. */
  readonly commit: string;
  readonly by: string;
}
