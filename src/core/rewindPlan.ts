/**
 * What a rewind does at each path, decided from three states: what was there before the span (target), what the agent
 * last left there, and what is there now. Pure: reading and writing happen elsewhere.
 */
import { compareStates, type PathState } from './state.ts';
import type { ConflictChoice, PlannedAct } from './timeline.ts';

export interface PathFacts {
  readonly path: string;
  readonly target: PathState;
  /** False when nothing vouches for the saved bytes. */
  readonly verified: boolean;
  /** Undefined: nobody recorded it (memcode's own checkpoints). */
  readonly left: PathState | undefined;
  readonly present: PathState;
  /** An editor holds unsaved changes of this file. */
  readonly unsaved: boolean;
  /** Why the path cannot be written or its old bytes cannot be had. */
  readonly hindrance: string | undefined;
  /** Why going back may lose somebody else's work although the agent's last state is there, or is not known. */
  readonly doubt?: string | undefined;
  /** The operation of ours that left it, where that was no agent: `the rewind`. */
  readonly since?: string | undefined;
  /** A sentence naming who left it as it is now, when it was not the last agent of the span. */
  readonly author?: string | undefined;
}

export type Decision =
  | { readonly kind: 'none'; readonly path: string }
  | {
      readonly kind: 'apply';
      readonly path: string;
      readonly act: PlannedAct;
      readonly unverified: boolean;
    }
  | {
      readonly kind: 'conflict';
      readonly path: string;
      readonly act: PlannedAct;
      readonly reason: string;
    }
  | { readonly kind: 'notRestorable'; readonly path: string; readonly reason: string };

/** One decision a path, in the order given. */
export function decide(facts: PathFacts): Decision {
  const { path, target, left, present } = facts;
  if (!facts.unsaved && compareStates(target, present) === 'same') return { kind: 'none', path };
  if (facts.hindrance !== undefined)
    return { kind: 'notRestorable', path, reason: facts.hindrance };
  const act = actOf(target, present);
  if (facts.unsaved)
    return { kind: 'conflict', path, act, reason: 'It has unsaved changes in an editor.' };
  const sameness = left === undefined ? 'unknown' : compareStates(left, present);
  if (left !== undefined && sameness === 'different')
    return {
      kind: 'conflict',
      path,
      act,
      reason: facts.author ?? howDifferent(left, present, facts.since),
    };
  if (facts.doubt !== undefined) return { kind: 'conflict', path, act, reason: facts.doubt };
  return { kind: 'apply', path, act, unverified: sameness === 'unknown' || !facts.verified };
}

/** What becomes of a conflict. `merge` is decided by whoever can merge; here it means: not by taking the old state. */
export function choiceFor(
  path: string,
  choices: ReadonlyMap<string, ConflictChoice> | undefined,
  fallback: ConflictChoice | undefined,
): ConflictChoice {
  return choices?.get(path) ?? fallback ?? 'keep';
}

function actOf(target: PathState, present: PathState): PlannedAct {
  if (target.kind === 'absent') return present.kind === 'absent' ? 'none' : 'delete';
  return present.kind === 'absent' ? 'create' : 'write';
}

function howDifferent(left: PathState, present: PathState, operation: string | undefined): string {
  const since = operation === undefined ? 'after the agent left it' : `after ${operation}`;
  const who = operation ?? 'the agent';
  if (present.kind === 'absent') return `It was deleted ${since}.`;
  if (left.kind === 'absent')
    return `${who.charAt(0).toUpperCase()}${who.slice(1)} had deleted it, and it was made again since.`;
  if (left.kind !== present.kind)
    return `It is a ${noun(present)} now; ${who} had left a ${noun(left)}.`;
  const isFolder = present.kind === 'directory';
  if (isFolder || (present.kind === 'file' && 'sha256' in left && left.sha256 === present.sha256))
    return `Its permissions were changed ${since}.`;
  return `It was changed ${since}.`;
}

function noun(state: PathState): string {
  switch (state.kind) {
    case 'file':
      return 'file';
    case 'symlink':
      return 'link';
    case 'directory':
      return 'folder';
    case 'other':
      return 'special file';
    case 'absent':
      return 'nothing';
  }
}
