/** Builds the state that the timeline page shows: the window of rows, and why a turn cannot be rewound. Pure. */
import type { TurnSummary } from '../core/timeline.ts';
import { type TimelineState, type TurnRow, windowSize } from '../protocol/messages.ts';
import type { Localizer } from './localizer.ts';
import { cutText } from './shortText.ts';

const rowTextLength = 300;

export interface TimelineFacts
  extends Omit<TimelineState, 'type' | 'total' | 'offset' | 'rows' | 'session'> {
  readonly session: string | null;
  /** All turns of the session, oldest first. */
  readonly turns: readonly TurnSummary[];
  /** Index of the turn that the window is laid around. */
  readonly center: number;
  /** False in a workspace that is not trusted: looking is possible, rewinding is not. */
  readonly trusted: boolean;
}

export function timelineState(facts: TimelineFacts, l10n: Localizer): TimelineState {
  const { turns, center, trusted, ...rest } = facts;
  const offset = windowOffset(turns.length, center);
  const firstUseless = afterLastChange(turns);
  const rows = turns
    .slice(offset, offset + windowSize)
    .map((turn, index) => turnRow(turn, blocked(turn, offset + index < firstUseless)));
  return { type: 'state', ...rest, total: turns.length, offset, rows };

  function blocked(turn: TurnSummary, hasChanges: boolean): string | null {
    return blockedReason(turn, hasChanges, trusted, l10n);
  }
}

/** Index of the first row of a window around `center`; the window never leaves the list. */
export function windowOffset(total: number, center: number): number {
  return Math.max(0, Math.min(center - Math.floor(windowSize / 2), total - windowSize));
}

/** Why a turn cannot be rewound, as a sentence; null when it can. A running turn can, after a question. */
export function blockedReason(
  turn: TurnSummary,
  hasChanges: boolean,
  trusted: boolean,
  l10n: Localizer,
): string | null {
  if (!trusted) return l10n.t('Rewinding needs a trusted workspace.');
  if (turn.damaged !== null) return l10n.t('Its checkpoint cannot be read: {0}', turn.damaged);
  if (turn.rewoundBy !== null) return l10n.t('Already taken back by a rewind.');
  if (!hasChanges) return l10n.t('No file changed in this turn or after it.');
  return null;
}

/** One past the index of the last turn that changed a file and is in force: rewinding from there on does nothing. */
export function afterLastChange(turns: readonly TurnSummary[]): number {
  return turns.findLastIndex((turn) => turn.files.length > 0 && turn.rewoundBy === null) + 1;
}

function turnRow(turn: TurnSummary, blocked: string | null): TurnRow {
  return {
    ...turn,
    prompt: cutText(turn.prompt, rowTextLength),
    reply: turn.reply === null ? null : cutText(turn.reply, rowTextLength),
    blocked,
  };
}
