/** The operations of this window as entries of a quick pick, newest first, by day. Pure. */
import type { Root } from '../core/ids.ts';
import type { OperationKind, OperationSummary, Partly } from '../core/timeline.ts';
import { countFiles, type Localizer } from './localizer.ts';
import type { PickEntry } from './question.ts';
import { separatedBy } from './separatedBy.ts';
import { firstFew } from './shortText.ts';

export interface OperationInRoot {
  readonly operation: OperationSummary;
  readonly root: Root;
  /** Name of its workspace folder; null where there is just one. */
  readonly folder: string | null;
}

export function operationEntries(
  operations: readonly OperationInRoot[],
  locale: string,
  l10n: Localizer,
): readonly PickEntry<OperationInRoot>[] {
  const day = new Intl.DateTimeFormat(locale, { dateStyle: 'full' });
  const sorted = operations.toSorted((a, b) => b.operation.at - a.operation.at);
  return separatedBy(
    sorted.map((one) => operationEntry(one, locale, l10n)),
    ({ operation }) => day.format(operation.at),
  );
}

/** Why an operation cannot be taken back, as a sentence; null when it can. */
export function undoRefusal({ undone, pruned }: OperationSummary, l10n: Localizer): string | null {
  if (undone) return l10n.t('It has been undone already.');
  if (pruned) {
    return l10n.t('What it replaced was removed to stay within the limits for size and age.');
  }
  return null;
}

type Item = Extract<PickEntry<OperationInRoot>, { kind: 'item' }>;

function operationEntry(one: OperationInRoot, locale: string, l10n: Localizer): Item {
  const { operation, folder } = one;
  const time = new Intl.DateTimeFormat(locale, { timeStyle: 'short' }).format(operation.at);
  const canUndo = undoRefusal(operation, l10n) === null;
  return {
    kind: 'item',
    label: operation.label,
    icon: icons[operation.kind],
    description: [
      time,
      ...(folder === null ? [] : [folder]),
      ...(operation.partly ? [keptText(operation.partly, l10n)] : []),
      ...(operation.undone ? [l10n.t('undone')] : []),
      ...(operation.pruned ? [l10n.t('states removed')] : []),
    ].join(' · '),
    detail: pathsLine(operation.paths, l10n),
    value: one,
    buttons: canUndo ? [{ icon: 'discard', tooltip: l10n.t('Undo'), value: one }] : [],
  };
}

function keptText({ kept }: Partly, l10n: Localizer): string {
  return l10n.t('in part: {0} kept', countFiles(l10n, kept.length));
}

const icons: Readonly<Record<OperationKind, string>> = {
  rewind: 'history',
  revert: 'git-commit',
  restore: 'file',
  redo: 'discard',
};

function pathsLine(paths: readonly string[], l10n: Localizer): string {
  if (paths.length === 0) return l10n.t('No files changed');
  const { few, more } = firstFew(paths, 4);
  const names = few.join(', ');
  const list = more > 0 ? l10n.t('{0} and {1} more', names, more) : names;
  return `${countFiles(l10n, paths.length)} · ${list}`;
}
