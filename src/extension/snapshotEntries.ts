/** The snapshots of a root as entries of a quick pick: those people took first, then the automatic ones by day. Pure. */
import type { SnapshotReason, SnapshotSummary } from '../core/snapshotSummary.ts';
import type { Localizer } from './localizer.ts';
import type { PickEntry } from './question.ts';
import { separatedBy } from './separatedBy.ts';
import { firstLine } from './shortText.ts';

type Item = Extract<PickEntry<SnapshotSummary>, { kind: 'item' }>;

export function snapshotEntries(
  snapshots: readonly SnapshotSummary[],
  locale: string,
  l10n: Localizer,
): readonly PickEntry<SnapshotSummary>[] {
  const day = new Intl.DateTimeFormat(locale, { dateStyle: 'full' });
  const isByHand = ({ reason }: SnapshotSummary): boolean => reason === 'person';
  const own = snapshots.filter(isByHand);
  const automatic = snapshots.filter((each) => !isByHand(each));
  return separatedBy(
    [...own, ...automatic].map((snapshot) => snapshotEntry(snapshot, locale, l10n)),
    (each) =>
      isByHand(each) ? l10n.t('Taken by hand') : l10n.t('Automatic, {0}', day.format(each.at)),
  );
}

/** What texts call it: `“before the upgrade”, 14:03`. */
export function snapshotName(
  { label, at }: SnapshotSummary,
  locale: string,
  l10n: Localizer,
): string {
  const time = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'short' });
  return l10n.t('“{0}”, {1}', firstLine(label, 60), time.format(at));
}

function snapshotEntry(snapshot: SnapshotSummary, locale: string, l10n: Localizer): Item {
  const { label, reason, turnNumber, shortId, at } = snapshot;
  const isByHand = reason === 'person';
  const format = new Intl.DateTimeFormat(locale, {
    ...(isByHand && { dateStyle: 'medium' }),
    timeStyle: 'medium',
  });
  const time = format.format(at);
  const turn = turnNumber === 0 ? [] : [l10n.t('turn {0}', turnNumber)];
  return {
    kind: 'item',
    label: isByHand ? firstLine(label, 100) : automaticLabel(reason, label, l10n),
    description: [time, ...turn, shortId].join(' · '),
    detail: whyText(reason, l10n),
    icon: icons[reason],
    value: snapshot,
  };
}

/** What nobody named says so in words. @param label of a command: what ran */
function automaticLabel(
  reason: Exclude<SnapshotReason, 'person'>,
  label: string,
  l10n: Localizer,
): string {
  switch (reason) {
    case 'command':
      return l10n.t('Automatic: {0}', firstLine(label, 100));
    case 'restore':
      return l10n.t('Automatic: before a restore');
    case 'check':
      return l10n.t('Automatic: as the folder was found');
  }
}

function whyText(reason: SnapshotReason, l10n: Localizer): string {
  switch (reason) {
    case 'person':
      return l10n.t('Taken by hand');
    case 'command':
      return l10n.t('Taken around a shell command');
    case 'restore':
      return l10n.t('Taken before another one was restored');
    case 'check':
      return l10n.t('Taken to see what is there');
  }
}

const icons: Readonly<Record<SnapshotReason, string>> = {
  person: 'device-camera',
  command: 'terminal',
  restore: 'discard',
  check: 'eye',
};
