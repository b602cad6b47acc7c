/** How the mirror of a session stands, in a sentence. Pure. */
import type { MirrorState } from '../core/history.ts';
import type { Localizer } from './localizer.ts';

/** Null when there is nothing to tell: it has all turns, and so has its remote. */
export function mirrorSentence(
  { behind, failure, remote, pushFailure }: MirrorState,
  l10n: Localizer,
): string | null {
  if (failure !== null && behind === 1)
    return l10n.t('The mirror lacks the newest turn: {0}', failure);
  if (failure !== null) return l10n.t('The mirror lacks {0} turns: {1}', behind, failure);
  if (remote !== null && pushFailure !== null)
    return l10n.t('The mirror could not be pushed to {0}: {1}', remote, pushFailure);
  return null;
}
