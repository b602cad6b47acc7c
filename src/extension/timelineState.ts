/** Builds the state that the timeline page shows: the window of rows, and why a turn cannot be rewound. Pure. */
import type { TurnSummary } from '../core/timeline.ts';
import { type TimelineState, type TurnRow, windowSize } from '../protocol/messages.ts';
import type { Localizer } from './localizer.ts';
import { cutText } from './shortText.ts';
import { rewindRefusals } from './turnChecks.ts';

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
  const refusals = rewindRefusals(turns, trusted, l10n);
  const rows = turns
    .slice(offset, offset + windowSize)
    .map((turn, index) => turnRow(turn, refusals[offset + index] ?? null));
  return { type: 'state', ...rest, total: turns.length, offset, rows };
}

/** Index of the first row of a window around `center`; the window never leaves the list. */
export function windowOffset(total: number, center: number): number {
  return Math.max(0, Math.min(center - Math.floor(windowSize / 2), total - windowSize));
}

function turnRow(turn: TurnSummary, blocked: string | null): TurnRow {
  return {
    ...turn,
    prompt: cutText(turn.prompt, rowTextLength),
    reply: turn.reply === null ? null : cutText(turn.reply, rowTextLength),
    blocked,
  };
}
