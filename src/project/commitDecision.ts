/** Which of the agent's paths are committed, and whether anything is. Pure; git's facts come in as plain data. */
import type { AutoCommitMode, LeftOut, LeftOutReason } from '../core/autoCommit.ts';

/** As git names it. */
export interface Entry {
  readonly mode: string;
  readonly id: string;
}

export interface PathFacts {
  readonly path: string;
  /** Known before git is asked. */
  readonly fault?: LeftOutReason;
  /** Only a part of the repository's files is checked out. */
  readonly isSparse: boolean;
  readonly head: Entry | null;
  readonly index: (Entry & { readonly tag: string; readonly stage: number }) | null;
  /** What was there when the agent's work began, as git would have it. Undefined: it cannot be told. */
  readonly base: Entry | null | undefined;
  /** What the agent left. */
  readonly after: Entry | null | undefined;
}

export type PathDecision =
  | { readonly kind: 'commit' }
  /** HEAD has it already. */
  | { readonly kind: 'done' }
  | { readonly kind: 'leave'; readonly reason: LeftOutReason };

const leave = (reason: LeftOutReason): PathDecision => ({ kind: 'leave', reason });

/** Only what nobody else had a hand in: equal in HEAD, the index and on the disk when the agent's work began. */
export function decidePath(facts: PathFacts): PathDecision {
  const { fault, head, index, base, after } = facts;
  if (fault !== undefined) return leave(fault);
  if (index?.tag.startsWith('S')) return leave('sparse');
  if (index !== null && /^[a-z]/.test(index.tag)) return leave('assumeUnchanged');
  if (after === undefined) return leave('filterFailed');
  if (sameEntry(after, head) && sameEntry(index, head)) return { kind: 'done' };
  if (index !== null && index.stage > 0) return leave('userStaged');
  if (!sameEntry(index, head)) return leave('userStaged');
  if (base === undefined) return leave('notStored');
  // Git checks such a file out in its mind as soon as something is there.
  if (facts.isSparse && base === null && head !== null) return leave('sparse');
  if (!sameEntry(base, head)) return leave('changedBefore');
  return { kind: 'commit' };
}

export function sameEntry(a: Entry | null, b: Entry | null): boolean {
  if (a === null || b === null) return a === b;
  return a.id === b.id && a.mode === b.mode;
}

/** Reasons that say a path is somebody else's work too. In `whenClean` one of them keeps everything back. */
const ofTheUser: ReadonlySet<LeftOutReason> = new Set<LeftOutReason>([
  'userChanges',
  'userStaged',
  'changedBefore',
  'changedByOthers',
  'unattributed',
]);

export interface CommitChoice {
  readonly commit: boolean;
  /** Why not; undefined when there is nothing to say but that all is committed. */
  readonly reason?: LeftOutReason;
}

/**
 * @param count how many paths could be committed
 * @param leftOut the agent's other paths
 * @param dirt what else is uncommitted; looked at in `whenClean` alone
 */
export function decideCommit(
  mode: AutoCommitMode,
  count: number,
  leftOut: readonly LeftOut[],
  dirt: readonly LeftOut[],
): CommitChoice {
  if (mode === 'whenClean') {
    const blocking = [...leftOut, ...dirt].filter(({ reason }) => ofTheUser.has(reason));
    const staged = blocking.find(({ reason }) => reason === 'userStaged');
    const reason = (staged ?? blocking[0])?.reason;
    if (reason !== undefined) return { commit: false, reason };
  }
  if (count > 0) return { commit: true };
  const worst = leftOut.find(({ reason }) => ofTheUser.has(reason)) ?? leftOut[0];
  return worst === undefined ? { commit: false } : { commit: false, reason: worst.reason };
}

/**
 * Paths that cannot be committed because of what else is in their place: a file that HEAD or the index has where a folder
 * is to come, or below where a file is to come. Leaving one out may stand in the way of another, so all are gone through
 * again until none is.
 * @param changes what would be committed
 * @param isTaken whether a path that is not among the changes is in HEAD or the index
 * @param below paths that HEAD or the index has below one
 */
export function inTheWay(
  changes: readonly { readonly path: string; readonly after: Entry | null }[],
  isTaken: (path: string) => boolean,
  below: (path: string) => readonly string[],
): ReadonlySet<string> {
  const refused = new Set<string>();
  const after = new Map(changes.map((change) => [change.path, change.after]));
  const stays = (at: string) => {
    const change = refused.has(at) ? undefined : after.get(at);
    return change === undefined ? isTaken(at) : change !== null;
  };
  for (let before = -1; before !== refused.size; ) {
    before = refused.size;
    for (const { path, after: entry } of changes)
      if (entry !== null && !refused.has(path))
        if (parentsOf(path).some(stays) || below(path).some(stays)) refused.add(path);
  }
  return refused;
}

/** From the outermost. */
export function parentsOf(path: string): readonly string[] {
  const names = path.split('/');
  return names.slice(1).map((_, index) => names.slice(0, index + 1).join('/'));
}
