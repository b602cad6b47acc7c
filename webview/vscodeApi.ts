/** The page's one door to the host, and the check of what comes in through it. */
import type { Intent, ToView } from '../src/protocol/messages.ts';

/** As VS Code has it: any message, any state. */
export interface PageApi {
  postMessage(message: unknown): void;
  getState(): unknown;
  setState(state: unknown): void;
}

export interface ViewApi extends PageApi {
  postMessage(intent: Intent): void;
}

declare global {
  /** Given by VS Code; can be called once. */
  function acquireVsCodeApi(): PageApi;
}

/** Our own host wrote it, so the kind is enough; anything else on the channel is not ours. */
export function isToView(message: unknown): message is ToView {
  if (typeof message !== 'object' || message === null || !('type' in message)) return false;
  return message.type === 'state' || message.type === 'announce';
}
