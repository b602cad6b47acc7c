/** The conversation around bringing the whole folder back to a snapshot. No vscode. */
import { UserError } from '../core/errors.ts';
import type { Root } from '../core/ids.ts';
import type { SnapshotSummary } from '../core/snapshotSummary.ts';
import { askOfPlan } from './afterPreview.ts';
import { carryOut } from './carryOut.ts';
import type { FlowContext, FlowOutcome } from './flowContext.ts';
import { changesSomething } from './planTexts.ts';
import { snapshotQuestion } from './rewindTexts.ts';

/** A snapshot, the root it is of, and what texts call it. */
export interface SnapshotInRoot {
  readonly snapshot: SnapshotSummary;
  readonly root: Root;
  readonly name: string;
}

/**
 * Undefined: the person cancelled, or looks at the preview.
 * @throws UserError as `SnapshotUse.restore`; `nothingToDo` when nothing differs; `fileSystem` when an editor cannot be
 * saved first.
 */
export async function snapshotFlow(
  { snapshot, root, name }: SnapshotInRoot,
  context: FlowContext,
): Promise<FlowOutcome | undefined> {
  const { app, l10n, editors } = context;
  const use = app.snapshots(root);
  const unsaved = editors.unsaved(root);
  const plan = await context.busy(l10n.t('Comparing with the snapshot…'), () =>
    use.previewRestore(snapshot.id, { unsaved }),
  );
  if (!changesSomething(plan))
    throw new UserError('nothingToDo', l10n.t('The folder is as it was in {0}.', name));
  const answer = await askOfPlan(snapshotQuestion(plan, name, unsaved, l10n), plan, context);
  if (answer === 'preview') await context.showPreview({ kind: 'snapshot', snapshot, name, plan });
  if (answer === 'preview' || answer === undefined) return undefined;
  const chooser = {
    title: l10n.t('Restore Snapshot'),
    go: l10n.t('Restore with These Choices'),
  };
  return carryOut(
    {
      root,
      plan,
      standing: 'keep',
      chooser: answer === 'choose' ? chooser : undefined,
      busy: l10n.t('Restoring the snapshot…'),
      act: { kind: 'snapshot', name },
      look: (open) => use.previewRestore(snapshot.id, { unsaved: open }),
      old: () => undefined,
      handMerge: () => undefined,
      perform: (options) => use.restore(snapshot.id, options),
    },
    context,
  );
}
