/** The two states of a file that a turn stands between, as entries of a quick pick. Pure. */
import type { Side } from '../app/timelineApp.ts';
import type { Plan } from './conflictChoice.ts';
import { type Localizer, lineSum } from './localizer.ts';
import type { PickEntry } from './question.ts';

/** What restoring a side would do, or why it cannot be done: a sentence. */
export type Outlook = Plan | { readonly refused: string };

export function restoreEntries(
  turn: number,
  outlooks: Readonly<Record<Side, Outlook>>,
  l10n: Localizer,
): readonly PickEntry<Side>[] {
  const entry = (side: Side, label: string): PickEntry<Side> => ({
    kind: 'item',
    label,
    description: outlookText(outlooks[side], l10n),
    detail: '',
    value: side,
  });
  return [
    entry('before', l10n.t('Before Turn {0}', turn)),
    entry('after', l10n.t('After Turn {0}', turn)),
  ];
}

function outlookText(outlook: Outlook, l10n: Localizer): string {
  if ('refused' in outlook) return outlook.refused;
  const { paths, conflicts, notRestorable } = outlook;
  const [refusal] = notRestorable;
  if (refusal !== undefined) return refusal.reason;
  if (conflicts.length > 0) return l10n.t('asks first: it was changed since');
  const [path] = paths;
  switch (path?.act) {
    case 'delete':
      return l10n.t('deletes it: it was not there');
    case 'create':
      return l10n.t('makes it again');
    case 'write':
      return [l10n.t('puts it back'), lineSum(path.added, path.removed)]
        .filter((part) => part !== '')
        .join(' · ');
    default:
      return l10n.t('what it is now');
  }
}
