/** Words about what a snapshot holds and what it left out. Pure. */
import type { TakenSnapshot } from '../app/timelineApp.ts';
import { countFiles, type Localizer } from './localizer.ts';
import { firstFew } from './shortText.ts';

const mostNamed = 3;

/** What was left out although nobody asked for that: for its size, its kind, or because it cannot be read. Null: nothing. */
export function skippedText(
  { skipped, skippedCounts }: TakenSnapshot,
  l10n: Localizer,
): string | null {
  const { ignored = 0, excluded = 0, ...odd } = skippedCounts;
  const count = Object.values(odd).reduce((sum, each) => sum + each, 0);
  if (count === 0) return null;
  const named = skipped.filter(({ reason }) => reason !== 'ignored' && reason !== 'excluded');
  const { few } = firstFew(named, mostNamed);
  const names = few.map(({ path }) => path).join(', ');
  return l10n.t('Not in it, too large or unreadable: {0} ({1}).', countFiles(l10n, count), names);
}
