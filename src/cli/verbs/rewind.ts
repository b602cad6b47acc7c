import type { RewindOptions } from '../../app/timelineApp.ts';
import { UserError } from '../../core/errors.ts';
import type { ConflictChoice, RewindPreview } from '../../core/timeline.ts';
import type { CliContext } from '../cliContext.ts';
import { confirm } from '../confirm.ts';
import { conflictChoice } from '../conflictChoice.ts';
import { counted, previewValue, printReport, printRewindPreview } from '../previewText.ts';
import { findTurn } from '../selection.ts';
import { conflictsOption, turnArgument, type Verb, yesOption } from '../verb.ts';

/** Brings files back to before a turn. */
export const rewind: Verb = {
  name: 'rewind',
  summary: 'bring the files back to what they were before this turn',
  details: [
    'Takes back the turn and every later one of its session. Either all of it happens or nothing; what the files hold now is saved first, so `redo` can take the rewind back.',
    'Shows what it would do and asks, unless --yes is given. Exit status 3: done, but files in conflict were kept.',
  ],
  arguments: [turnArgument],
  options: [
    conflictsOption,
    yesOption,
    { flags: '--force', description: 'even while the agent is still working on the turn' },
  ],
  examples: [
    { line: 'rewind 3', description: 'files back to before turn 3, after asking' },
    {
      line: 'rewind 3 --conflicts merge --yes',
      description: 'keep your own edits where they merge',
    },
    { line: 'rewind 3 --conflicts fail --yes --json', description: 'for scripts: all or nothing' },
  ],
  async run(call, context) {
    const opened = await context.open();
    const turn = findTurn(opened, context.settings.session, call.argument(0));
    const choice = conflictChoice(call);
    const options: RewindOptions = { conflicts: choice, force: call.flag('force') };
    if (!call.flag('yes')) {
      const preview = await opened.app.preview(turn.id, options);
      if (!(await agreed(context, preview, choice))) return 1;
    }
    const report = await opened.app.rewind(turn.id, options);
    const { out } = context;
    if (out.json) out.value(report);
    else {
      out.line(
        `Rewound to before turn ${turn.number}: ${counted(report.turns.length, 'turn')} taken back.`,
      );
      printReport(out, report);
      out.line('Undo with: memcode-timeline redo');
    }
    return report.complete ? 0 : 3;
  },
};

async function agreed(
  context: CliContext,
  preview: RewindPreview,
  choice: ConflictChoice,
): Promise<boolean> {
  if (!context.out.json) printRewindPreview(context.out, preview, choice);
  if (choice === 'fail' && preview.conflicts.length > 0)
    throw new UserError('conflicts', 'Nothing was changed: there are conflicts.', {
      paths: preview.conflicts.map(({ path }) => path),
    });
  if (!context.out.json) context.out.line();
  return confirm(context, `Rewind to before turn ${preview.turn.number}?`, {
    preview: previewValue(preview),
  });
}
