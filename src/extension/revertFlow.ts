/** The conversation around taking one turn out of the middle. Later turns stay, by a merge where they meet. No vscode. */
import { UserError } from '../core/errors.ts';
import type { TurnSummary } from '../core/timeline.ts';
import { askOfPlan } from './afterPreview.ts';
import { carryOut } from './carryOut.ts';
import type { Plan } from './conflictChoice.ts';
import type { FlowContext, FlowOutcome, TurnInRoot } from './flowContext.ts';
import { mergeOfTurns } from './handMerge.ts';
import type { Localizer } from './localizer.ts';
import { memoryQuestion, withMemory, wroteMemory } from './memoryQuestion.ts';
import { changesSomething } from './planTexts.ts';
import { revertQuestion, runningQuestion } from './rewindTexts.ts';

/**
 * Takes a turn out, after a question. Undefined: the person cancelled, or looks at the preview.
 * @throws UserError as `TimelineApp.revertTurn`; `fileSystem` when an editor cannot be saved first.
 */
export async function revertFlow(
  { turn, root }: TurnInRoot,
  context: FlowContext,
): Promise<FlowOutcome | undefined> {
  const { app, l10n, ask, editors } = context;
  const { id, number } = turn;
  const force = turn.end === 'running';
  if (force && (await ask(runningQuestion(turn, 'revert', l10n))) !== 'force') return undefined;
  const unsaved = editors.unsaved(root);
  const plan = await app.previewRevert(id, { unsaved });
  if (!changesSomething(plan) && !wroteMemory(plan.memory)) throw nothingToRevert(turn, plan, l10n);
  const answer = await askOfPlan(revertQuestion(turn, plan, unsaved, l10n), plan, context);
  if (answer === 'preview') await context.showPreview({ kind: 'revert', turn, plan });
  if (answer === 'preview' || answer === undefined) return undefined;
  const memory = wroteMemory(plan.memory) ? await ask(memoryQuestion(plan.memory, l10n)) : 'keep';
  if (memory === undefined) return undefined;
  const chooser = {
    title: l10n.t('Revert Turn {0}', number),
    go: l10n.t('Revert with These Choices'),
  };
  return carryOut(
    {
      root,
      plan: memory === 'take-back' ? withMemory(plan, plan.memory) : plan,
      standing: 'merge',
      chooser: answer === 'choose' ? chooser : undefined,
      busy: l10n.t('Taking turn {0} out…', number),
      act: { kind: 'revert', turn: number },
      look: (open) => app.previewRevert(id, { unsaved: open }),
      old: (path) => mergeOfTurns([turn], path)?.old,
      handMerge: (path) => mergeOfTurns([turn], path),
      perform: (options) => app.revertTurn(id, { ...options, memory, memoryDecided: true, force }),
    },
    context,
  );
}

function nothingToRevert(
  { number }: TurnSummary,
  { notRestorable }: Plan,
  l10n: Localizer,
): UserError {
  const [first] = notRestorable;
  return first === undefined
    ? new UserError(
        'nothingToDo',
        l10n.t('Nothing of what turn {0} did is in the files any more.', number),
      )
    : new UserError(
        'damaged',
        l10n.t('Nothing can be reverted. {0}: {1}', first.path, first.reason),
        { paths: notRestorable.map(({ path }) => path) },
      );
}
