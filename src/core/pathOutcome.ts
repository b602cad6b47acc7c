/** What is said of each path after a rewind or redo. Pure. */
import type { PathOutcome, PlannedAct } from './timeline.ts';

/** Which moment the files go to. */
export type Moment =
  | 'the turn'
  | 'later changes'
  | 'the rewind'
  | 'the revert'
  | 'the restore'
  | 'the undo';

export function outcomeOf(path: string, act: PlannedAct, moment: Moment, note = ''): PathOutcome {
  switch (act) {
    case 'write':
      return { path, result: 'restored', why: `Put back to its state before ${moment}.${note}` };
    case 'create':
      return { path, result: 'recreated', why: `Made again as it was before ${moment}.${note}` };
    case 'delete':
      return { path, result: 'deleted', why: `It did not exist before ${moment}.${note}` };
    case 'none':
      return { path, result: 'unchanged', why: `It is already as it was before ${moment}.${note}` };
  }
}

export function keptOutcome(path: string, reason: string, triedMerge: boolean): PathOutcome {
  const note = triedMerge ? ' It does not merge cleanly.' : '';
  return { path, result: 'kept', why: `${reason}${note} It was kept as it is.` };
}

export function byHandOutcome(path: string, reason: string): PathOutcome {
  return { path, result: 'kept', why: `${reason} It stays as it is, to be merged by hand.` };
}

export function mergedOutcome(path: string, reason: string): PathOutcome {
  return { path, result: 'merged', why: `${reason} The agent's change was taken out of it.` };
}

/** A merge would change nothing. */
export function goneOutcome(path: string): PathOutcome {
  return { path, result: 'unchanged', why: "The agent's change is not in it any more." };
}
