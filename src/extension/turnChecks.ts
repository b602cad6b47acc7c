/** Which turns can be rewound, reverted, or have a file restored from, and why not. Pure. */
import type { TurnSummary } from '../core/timeline.ts';
import type { Localizer } from './localizer.ts';

/**
 * For each turn of a session, oldest first: why files cannot go back to before it, as a sentence; null where they can. A
 * rewind takes back everything from its turn on, so one turn without saved states stands in the way of all before it. A
 * running turn can be rewound, after a question.
 * @param trusted false: looking is possible, rewinding is not.
 */
export function rewindRefusals(
  turns: readonly TurnSummary[],
  trusted: boolean,
  l10n: Localizer,
): readonly (string | null)[] {
  if (!trusted) {
    const reason = l10n.t('Rewinding needs a trusted workspace.');
    return turns.map(() => reason);
  }
  const lastChange = turns.findLastIndex((turn) => isInForce(turn) && turn.files.length > 0);
  const lastGap = turns.findLastIndex((turn) => isInForce(turn) && hasGap(turn));
  return turns.map((turn, index) => {
    if (!isInForce(turn)) return l10n.t('Already taken back.');
    const gap = hasGap(turn) ? turn : turns[lastGap];
    if (gap !== undefined && index <= lastGap) return gapReason(turn, gap, l10n);
    return index > lastChange ? l10n.t('No file changed in this turn or after it.') : null;
  });
}

/** One turn can be taken out of the middle. */
export function isRevertable(turn: TurnSummary): boolean {
  return isInForce(turn) && turn.files.length > 0 && isStored(turn);
}

/** Its files can be restored, also when it was taken back. Of an imported turn some can: asking tells which. */
export function isRestorable(turn: TurnSummary): boolean {
  return turn.files.length > 0 && (isStored(turn) || turn.imported === true);
}

function isInForce(turn: TurnSummary): boolean {
  return turn.rewoundBy === null;
}

function isStored(turn: TurnSummary): boolean {
  return turn.prunedAt === null && turn.damaged === null;
}

/** What it found is not known any more. */
function hasGap(turn: TurnSummary): boolean {
  const isPruned = turn.prunedAt !== null && turn.imported === undefined;
  return turn.damaged !== null || (isPruned && turn.files.length > 0);
}

function gapReason(turn: TurnSummary, gap: TurnSummary, l10n: Localizer): string {
  const isOwn = gap.id === turn.id;
  if (gap.damaged !== null) {
    return isOwn
      ? l10n.t('Its checkpoint cannot be read: {0}', gap.damaged)
      : l10n.t('The checkpoint of turn {0} cannot be read: {1}', gap.number, gap.damaged);
  }
  return isOwn
    ? l10n.t('Its saved states were removed to stay within the limits for size and age.')
    : l10n.t(
        'The saved states of turn {0} were removed to stay within the limits for size and age.',
        gap.number,
      );
}
