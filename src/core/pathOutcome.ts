/** What is said of each path after a rewind or redo. Pure. */
import type { OperationKind, PathOutcome, PlannedAct } from './timeline.ts';

/** Which moment the files go to. */
export type Moment =
  | 'the turn'
  | 'later changes'
  | 'the snapshot'
  | 'the rewind'
  | 'the revert'
  | 'the restore'
  | 'the undo';

/** The moment that an operation was carried out. */
export function momentOf(
  kind: OperationKind,
): Exclude<Moment, 'the turn' | 'later changes' | 'the snapshot'> {
  return kind === 'redo' ? 'the undo' : `the ${kind}`;
}

export function outcomeOf(path: string, act: PlannedAct, moment: Moment, note = ''): PathOutcome {
  const when = moment === 'the snapshot' ? 'in the snapshot' : `before ${moment}`;
  switch (act) {
    case 'write':
      return { path, result: 'restored', why: `Put back to its state ${when}.${note}` };
    case 'create':
      return { path, result: 'recreated', why: `Made again as it was ${when}.${note}` };
    case 'delete':
      return { path, result: 'deleted', why: `It did not exist ${when}.${note}` };
    case 'none':
      return { path, result: 'unchanged', why: `It is already as it was ${when}.${note}` };
  }
}

/** A folder that was not there before, and that is somebody else's as well by now. */
export function usedOutcome(path: string): PathOutcome {
  return { path, result: 'unchanged', why: 'The folder stays: something else is in it now.' };
}

export function keptOutcome(path: string, reason: string, triedMerge: boolean): PathOutcome {
  const note = triedMerge ? ' It does not merge cleanly.' : '';
  return { path, result: 'kept', why: `${reason}${note} It was kept as it is.` };
}

export function byHandOutcome(path: string, reason: string): PathOutcome {
  return { path, result: 'kept', why: `${reason} It stays as it is, to be merged by hand.` };
}

export function mergedOutcome(path: string, reason: string, moment: Moment): PathOutcome {
  const { what, were } = changeOf(moment);
  return {
    path,
    result: 'merged',
    why: `${reason} ${what} ${were ? 'were' : 'was'} taken out of it.`,
  };
}

/** A merge would change nothing. */
export function goneOutcome(path: string, moment: Moment): PathOutcome {
  const { what, were } = changeOf(moment);
  return { path, result: 'unchanged', why: `${what} ${were ? 'are' : 'is'} not in it any more.` };
}

/** What going back to the moment takes out. */
function changeOf(moment: Moment): { readonly what: string; readonly were: boolean } {
  switch (moment) {
    case 'the turn':
      return { what: "The agent's change", were: false };
    case 'later changes':
      return { what: 'Later changes of the agent', were: true };
    case 'the snapshot':
      return { what: 'What came after the snapshot', were: false };
    default:
      return { what: `What ${moment} did`, were: false };
  }
}
