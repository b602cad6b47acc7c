/** Makes the commit of one turn, or says why there is none. Runs under our lock of the repository. */
import type { LeftOut, SkipReason } from '../core/autoCommit.ts';
import type { TurnId } from '../core/ids.ts';
import type { PathState } from '../core/state.ts';
import { writeBlob, writeBlobs } from '../git/commitBlobs.ts';
import { type DirtyPath, dirtyPaths, hasUnmerged } from '../git/commitEntries.ts';
import { type CommitChange, indexStamp, installCommit, makeCommit } from '../git/commitPaths.ts';
import { type CommitHead, commitHead, goingOnIn, holds } from '../git/commitRepository.ts';
import { decideCommit, sameEntry } from '../project/commitDecision.ts';
import { commitIdentity, commitMessage } from '../project/commitMessage.ts';
import type { StoredTurn } from '../session/timelineStore.ts';
import { type AgentChange, presentStates } from './autoCommitChanges.ts';
import {
  blobSource,
  type CommitPlace,
  type DecidedChange,
  decideChanges,
  isSameState,
  nestedFinder,
} from './autoCommitFacts.ts';
import { separateHunks } from './autoCommitHunks.ts';

/** What is known of agents' work in a root. */
export interface AgentWork {
  /** Of the turn, and what its session had left uncommitted before. */
  readonly own: readonly AgentChange[];
  /** Of other sessions, and of turns that are still to be decided: neither the user's nor to be committed now. */
  readonly others: readonly AgentChange[];
}

export interface TurnCommitJob {
  readonly place: CommitPlace;
  readonly turn: StoredTurn;
  readonly work: AgentWork;
  readonly numberOf: (turn: TurnId) => number;
  readonly patience: number;
  readonly probe: (at: string) => void;
  /** Asked last, under the lock: a rewind may have begun meanwhile. */
  readonly isStillWanted: () => boolean;
  /** What goes into the journal for a commit that is about to be made. */
  readonly recordOf: (made: MadeCommit) => unknown;
}

export interface MadeCommit {
  readonly commit: string;
  readonly branch: string;
  readonly paths: readonly string[];
  readonly leftOut: readonly LeftOut[];
  readonly olderTurns: readonly TurnId[];
}

export type TurnOutcome =
  | { readonly kind: 'committed'; readonly made: MadeCommit }
  | {
      readonly kind: 'skipped';
      readonly reason: SkipReason;
      readonly leftOut: readonly LeftOut[];
      /** The agent's alone: joins the session's next commit. */
      readonly keep: readonly AgentChange[];
    }
  /** Something moved meanwhile: look again. */
  | { readonly kind: 'again' }
  | { readonly kind: 'indexLocked' };

/** How many of the user's own paths are named. */
const mostNamed = 100;

/** @throws GitFailure and system errors; nothing is half done then but what the journal knows. */
export async function commitTurn(job: TurnCommitJob): Promise<TurnOutcome> {
  const { place, turn, work } = job;
  const { git, mode } = place;
  const head = await commitHead(git);
  const situation = await situationOf(job, head);
  if (situation !== undefined) return skipped(situation, [], work.own);
  const stamp = indexStamp(place.repository);
  const present = presentStates(turn.root);
  const [{ changes: all, folders }, dirty, isUnmerged] = await Promise.all([
    decideChanges(place, head.commit, work.own, (change) =>
      isCurrent(change, work.others, present),
    ),
    mode === 'whenClean' ? dirtyPaths(git, place.below.replace(/\/$/, '')) : [],
    mode === 'whenClean' ? false : hasUnmerged(git),
  ]);
  if (isUnmerged || dirty.some((each) => each.isUnmerged)) return skipped('unmerged', [], work.own);
  // A leftover that cannot be committed any more is somebody else's by now, or done.
  const decided = all.filter(
    ({ change, decision }) => change.isLeftover !== true || decision.kind === 'commit',
  );
  const dirt = await usersDirt(job, head, decided, dirty, present);
  const { changes, leftOut, taken } = await chosen(place, decided);
  const choice = decideCommit(mode, changes.length, leftOut, dirt);
  const named = [...leftOut, ...dirt.slice(0, mostNamed)];
  if (!choice.commit)
    return skipped(
      choice.reason ?? 'nothingToCommit',
      named,
      taken.map(({ change }) => change),
    );
  const written = await writeChanges(place, changes, taken);
  if (written === undefined) return { kind: 'again' };
  const isStillSo = () => {
    const now = presentStates(turn.root);
    return (
      job.isStillWanted() &&
      taken.every(({ change: { path } }) => isSameState(now(path), present(path)))
    );
  };
  const paths = taken.map(({ change }) => change.path);
  const olderTurns = olderOf(turn, taken);
  const made = { paths, leftOut, olderTurns, branch: branchOf(head) };
  return install(job, head, changes, made, { stamp, folders, isStillSo });
}

/** What the commit is made from, to be found unchanged at the end. */
interface Seen {
  readonly stamp: string;
  readonly folders: ReadonlyMap<string, string>;
  readonly isStillSo: () => boolean;
}

async function install(
  job: TurnCommitJob,
  head: CommitHead,
  changes: readonly CommitChange[],
  rest: Omit<MadeCommit, 'commit'>,
  { folders, ...seen }: Seen,
): Promise<TurnOutcome> {
  const { place, turn, numberOf, patience, probe, recordOf } = job;
  const { git, folder, repository } = place;
  const { ref = '', commit: old } = head;
  const identity = commitIdentity(turn);
  const commit = await makeCommit(git, repository, old, folders, changes, {
    message: commitMessage(turn, changes.length, rest.olderTurns.map(numberOf)),
    identity,
    authoredAt: Math.floor((turn.endedAt ?? turn.lastAt) / 1000),
  });
  probe('made');
  const made: MadeCommit = { commit, ...rest };
  const result = await installCommit({
    git,
    repository,
    folder,
    ref,
    old,
    commit,
    changes,
    identity,
    why: `Memcode Timeline: turn ${turn.number}`,
    record: recordOf(made),
    patience,
    ...seen,
    probe,
  });
  if (result === 'done') return { kind: 'committed', made };
  return { kind: result === 'moved' ? 'again' : 'indexLocked' };
}

async function situationOf(
  { place: { git, repository }, turn }: TurnCommitJob,
  head: CommitHead,
): Promise<SkipReason | undefined> {
  const goingOn = goingOnIn(repository.gitFolder);
  if (goingOn !== undefined) return goingOn;
  if (head.ref === undefined) return 'detachedHead';
  if (turn.head !== null) {
    if (turn.head.branch !== branchOf(head)) return 'branchMoved';
    if (head.commit === undefined || !(await holds(git, head.commit, turn.head.commit)))
      return 'historyRewritten';
  }
  return undefined;
}

function branchOf({ ref = '' }: CommitHead): string {
  return ref.replace(/^refs\/heads\//, '');
}

/** What the agent left is there still, or is where another turn of an agent went on from. */
function isCurrent(
  { path, after }: AgentChange,
  others: readonly AgentChange[],
  present: (path: string) => PathState,
): boolean {
  if (after === undefined) return false;
  if (isSameState(present(path), after.state)) return true;
  return others.some(
    (other) => other.path === path && isSameState(other.before.state, after.state),
  );
}

/** Uncommitted paths that no agent accounts for. */
async function usersDirt(
  { place, work }: TurnCommitJob,
  head: CommitHead,
  decided: readonly DecidedChange[],
  dirty: readonly DirtyPath[],
  present: (path: string) => PathState,
): Promise<readonly LeftOut[]> {
  if (dirty.length === 0) return [];
  const { prefix } = place;
  const own = new Set(decided.map(({ facts }) => facts.path));
  const open = dirty.filter(({ path }) => !own.has(path));
  const at = new Set(open.map(({ path }) => path));
  const claimed = work.others.filter(({ path }) => at.has(prefix + path));
  const explained = new Set(
    (await decideChanges(place, head.commit, claimed, () => true)).changes
      .filter(({ change, facts }) => isAgents(change, facts, present))
      .map(({ facts }) => facts.path),
  );
  const nested = nestedFinder(place.repository.topLevel);
  return open.flatMap(({ path, isStaged, isInner }) => {
    // What is inside of submodules and other repositories is theirs.
    if (explained.has(path) || isInner || path.endsWith('/') || nested(path)) return [];
    const reason = isStaged ? 'userStaged' : 'userChanges';
    return [{ path: path.startsWith(prefix) ? path.slice(prefix.length) : path, reason } as const];
  });
}

/** Begun where HEAD is, and as some agent left it; or an agent is at it. */
function isAgents(
  { path, after }: AgentChange,
  { head, index, base, fault }: DecidedChange['facts'],
  present: (path: string) => PathState,
): boolean {
  if (after === undefined) return fault === 'unattributed' || fault === 'notStored';
  return (
    base !== undefined &&
    sameEntry(base, head) &&
    sameEntry(index, head) &&
    isSameState(present(path), after.state)
  );
}

interface Chosen {
  readonly changes: readonly CommitChange[];
  /** In the order of `changes`. */
  readonly taken: readonly DecidedChange[];
  readonly leftOut: readonly LeftOut[];
}

async function chosen(place: CommitPlace, decided: readonly DecidedChange[]): Promise<Chosen> {
  const changes: CommitChange[] = [];
  const taken: DecidedChange[] = [];
  const leftOut: LeftOut[] = [];
  for (const each of decided) {
    const { decision, facts } = each;
    if (decision.kind === 'done') continue;
    const change = await changeOf(place, each);
    if ('leave' in change) leftOut.push({ path: each.change.path, reason: change.leave });
    else if (!sameEntry(change.after, facts.head)) {
      changes.push(change);
      taken.push(each);
    }
  }
  return { changes, taken, leftOut };
}

function changeOf(
  place: CommitPlace,
  each: DecidedChange,
): ReturnType<typeof separateHunks> | CommitChange | { leave: LeftOut['reason'] } {
  const { decision, facts } = each;
  if (decision.kind === 'leave') {
    const isMixed = decision.reason === 'changedBefore' || decision.reason === 'userStaged';
    const separates = place.mode === 'separateHunks' && isMixed && facts.fault === undefined;
    return separates ? separateHunks(place, each) : { leave: decision.reason };
  }
  return { path: facts.path, before: facts.head, after: facts.after ?? null };
}

/** The blobs that are not there yet. Undefined when they became others than was decided on. */
async function writeChanges(
  { git }: CommitPlace,
  changes: readonly CommitChange[],
  taken: readonly DecidedChange[],
): Promise<true | undefined> {
  const whole = taken.filter(
    ({ facts }, n) => facts.after && sameEntry(changes[n]?.after ?? null, facts.after),
  );
  const converted = new Set(
    whole.filter((each) => each.isConverted).map(({ facts }) => facts.path),
  );
  const sources = whole.flatMap(({ change, facts }) => blobSource(facts.path, change.after));
  const ids = await writeBlobs(git, (at) => converted.has(at), sources);
  for (const { change, facts } of whole) {
    const { state } = change.after ?? {};
    const id =
      state?.kind === 'symlink'
        ? await writeBlob(git, Buffer.from(state.target))
        : ids.get(facts.path);
    if (id !== facts.after?.id) return undefined;
  }
  return true;
}

function olderOf(turn: StoredTurn, taken: readonly DecidedChange[]): readonly TurnId[] {
  const all = new Set(taken.flatMap(({ change }) => change.turns));
  all.delete(turn.id);
  return [...all].sort((a, b) => seqOf(a) - seqOf(b));
}

function seqOf(turn: TurnId): number {
  return Number(turn.slice(turn.lastIndexOf('#') + 1));
}

function skipped(
  reason: SkipReason,
  leftOut: readonly LeftOut[],
  keep: readonly AgentChange[],
): TurnOutcome {
  return {
    kind: 'skipped',
    reason,
    leftOut,
    keep: keep.filter(({ fault }) => fault === undefined),
  };
}
