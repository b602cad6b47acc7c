/** Builds the state that the timeline page shows: the window of rows, and why a turn cannot be rewound. Pure. */

import { lineSums } from '../core/lineSums.ts';
import type { SnapshotSummary } from '../core/snapshotSummary.ts';
import { takenInPart } from '../core/takenInPart.ts';
import type { OperationSummary, TurnSummary } from '../core/timeline.ts';
import {
  filesShown,
  type RowOperation,
  type RowSnapshot,
  type TimelineState,
  type TurnRow,
  windowSize,
} from '../protocol/messages.ts';
import type { Localizer } from './localizer.ts';
import { cutBlock, firstLine } from './shortText.ts';
import { rewindRefusals } from './turnChecks.ts';

const rowTextLength = 300;
const rowTextLines = 8;
const snapshotsPerRow = 20;

export interface TimelineFacts
  extends Omit<TimelineState, 'type' | 'total' | 'offset' | 'rows' | 'session'> {
  readonly session: string | null;
  /** All turns of the session, oldest first. */
  readonly turns: readonly TurnSummary[];
  /** Those of the root, newest first. */
  readonly operations: readonly OperationSummary[];
  /** Those of the root, newest first. */
  readonly snapshots: readonly SnapshotSummary[];
  /** Index of the turn that the window is laid around. */
  readonly center: number;
  /** False in a workspace that is not trusted: looking is possible, rewinding is not. */
  readonly trusted: boolean;
}

export function timelineState(facts: TimelineFacts, l10n: Localizer): TimelineState {
  const { turns, operations, snapshots, center, trusted, ...rest } = facts;
  const offset = windowOffset(turns.length, center);
  const refusals = rewindRefusals(turns, trusted, l10n);
  const rows = turns.slice(offset, offset + windowSize).map((turn, index) => ({
    ...turnRow(turn, operations, refusals[offset + index] ?? null),
    ...snapshotsAt(offset + index, turns, snapshots),
  }));
  return { type: 'state', ...rest, total: turns.length, offset, rows };
}

/** Index of the first row of a window around `center`; the window never leaves the list. */
export function windowOffset(total: number, center: number): number {
  return Math.max(0, Math.min(center - Math.floor(windowSize / 2), total - windowSize));
}

function turnRow(
  turn: TurnSummary,
  operations: readonly OperationSummary[],
  blocked: string | null,
): Omit<TurnRow, 'snapshots' | 'snapshotsBefore'> {
  const prompt = cutBlock(turn.prompt, rowTextLength, rowTextLines);
  const reply = turn.reply === null ? null : cutBlock(turn.reply, rowTextLength, rowTextLines);
  const isCut = prompt !== turn.prompt.trim() || (reply ?? '') !== (turn.reply ?? '').trim();
  const taking = operations.find(({ id }) => id === turn.rewoundBy);
  return {
    ...turn,
    files: turn.files.slice(0, filesShown),
    fileCount: turn.files.length,
    lines: lineSums(turn.files),
    prompt,
    reply,
    cut: isCut,
    takenBack: taking === undefined ? null : rowOperation(taking),
    partly: partlyOf(turn, operations),
    blocked,
  };
}

function partlyOf(turn: TurnSummary, operations: readonly OperationSummary[]): TurnRow['partly'] {
  const part = takenInPart(turn, operations);
  return part === undefined ? null : { ...rowOperation(part.operation), kept: part.kept };
}

function rowOperation({ label, at }: OperationSummary): RowOperation {
  return { label, at };
}

/** The lines that belong to the turn at this index. */
function snapshotsAt(
  index: number,
  turns: readonly TurnSummary[],
  snapshots: readonly SnapshotSummary[],
): Pick<TurnRow, 'snapshots' | 'snapshotsBefore'> {
  const own = turns[index]?.startedAt ?? 0;
  const next = turns[index + 1]?.startedAt ?? Number.POSITIVE_INFINITY;
  const lines = (from: number, to: number): readonly RowSnapshot[] =>
    snapshots
      .filter(({ reason, at }) => reason === 'person' && at >= from && at < to)
      .slice(0, snapshotsPerRow)
      .map(({ id, label, at }) => ({ id, label: firstLine(label, 100), at }));
  return {
    snapshots: lines(own, next),
    snapshotsBefore: index === 0 ? lines(Number.NEGATIVE_INFINITY, own) : [],
  };
}
