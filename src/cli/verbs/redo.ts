import type { RewindOptions } from '../../app/timelineApp.ts';
import { UserError } from '../../core/errors.ts';
import type { OperationSummary } from '../../core/timeline.ts';
import type { CliContext, Opened } from '../cliContext.ts';
import { confirm } from '../confirm.ts';
import { conflictChoice } from '../conflictChoice.ts';
import { printRedoPreview, printReport } from '../previewText.ts';
import { refuseHopeless } from '../refuseHopeless.ts';
import { findSession } from '../selection.ts';
import { conflictsOption, partialOption, type Verb, yesOption } from '../verb.ts';

/** Takes the newest rewind back. */
export const redo: Verb = {
  name: 'redo',
  summary: 'take the newest rewind back: the files are again what they were before it',
  details: [
    'The newest rewind of this folder that still stands; with --session, of that session. What was edited since is a conflict, as with `rewind`.',
  ],
  arguments: [],
  options: [conflictsOption, partialOption, yesOption],
  examples: [
    { line: 'redo', description: 'after asking' },
    { line: 'redo --yes', description: 'at once' },
  ],
  async run(call, context) {
    const opened = await context.open();
    const operation = newest(opened, context.settings.session);
    const options: RewindOptions = {
      conflicts: conflictChoice(call),
      partial: call.flag('partial'),
    };
    if (!call.flag('yes') && !(await agreed(context, opened, operation, options))) return 1;
    const report = await opened.app.redo(operation.id, options);
    const { out } = context;
    if (out.json) out.value(report);
    else {
      out.line(
        report.operation === null ? 'Nothing was changed.' : `Taken back: ${operation.label}`,
      );
      printReport(out, report);
    }
    return report.complete ? 0 : 3;
  },
};

function newest(opened: Opened, wanted: string | undefined): OperationSummary {
  const { app, root } = opened;
  const session = wanted === undefined ? undefined : findSession(opened, wanted).id;
  const operation = app.redoable(root, session);
  if (operation === undefined)
    throw new UserError('nothingToDo', `There is no rewind to take back in ${root}.`, { root });
  return operation;
}

async function agreed(
  context: CliContext,
  { app }: Opened,
  operation: OperationSummary,
  options: RewindOptions,
): Promise<boolean> {
  const preview = await app.previewRedo(operation.id, options);
  if (!context.out.json) printRedoPreview(context.out, operation.label, preview, options);
  refuseHopeless(preview, options);
  if (!context.out.json) context.out.line();
  return confirm(context, 'Take this rewind back?', { operation: operation.id, preview });
}
