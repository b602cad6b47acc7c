/** How a turn and its changes read on one line. Pure. */

import { takenInPart } from '../core/takenInPart.ts';
import type {
  Change,
  OperationSummary,
  TouchSummary,
  TurnEnd,
  TurnSummary,
} from '../core/timeline.ts';
import { styled, type Text } from './text.ts';

const ends: Readonly<Record<TurnEnd, Text>> = {
  running: styled('cyan', 'running'),
  stop: 'finished',
  interrupt: styled('yellow', 'interrupted'),
  failed: styled('red', 'failed'),
  nextPrompt: 'next prompt',
  sessionEnd: 'session end',
  stale: styled('yellow', 'stale'),
};

/**
 * `finished`, `rewound`, `reverted`, the two `in part`, `damaged`, … and what was not recorded or is not there any more.
 * @param operations those of the turn's root
 */
export function statusText(turn: TurnSummary, operations: readonly OperationSummary[]): Text {
  if (turn.damaged !== null) return styled('red', 'damaged');
  const isTakenBack = turn.rewoundBy !== null;
  const status = isTakenBack
    ? styled('dim', takenBackText(turn, operations))
    : (inPartText(turn, operations) ?? ends[turn.end]);
  if (turn.imported) return [status, styled('dim', ' (imported)')];
  if (turn.prunedAt !== null) return [status, styled('yellow', ' (pruned)')];
  const hasGaps = turn.unprotected.length > 0 || turn.uncapturedShell;
  return hasGaps && !isTakenBack ? [status, styled('yellow', ' (gaps)')] : status;
}

function inPartText(turn: TurnSummary, operations: readonly OperationSummary[]): Text | undefined {
  const kind = takenInPart(turn, operations)?.operation.kind;
  if (kind === undefined) return undefined;
  return styled('yellow', kind === 'revert' ? 'reverted in part' : 'rewound in part');
}

/** How a turn that is taken back was. */
export function takenBackText(
  { rewoundBy }: TurnSummary,
  operations: readonly OperationSummary[],
): 'rewound' | 'reverted' {
  return operations.find(({ id }) => id === rewoundBy)?.kind === 'revert' ? 'reverted' : 'rewound';
}

/** `3 files +12 -4`; empty when the turn changed nothing. */
export function changesText(files: readonly TouchSummary[]): Text {
  if (files.length === 0) return '';
  const added = total(files.map((file) => file.added));
  const removed = total(files.map((file) => file.removed));
  return [
    `${files.length} ${files.length === 1 ? 'file' : 'files'}`,
    ' ',
    linesText(added, removed),
  ];
}

/** `+12 -4`; what is zero or unknown is left out. */
export function linesText(added: number | null, removed: number | null): Text {
  const plus = added === null || added === 0 ? [] : [styled('green', `+${added}`)];
  const minus = removed === null || removed === 0 ? [] : [styled('red', `-${removed}`)];
  return plus.length > 0 && minus.length > 0 ? [...plus, ' ', ...minus] : [...plus, ...minus];
}

export function changeText(change: Change): Text {
  if (change === 'added') return styled('green', change);
  return change === 'deleted' ? styled('red', change) : change;
}

/** What names a turn in JSON that is about something else. */
export function turnReference(
  turn: TurnSummary,
): Pick<TurnSummary, 'id' | 'session' | 'number' | 'seq'> {
  const { id, session, number, seq } = turn;
  return { id, session, number, seq };
}

function total(counts: readonly (number | null)[]): number {
  return counts.reduce<number>((sum, count) => sum + (count ?? 0), 0);
}
