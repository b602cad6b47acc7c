/** What a click on something with `data-act` asks the host for. */
import type { HistoryIntent, HistoryState } from '../../src/protocol/historyMessages.ts';

export interface HistoryClick {
  readonly act: string | undefined;
  readonly turn?: string | undefined;
  readonly message?: string | undefined;
}

/** Undefined when there is nothing to ask for. */
export function historyIntent(
  { act, turn, message }: HistoryClick,
  { position, open }: HistoryState,
): HistoryIntent | undefined {
  switch (act) {
    case 'prev':
      return position.index > 0 ? { type: 'step', step: 'prev' } : undefined;
    case 'next':
      return position.index < position.count ? { type: 'step', step: 'next' } : undefined;
    case 'latest':
      return { type: 'step', step: 'latest' };
    case 'openTurn':
      return turn === undefined ? undefined : { type: 'openTurn', turn };
    case 'goTo':
    case 'showChanges':
      return open === null ? undefined : { type: act, turn: open.id };
    case 'openHit':
    case 'readMessage':
      return turn === undefined || message === undefined ? undefined : { type: act, turn, message };
    case 'readAll':
    case 'openMirror':
      return { type: act };
    default:
      return undefined;
  }
}
