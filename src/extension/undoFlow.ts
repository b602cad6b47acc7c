/** Taking an operation back: at once when nothing stands in the way, after a question otherwise. No vscode. */
import type { Root } from '../core/ids.ts';
import type { OperationSummary } from '../core/timeline.ts';
import { askOfPlan } from './afterPreview.ts';
import { carryOut } from './carryOut.ts';
import type { FlowContext, FlowOutcome } from './flowContext.ts';
import { withMemory } from './memoryQuestion.ts';
import { undoQuestion } from './rewindTexts.ts';

export interface UndoTarget {
  readonly operation: OperationSummary;
  readonly root: Root;
  /** Asks in any case: the person has picked it from a list. */
  readonly isAsking: boolean;
}

/** Undefined: the person cancelled, or looks at the preview. @throws UserError as `TimelineApp.redo`. */
export async function undoFlow(
  { operation, root, isAsking }: UndoTarget,
  context: FlowContext,
): Promise<FlowOutcome | undefined> {
  const { app, l10n, editors } = context;
  const { id, label, kind } = operation;
  const unsaved = editors.unsaved(root);
  const found = await app.previewRedo(id, { unsaved });
  const plan = withMemory(found, found.memory);
  const isHindered = plan.conflicts.length > 0 || plan.notRestorable.length > 0;
  const answer =
    isAsking || isHindered
      ? await askOfPlan(undoQuestion(plan, label, unsaved, l10n), plan, context)
      : 'go';
  if (answer === 'preview') await context.showPreview({ kind: 'undo', operation, plan });
  if (answer === 'preview' || answer === undefined) return undefined;
  const chooser = {
    title: l10n.t('Undo “{0}”', label),
    go: l10n.t('Undo with These Choices'),
  };
  return carryOut(
    {
      root,
      plan,
      standing: 'keep',
      chooser: answer === 'choose' ? chooser : undefined,
      busy: l10n.t('Undoing…'),
      act: { kind: 'undo', of: kind },
      look: (open) => app.previewRedo(id, { unsaved: open }),
      old: (path) => ({ operation: id, path }),
      handMerge: () => undefined,
      perform: (options) => app.redo(id, options),
    },
    context,
  );
}
