/** Turns as entries of a quick pick: label, description, detail, and separators by day or session. Pure. */
import type { Change, TouchSummary, TurnSummary } from '../core/timeline.ts';
import { countFiles, type Localizer, lineSum, spokenAgent } from './localizer.ts';
import type { PickEntry } from './question.ts';
import { separatedBy } from './separatedBy.ts';
import { firstFew, firstLine } from './shortText.ts';

/** Newest first, separated by day. */
export function turnEntries(
  turns: readonly TurnSummary[],
  locale: string,
  l10n: Localizer,
): readonly PickEntry<TurnSummary>[] {
  const day = new Intl.DateTimeFormat(locale, { dateStyle: 'full' });
  return separatedBy(
    turns.toReversed().map((turn) => turnEntry(turn, locale, l10n)),
    (turn) => day.format(turn.startedAt),
  );
}

/** Lines of all files together: `+12 −3`. */
export function lineCounts(files: readonly TouchSummary[]): string {
  const sum = (of: (file: TouchSummary) => number | null): number =>
    files.reduce((total, file) => total + (of(file) ?? 0), 0);
  return lineSum(
    sum((file) => file.added),
    sum((file) => file.removed),
  );
}

type Item = Extract<PickEntry<TurnSummary>, { kind: 'item' }>;

function turnEntry(turn: TurnSummary, locale: string, l10n: Localizer): Item {
  const time = new Intl.DateTimeFormat(locale, { timeStyle: 'short' }).format(turn.startedAt);
  const { few, more } = firstFew(turn.files, 4);
  const names = few.map((file) => file.path).join(', ');
  return {
    kind: 'item',
    label: l10n.t('Turn {0}: {1}', turn.number, firstLine(turn.prompt, 100)),
    description: [
      spokenAgent(l10n, turn.agent),
      time,
      ...(turn.rewoundBy === null ? [] : [l10n.t('taken back')]),
      ...(turn.end === 'running' ? [l10n.t('running')] : []),
      ...(turn.prunedAt === null ? [] : [l10n.t('states removed')]),
    ].join(' · '),
    detail:
      turn.files.length === 0
        ? l10n.t('No files changed')
        : [
            countFiles(l10n, turn.files.length),
            lineCounts(turn.files),
            more > 0 ? l10n.t('{0} and {1} more', names, more) : names,
          ]
            .filter((part) => part !== '')
            .join(' · '),
    value: turn,
  };
}

/** The files of one turn. */
export function fileEntries(
  turn: TurnSummary,
  l10n: Localizer,
): readonly PickEntry<TouchSummary>[] {
  const changes: Readonly<Record<Change, string>> = {
    added: l10n.t('added'),
    modified: l10n.t('modified'),
    deleted: l10n.t('deleted'),
    mode: l10n.t('permissions changed'),
    type: l10n.t('type changed'),
  };
  return turn.files.map((file) => ({
    kind: 'item',
    label: file.path,
    description: [changes[file.change], lineSum(file.added, file.removed)]
      .filter((part) => part !== '')
      .join(' · '),
    detail: '',
    value: file,
  }));
}
