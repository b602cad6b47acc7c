/** The words after a rewind, revert, restore or undo: what it changed. Pure. */
import { memoryLabel } from '../core/memoryLabel.ts';
import type { OperationKind, OperationReport, PathOutcome, PathResult } from '../core/timeline.ts';
import { countFiles, type Localizer, type Moment, momentText } from './localizer.ts';

/** What was done, as people call it. */
export type Act =
  | { readonly kind: 'rewind'; readonly turn: number }
  | { readonly kind: 'revert'; readonly turn: number }
  | ({ readonly kind: 'restore'; readonly path: string } & Moment)
  | { readonly kind: 'snapshot'; readonly name: string }
  | { readonly kind: 'undo'; readonly of: OperationKind };

/**
 * One sentence for the notification afterwards.
 * @param byHand paths that the merge editor opens for; they are among the kept ones.
 */
export function reportSentence(
  report: OperationReport,
  act: Act,
  byHand: ReadonlySet<string>,
  l10n: Localizer,
): string {
  const count = (isCounted: (outcome: PathOutcome) => boolean): number =>
    report.paths.filter(isCounted).length;
  const merged = count(({ result }) => result === 'merged');
  const kept = count(({ result, path }) => result === 'kept' && !byHand.has(path));
  const lost = count(({ result }) => result === 'notRestorable');
  return [
    headOf(report, act, byHand, l10n),
    ...(merged > 0 && act.kind !== 'restore'
      ? [l10n.t('{0} merged.', countFiles(l10n, merged))]
      : []),
    ...keptSentence(kept, l10n),
    ...(act.kind === 'restore' ? [] : handSentence(byHand.size, l10n)),
    ...(lost > 0 ? [l10n.t('{0} could not be restored.', countFiles(l10n, lost))] : []),
    ...memorySentence(report, l10n),
  ].join(' ');
}

function memorySentence({ memory = [] }: OperationReport, l10n: Localizer): readonly string[] {
  if (memory.length === 0) return [];
  const kept = memory.filter(({ result }) => result === 'kept').length;
  return kept === 0
    ? [l10n.t('Memory went with it.')]
    : [l10n.t('Memory went with it, but for {0} changed since.', countFiles(l10n, kept))];
}

/** Something in the report is worth reading beyond its sentence. */
export function hasDetails(report: OperationReport): boolean {
  return outcomesOf(report).some(({ result }) => result === 'kept' || result === 'notRestorable');
}

/** Every path with what happened to it and why, the unexpected first. */
export function reportDetail(report: OperationReport, l10n: Localizer): string {
  const surprise = (outcome: PathOutcome): number => (isChange(outcome.result) ? 1 : 0);
  const sorted = outcomesOf(report)
    .filter((outcome) => outcome.result !== 'unchanged')
    .toSorted((a, b) => surprise(a) - surprise(b));
  return sorted
    .map(({ path, result, why }) => `${resultText(result, l10n)}: ${path}. ${why}`)
    .join('\n');
}

function resultText(result: PathResult, l10n: Localizer): string {
  const texts: Readonly<Record<PathResult, string>> = {
    restored: l10n.t('Restored'),
    recreated: l10n.t('Created again'),
    deleted: l10n.t('Deleted'),
    merged: l10n.t('Merged'),
    kept: l10n.t('Kept'),
    unchanged: l10n.t('Unchanged'),
    notRestorable: l10n.t('Not restorable'),
  };
  return texts[result];
}

/** Of files, and of memory by names that tell it apart. */
function outcomesOf({ paths, memory = [] }: OperationReport): readonly PathOutcome[] {
  return [...paths, ...memory.map((outcome) => ({ ...outcome, path: memoryLabel(outcome.path) }))];
}

function headOf(
  report: OperationReport,
  act: Act,
  byHand: ReadonlySet<string>,
  l10n: Localizer,
): string {
  if (report.operation === null) return l10n.t('Nothing was changed.');
  const files = countFiles(l10n, report.paths.filter((path) => isChange(path.result)).length);
  switch (act.kind) {
    case 'rewind':
      return l10n.t('Rewound to before turn {0}: {1} changed.', act.turn, files);
    case 'revert':
      return l10n.t('Turn {0} is taken out: {1} changed.', act.turn, files);
    case 'restore':
      return restoredHead(report, act, byHand, l10n);
    case 'snapshot':
      return l10n.t('The folder is back to {0}: {1} changed.', act.name, files);
    case 'undo':
      return undoneHead(act.of, files, l10n);
  }
}

function restoredHead(
  report: OperationReport,
  { path, ...moment }: Act & { kind: 'restore' },
  byHand: ReadonlySet<string>,
  l10n: Localizer,
): string {
  const when = momentText(l10n, moment);
  if (byHand.has(path)) return l10n.t('{0} is yours to merge with what it was {1}.', path, when);
  return report.paths.some(({ result }) => result === 'merged')
    ? l10n.t('{0} is merged with what it was {1}.', path, when)
    : l10n.t('{0} is what it was {1}.', path, when);
}

function undoneHead(of: OperationKind, files: string, l10n: Localizer): string {
  switch (of) {
    case 'rewind':
      return l10n.t('The rewind is undone: {0} changed.', files);
    case 'revert':
      return l10n.t('The revert is undone: {0} changed.', files);
    case 'restore':
      return l10n.t('The restore is undone: {0} changed.', files);
    case 'redo':
      return l10n.t('The undo is taken back: {0} changed.', files);
  }
}

function keptSentence(count: number, l10n: Localizer): readonly string[] {
  if (count === 0) return [];
  return [
    count === 1
      ? l10n.t('1 file kept as you left it.')
      : l10n.t('{0} files kept as you left them.', count),
  ];
}

function handSentence(count: number, l10n: Localizer): readonly string[] {
  if (count === 0) return [];
  return [
    count === 1
      ? l10n.t('1 file is yours to merge.')
      : l10n.t('{0} files are yours to merge.', count),
  ];
}

function isChange(result: PathResult): boolean {
  return result !== 'kept' && result !== 'unchanged' && result !== 'notRestorable';
}
