/** Ids of nodes: made from the session and the turn, so that the same message has the same id whoever records it. */
import crypto from 'node:crypto';

/** Sequence numbers of turns that only a transcript tells stand below those of checkpoints, which begin with 1. */
export const importedFrom = -1_000_000;

const prefixes = new Map<string, string>();

/** Letters, digits and hyphens only: it names files and branches. */
export function nodeId(
  session: string,
  turnSeq: number,
  role: 'user' | 'assistant' | 'tool',
  index?: number,
): string {
  let prefix = prefixes.get(session);
  if (prefix === undefined) {
    prefix = crypto.createHash('sha256').update(session).digest('hex').slice(0, 12);
    if (prefixes.size > 10_000) prefixes.clear();
    prefixes.set(session, prefix);
  }
  const turn = turnSeq > 0 ? String(turnSeq) : `i${turnSeq - importedFrom}`;
  return `${prefix}-${turn}-${role[0]}${index ?? ''}`;
}
