/** What a click on something with `data-act` asks the host for. What only concerns the page is not here. */
import type { Intent, TimelineState, TurnRow } from '../src/protocol/messages.ts';

export interface Click {
  readonly act: string | undefined;
  /** The turn it happened in, if any. */
  readonly row: TurnRow | undefined;
  readonly path: string | undefined;
  readonly snapshot: string | undefined;
}

/** Undefined when there is nothing to ask for. */
export function clickIntent(
  { act, row, path, snapshot }: Click,
  state: TimelineState,
): Intent | undefined {
  switch (act) {
    case 'previous':
    case 'next':
      return stepIntent(act, state);
    case 'undo':
      return { type: 'undo' };
    case 'showHistory':
    case 'connectAgent':
    case 'showLog':
    case 'refresh':
      return { type: 'command', command: act };
    case 'readTurn':
      return row && { type: 'readTurn', turn: row.id };
    case 'compareSnapshot':
    case 'restoreSnapshot':
      return snapshot === undefined ? undefined : { type: act, snapshot };
    case 'openTurn':
      return row && { type: 'openTurn', turn: row.id };
    case 'openDiff':
      return row && path !== undefined ? { type: 'openDiff', turn: row.id, path } : undefined;
    default:
      return undefined;
  }
}

/** Undefined at the end of the session in that direction. */
export function stepIntent(
  act: 'previous' | 'next',
  { cursor, total }: TimelineState,
): Intent | undefined {
  return (act === 'previous' ? cursor > 1 : cursor < total) ? { type: act } : undefined;
}
