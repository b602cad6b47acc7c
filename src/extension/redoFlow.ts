/** Undoing a rewind: at once when nothing stands in the way, after a question otherwise. No vscode. */
import { UserError } from '../core/errors.ts';
import type { Root } from '../core/ids.ts';
import type { OperationReport, OperationSummary } from '../core/timeline.ts';
import { answeredOptions, type FlowContext } from './rewindFlow.ts';
import { redoQuestion } from './rewindTexts.ts';

/**
 * Takes a rewind back. Undefined: the person cancelled.
 * @throws UserError as `TimelineApp.redo`; `nothingToDo` without an operation.
 */
export async function redoFlow(
  operation: OperationSummary | undefined,
  root: Root,
  context: Omit<FlowContext, 'showPreview'>,
): Promise<OperationReport | undefined> {
  const { app, l10n, ask, editors } = context;
  if (operation === undefined) {
    throw new UserError('nothingToDo', l10n.t('There is no rewind to undo.'));
  }
  const unsaved = editors.unsaved(root);
  const plan = await app.previewRedo(operation.id, { unsaved });
  const asked = plan.conflicts.length > 0 || plan.notRestorable.length > 0;
  const answer = asked ? await ask(redoQuestion(plan, operation.label, unsaved, l10n)) : 'keep';
  if (answer === undefined) return undefined;
  const partial = plan.notRestorable.length > 0;
  return context.busy(l10n.t('Undoing the rewind…'), async () => {
    const options = await answeredOptions(root, plan.conflicts, answer, context);
    return app.redo(operation.id, { ...options, partial });
  });
}
