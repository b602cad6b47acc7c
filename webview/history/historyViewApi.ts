/** The page's one door to the host, and the check of what comes in through it. */
import type { HistoryIntent, ToHistoryView } from '../../src/protocol/historyMessages.ts';

export interface HistoryViewApi {
  postMessage(intent: HistoryIntent): void;
  /** What VS Code gives back to the host when it brings the tab back. */
  setState(state: { readonly session: string }): void;
}

/** Our own host wrote it, so the kind is enough; anything else on the channel is not ours. */
export function isToHistoryView(message: unknown): message is ToHistoryView {
  if (typeof message !== 'object' || message === null || !('type' in message)) return false;
  return message.type === 'history' || message.type === 'announce';
}
