/** What a person can choose for a file in conflict, and the entries of the quick picks that let them. Pure. */
import type { ConflictPath, Mergeability, RewindPreview } from '../core/timeline.ts';
import { countFiles, type Localizer } from './localizer.ts';
import type { PickEntry } from './question.ts';

/** What any going back would do: the part that all previews have. */
export type Plan = Pick<RewindPreview, 'paths' | 'conflicts' | 'notRestorable'>;

export type FileChoice = 'keep' | 'take' | 'merge';
/** Path -> choice, for every conflict of a plan. */
export type FileChoices = ReadonlyMap<string, FileChoice>;

/** What is picked in the list of conflicts. */
export type ChooserPick =
  | { readonly kind: 'go' }
  | { readonly kind: 'file'; readonly conflict: ConflictPath }
  | { readonly kind: 'compare'; readonly conflict: ConflictPath }
  | { readonly kind: 'all'; readonly choice: FileChoice };

/** The same for every file; where one cannot be merged it is kept instead. */
export function sameChoice(conflicts: readonly ConflictPath[], choice: FileChoice): FileChoices {
  return new Map(
    conflicts.map(({ path, merge }) => [
      path,
      choice === 'merge' && merge === 'impossible' ? 'keep' : choice,
    ]),
  );
}

/** @param next path of the file that Enter opens; without one Enter goes on. */
export function chooserEntries(
  conflicts: readonly ConflictPath[],
  choices: FileChoices,
  next: string | undefined,
  go: string,
  l10n: Localizer,
): readonly PickEntry<ChooserPick>[] {
  const files = conflicts.map(
    (conflict): PickEntry<ChooserPick> => ({
      kind: 'item',
      label: conflict.path,
      description: chosenLabel(conflict, choices, l10n),
      detail: conflict.reason,
      value: { kind: 'file', conflict },
      buttons: [
        {
          icon: 'compare-changes',
          tooltip: l10n.t('Compare Mine with the Old State'),
          value: { kind: 'compare', conflict },
        },
      ],
      active: conflict.path === next,
    }),
  );
  return [
    {
      kind: 'item',
      label: go,
      description: choicesSummary(choices, l10n),
      detail: '',
      value: { kind: 'go' },
      active: next === undefined,
    },
    { kind: 'separator', label: l10n.t('files in conflict') },
    ...files,
    ...(conflicts.length > 1 ? forAllEntries(conflicts, l10n) : []),
  ];
}

/** The choices for one file, the present one first under Enter. */
export function fileEntries(
  { act, merge }: ConflictPath,
  chosen: FileChoice,
  l10n: Localizer,
): readonly PickEntry<FileChoice>[] {
  const taken = {
    write: l10n.t('The file goes back to the old state.'),
    create: l10n.t('The file is made again as it was.'),
    delete: l10n.t('The file did not exist then: it is deleted.'),
    none: l10n.t('The file is in the old state already; what is unsaved goes.'),
  };
  const details: Readonly<Record<FileChoice, string>> = {
    keep: l10n.t('The file stays as it is.'),
    take: `${taken[act]} ${l10n.t('Undo brings yours back.')}`,
    merge: mergeNote(merge, l10n),
  };
  const possible: readonly FileChoice[] =
    merge === 'impossible' ? ['keep', 'take'] : ['keep', 'take', 'merge'];
  return possible.map((choice) => ({
    kind: 'item',
    label: choiceLabel(choice, l10n),
    description: choice === chosen ? l10n.t('chosen') : '',
    detail: details[choice],
    value: choice,
    active: choice === chosen,
  }));
}

/** What a merge would come to, as a sentence. */
export function mergeNote(merge: Mergeability | undefined, l10n: Localizer): string {
  switch (merge) {
    case 'clean':
      return l10n.t('Your changes and the old state do not overlap: both fit.');
    case 'byHand':
      return l10n.t('Your changes and the old state overlap: the merge editor opens.');
    case 'impossible':
      return l10n.t('The two cannot be merged.');
    case undefined:
      return l10n.t('The editor is saved first. Where changes overlap, the merge editor opens.');
  }
}

function chosenLabel({ path, merge }: ConflictPath, choices: FileChoices, l10n: Localizer): string {
  const choice = choices.get(path) ?? 'keep';
  return choice === 'merge' && merge === 'byHand'
    ? l10n.t('Merge, in the merge editor')
    : choiceLabel(choice, l10n);
}

function choiceLabel(choice: FileChoice, l10n: Localizer): string {
  switch (choice) {
    case 'keep':
      return l10n.t('Keep Mine');
    case 'take':
      return l10n.t('Take the Old State');
    case 'merge':
      return l10n.t('Merge');
  }
}

function forAllEntries(
  conflicts: readonly ConflictPath[],
  l10n: Localizer,
): readonly PickEntry<ChooserPick>[] {
  const count = conflicts.filter(({ merge }) => merge !== 'impossible').length;
  const all = (label: string, choice: FileChoice, detail = ''): PickEntry<ChooserPick> => ({
    kind: 'item',
    label,
    description: '',
    detail,
    value: { kind: 'all', choice },
  });
  const rest = conflicts.length - count;
  return [
    { kind: 'separator', label: l10n.t('for all files') },
    all(l10n.t('Keep Mine for All'), 'keep'),
    all(l10n.t('Take the Old State for All'), 'take'),
    ...(count === 0
      ? []
      : [
          all(
            l10n.t('Merge All'),
            'merge',
            rest === 0 ? '' : l10n.t('{0} cannot be merged: kept.', countFiles(l10n, rest)),
          ),
        ]),
  ];
}

/** `1 to keep, 2 to merge`. */
function choicesSummary(choices: FileChoices, l10n: Localizer): string {
  const count = (wanted: FileChoice): number =>
    [...choices.values()].filter((choice) => choice === wanted).length;
  const parts: readonly [FileChoice, (n: number) => string][] = [
    ['keep', (n) => l10n.t('{0} to keep', n)],
    ['take', (n) => l10n.t('{0} to put back', n)],
    ['merge', (n) => l10n.t('{0} to merge', n)],
  ];
  return parts
    .map(([choice, words]) => [count(choice), words] as const)
    .flatMap(([n, words]) => (n === 0 ? [] : [words(n)]))
    .join(', ');
}
