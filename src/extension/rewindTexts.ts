/** The questions before a rewind, a revert, a restore or an undo. Pure. */
import type { ConflictPath, RewindPreview, TurnSummary } from '../core/timeline.ts';
import { mergeNote, type Plan } from './conflictChoice.ts';
import { countTurns, type Localizer, type Moment } from './localizer.ts';
import { hasPreview, planParagraphs } from './planTexts.ts';
import type { Choice, Question } from './question.ts';
import { firstLine } from './shortText.ts';

/** go: as the question says. choose: for each file in conflict. */
export type PlanAnswer = 'preview' | 'choose' | 'go';

/** @param unsaved paths of the plan whose editors hold unsaved changes. */
export function rewindQuestion(
  preview: RewindPreview,
  unsaved: ReadonlySet<string>,
  l10n: Localizer,
): Question<PlanAnswer> {
  const detail = [
    turnsLine(preview, l10n),
    ...planParagraphs(preview, unsaved, 'keep', l10n),
    ...preview.warnings,
    l10n.t('The present state is saved first, so the rewind can be undone.'),
  ];
  return {
    message: l10n.t('Rewind to before turn {0}?', preview.turn.number),
    detail: detail.join('\n\n'),
    choices: planChoices(preview, l10n, {
      conflicts: l10n.t('Rewind and Keep My Changes'),
      partly: l10n.t('Rewind the Rest'),
      wholly: l10n.t('Rewind'),
    }),
  };
}

export function revertQuestion(
  turn: TurnSummary,
  plan: Plan,
  unsaved: ReadonlySet<string>,
  l10n: Localizer,
): Question<PlanAnswer> {
  const detail = [
    l10n.t(
      'Takes out what this turn did, and keeps later turns: “{0}”',
      firstLine(turn.prompt, 80),
    ),
    ...planParagraphs(plan, unsaved, 'merge', l10n),
    l10n.t('The present state is saved first, so the revert can be undone.'),
  ];
  return {
    message: l10n.t('Revert turn {0}?', turn.number),
    detail: detail.join('\n\n'),
    choices: planChoices(
      plan,
      l10n,
      {
        conflicts: l10n.t('Revert and Merge'),
        partly: l10n.t('Revert the Rest'),
        wholly: l10n.t('Revert'),
      },
      hasPreview(plan) || plan.conflicts.some(({ merge }) => merge !== 'impossible'),
    ),
  };
}

/** Without conflicts it only asks whether this is what was meant. */
export function undoQuestion(
  plan: Plan,
  label: string,
  unsaved: ReadonlySet<string>,
  l10n: Localizer,
): Question<PlanAnswer> {
  return {
    message: l10n.t('Undo “{0}”?', label),
    detail: planParagraphs(plan, unsaved, 'keep', l10n).join('\n\n'),
    choices: planChoices(plan, l10n, {
      conflicts: l10n.t('Undo and Keep My Changes'),
      partly: l10n.t('Undo the Rest'),
      wholly: l10n.t('Undo'),
    }),
  };
}

/** @param name what texts call the snapshot */
export function snapshotQuestion(
  plan: Plan,
  name: string,
  unsaved: ReadonlySet<string>,
  l10n: Localizer,
): Question<PlanAnswer> {
  const detail = [
    l10n.t('All files that differ from the snapshot go back, whoever changed them.'),
    ...planParagraphs(plan, unsaved, 'keep', l10n),
    l10n.t('The present state is saved first, so the restore can be undone.'),
  ];
  return {
    message: l10n.t('Restore the snapshot {0}?', name),
    detail: detail.join('\n\n'),
    choices: planChoices(plan, l10n, {
      conflicts: l10n.t('Restore and Keep My Changes'),
      partly: l10n.t('Restore the Rest'),
      wholly: l10n.t('Restore'),
    }),
  };
}

export type RestoreAnswer = 'compare' | 'merge' | 'take';

/** Asked only when something would be lost. */
export function restoreQuestion(
  { path, reason, merge, act }: ConflictPath,
  moment: Moment,
  l10n: Localizer,
): Question<RestoreAnswer> {
  const merging: readonly Choice<RestoreAnswer>[] =
    merge === 'impossible' ? [] : [{ id: 'merge', label: l10n.t('Merge') }];
  const overwrite = act === 'delete' ? l10n.t('Delete My Version') : l10n.t('Overwrite My Version');
  return {
    message:
      moment.side === 'before'
        ? l10n.t('Restore {0} to before turn {1}?', path, moment.turn)
        : l10n.t('Restore {0} to after turn {1}?', path, moment.turn),
    detail: [
      reason,
      mergeNote(merge, l10n),
      l10n.t('The present state is saved first, so the restore can be undone.'),
    ].join('\n\n'),
    choices: [
      { id: 'compare', label: l10n.t('Compare') },
      ...merging,
      { id: 'take', label: overwrite },
    ],
  };
}

export function runningQuestion(
  turn: TurnSummary,
  act: 'rewind' | 'revert',
  l10n: Localizer,
): Question<'force'> {
  const isRewind = act === 'rewind';
  return {
    message: l10n.t('The agent is still working on turn {0}.', turn.number),
    detail: isRewind
      ? l10n.t(
          'It may write files while they are being restored. Stop the agent first, or rewind anyway: the turn is then closed as it stands.',
        )
      : l10n.t(
          'It may write files while they are being restored. Stop the agent first, or revert anyway: the turn is then closed as it stands.',
        ),
    choices: [
      { id: 'force', label: isRewind ? l10n.t('Rewind Anyway…') : l10n.t('Revert Anyway…') },
    ],
  };
}

/** Looking comes first: it is what Enter does. What is merged can be looked at too, what is kept cannot. */
function planChoices(
  plan: Plan,
  l10n: Localizer,
  go: { readonly conflicts: string; readonly partly: string; readonly wholly: string },
  isShown = hasPreview(plan),
): readonly Choice<PlanAnswer>[] {
  const rest = plan.notRestorable.length > 0 ? go.partly : go.wholly;
  return [
    ...(isShown ? [{ id: 'preview' as const, label: l10n.t('Show Preview') }] : []),
    ...(plan.conflicts.length === 0
      ? []
      : [{ id: 'choose' as const, label: l10n.t('Choose for Each File…') }]),
    { id: 'go', label: plan.conflicts.length > 0 ? go.conflicts : rest },
  ];
}

function turnsLine(preview: RewindPreview, l10n: Localizer): string {
  const prompt = firstLine(preview.turn.prompt, 80);
  const last = preview.turns.at(-1) ?? preview.turn;
  if (last.id === preview.turn.id) return l10n.t('Takes back this turn: “{0}”', prompt);
  return l10n.t(
    'Takes back {0}, from “{1}” to “{2}”',
    countTurns(l10n, preview.turns.length),
    prompt,
    firstLine(last.prompt, 80),
  );
}
