/** The words around a rewind: what it would change, what it changed. Pure. */
import type {
  ConflictPath,
  OperationReport,
  PathOutcome,
  PathResult,
  PlannedAct,
  PlannedPath,
  RewindPreview,
  TurnSummary,
} from '../core/timeline.ts';
import { countFiles, countTurns, type Localizer, lineSum } from './localizer.ts';
import type { Choice, Question } from './question.ts';
import { firstFew, firstLine } from './shortText.ts';

/** Names listed per paragraph. */
const listLength = 10;

export type ConflictAnswer = 'keep' | 'take';
export type RewindAnswer = ConflictAnswer | 'preview';

/** What a rewind or a redo would do: the part of a preview that both have. */
type Plan = Pick<RewindPreview, 'paths' | 'conflicts' | 'notRestorable'>;

/** @param unsaved paths of the plan whose editors hold unsaved changes. */
export function rewindQuestion(
  preview: RewindPreview,
  unsaved: ReadonlySet<string>,
  l10n: Localizer,
): Question<RewindAnswer> {
  const detail = [
    turnsLine(preview, l10n),
    ...planParagraphs(preview, unsaved, l10n),
    ...preview.warnings,
    l10n.t('The present state is saved first, so the rewind can be undone.'),
  ];
  return {
    message: l10n.t('Rewind to before turn {0}?', preview.turn.number),
    detail: detail.join('\n\n'),
    choices: [{ id: 'preview', label: l10n.t('Show Preview') }, ...answers(preview, l10n)],
  };
}

/** Asked only when something stands in the way of undoing a rewind. */
export function redoQuestion(
  plan: Plan,
  label: string,
  unsaved: ReadonlySet<string>,
  l10n: Localizer,
): Question<ConflictAnswer> {
  const [keep, take] = conflictChoices(l10n);
  return {
    message: l10n.t('Undo “{0}”?', label),
    detail: planParagraphs(plan, unsaved, l10n).join('\n\n'),
    choices: [
      { ...keep, label: l10n.t('Undo and Keep My Changes') },
      { ...take, label: l10n.t('Undo and Overwrite My Changes') },
    ],
  };
}

export function runningQuestion(turn: TurnSummary, l10n: Localizer): Question<'force'> {
  return {
    message: l10n.t('The agent is still working on turn {0}.', turn.number),
    detail: l10n.t(
      'It may write files while they are being restored. Stop the agent first, or rewind anyway: the turn is then closed as it stands.',
    ),
    choices: [{ id: 'force', label: l10n.t('Rewind Anyway…') }],
  };
}

export function changesSomething(plan: Plan): boolean {
  return plan.conflicts.length > 0 || plan.paths.some((path) => path.act !== 'none');
}

/** One sentence for the notification after a rewind or redo. */
export function reportSentence(
  report: OperationReport,
  turnNumber: number | undefined,
  l10n: Localizer,
): string {
  const changed = report.paths.filter((path) => isChange(path.result)).length;
  const kept = report.paths.filter((path) => path.result === 'kept').length;
  const lost = report.paths.filter((path) => path.result === 'notRestorable').length;
  return [
    reportHead(report, changed, turnNumber, l10n),
    ...(kept > 0 ? [l10n.t('{0} kept as you left it.', countFiles(l10n, kept))] : []),
    ...(lost > 0 ? [l10n.t('{0} could not be restored.', countFiles(l10n, lost))] : []),
  ].join(' ');
}

function reportHead(
  report: OperationReport,
  changed: number,
  turnNumber: number | undefined,
  l10n: Localizer,
): string {
  if (report.operation === null) return l10n.t('Nothing was changed.');
  const files = countFiles(l10n, changed);
  return report.kind === 'redo' || turnNumber === undefined
    ? l10n.t('The rewind is undone: {0} changed.', files)
    : l10n.t('Rewound to before turn {0}: {1} changed.', turnNumber, files);
}

/** Something in the report is worth reading beyond its sentence. */
export function hasDetails(report: OperationReport): boolean {
  return report.paths.some((path) => path.result === 'kept' || path.result === 'notRestorable');
}

/** Every path with what happened to it and why, the unexpected first. */
export function reportDetail(report: OperationReport): string {
  const surprise = (outcome: PathOutcome): number => (isChange(outcome.result) ? 1 : 0);
  const sorted = report.paths
    .filter((outcome) => outcome.result !== 'unchanged')
    .toSorted((a, b) => surprise(a) - surprise(b));
  return sorted.map((outcome) => `${outcome.path}: ${outcome.why}`).join('\n');
}

function isChange(result: PathResult): boolean {
  return result !== 'kept' && result !== 'unchanged' && result !== 'notRestorable';
}

function turnsLine(preview: RewindPreview, l10n: Localizer): string {
  const prompt = firstLine(preview.turn.prompt, 80);
  const last = preview.turns.at(-1) ?? preview.turn;
  if (last.id === preview.turn.id) return l10n.t('Takes back this turn: “{0}”.', prompt);
  return l10n.t(
    'Takes back {0}, from “{1}” to “{2}”.',
    countTurns(l10n, preview.turns.length),
    prompt,
    firstLine(last.prompt, 80),
  );
}

function planParagraphs(plan: Plan, unsaved: ReadonlySet<string>, l10n: Localizer): string[] {
  const changes = plan.paths.filter((path) => path.act !== 'none');
  const inEditor = plan.conflicts.filter((conflict) => unsaved.has(conflict.path));
  const onDisk = plan.conflicts.filter((conflict) => !unsaved.has(conflict.path));
  const unverified = changes.filter((path) => path.unverified).map((path) => path.path);
  return [
    ...paragraph(
      l10n.t('Changes {0}:', countFiles(l10n, changes.length)),
      changes.map((path) => changeLine(path, l10n)),
      l10n,
    ),
    ...paragraph(
      inEditor.length === 1
        ? l10n.t(
            '1 editor has unsaved changes. Its file is left alone unless you choose otherwise:',
          )
        : l10n.t(
            '{0} editors have unsaved changes. Their files are left alone unless you choose otherwise:',
            inEditor.length,
          ),
      inEditor.map((conflict) => conflict.path),
      l10n,
    ),
    ...paragraph(
      onDisk.length === 1
        ? l10n.t('1 file may hold changes of yours. It is kept unless you choose otherwise:')
        : l10n.t(
            '{0} files may hold changes of yours. They are kept unless you choose otherwise:',
            onDisk.length,
          ),
      onDisk.map((conflict) => conflictLine(conflict)),
      l10n,
    ),
    ...paragraph(
      l10n.t('Cannot be restored, and stay as they are:'),
      plan.notRestorable.map((item) => `${item.path}: ${item.reason}`),
      l10n,
    ),
    ...paragraph(l10n.t('Stored without a checksum, so not verified:'), unverified, l10n),
  ];
}

function paragraph(title: string, lines: readonly string[], l10n: Localizer): string[] {
  if (lines.length === 0) return [];
  const { few, more } = firstFew(lines, listLength);
  const rest = more > 0 ? [l10n.t('and {0} more', more)] : [];
  return [
    [title, ...few.map((line) => `  ${line}`), ...rest.map((line) => `  ${line}`)].join('\n'),
  ];
}

function changeLine(path: PlannedPath, l10n: Localizer): string {
  const lines = lineSum(path.added, path.removed);
  return actLine(path.act, lines === '' ? path.path : `${path.path} (${lines})`, l10n);
}

function actLine(act: PlannedAct, path: string, l10n: Localizer): string {
  switch (act) {
    case 'create':
      return l10n.t('create {0}', path);
    case 'delete':
      return l10n.t('delete {0}', path);
    case 'write':
      return l10n.t('restore {0}', path);
    case 'none':
      return path;
  }
}

function conflictLine(conflict: ConflictPath): string {
  return `${conflict.path}: ${conflict.reason}`;
}

function answers(plan: Plan, l10n: Localizer): readonly Choice<ConflictAnswer>[] {
  if (plan.conflicts.length === 0) {
    const partial = plan.notRestorable.length > 0;
    return [{ id: 'keep', label: partial ? l10n.t('Rewind the Rest') : l10n.t('Rewind') }];
  }
  return conflictChoices(l10n);
}

function conflictChoices(l10n: Localizer): readonly [Choice<'keep'>, Choice<'take'>] {
  return [
    { id: 'keep', label: l10n.t('Rewind and Keep My Changes') },
    { id: 'take', label: l10n.t('Rewind and Take Old State') },
  ];
}
