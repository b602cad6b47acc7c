import type { RewindOptions } from '../../app/timelineApp.ts';
import type { OperationReport, RewindPreview, TurnSummary } from '../../core/timeline.ts';
import type { CliContext } from '../cliContext.ts';
import { confirm } from '../confirm.ts';
import { conflictChoice } from '../conflictChoice.ts';
import { counted, previewValue, printReport, printRewindPreview } from '../previewText.ts';
import { refuseHopeless } from '../refuseHopeless.ts';
import { findTurn } from '../selection.ts';
import { conflictsOption, partialOption, turnArgument, type Verb, yesOption } from '../verb.ts';

/** Brings files back to before a turn. */
export const rewind: Verb = {
  name: 'rewind',
  summary: 'bring the files back to what they were before this turn',
  details: [
    'Takes back the turn and every later one of its session. Either all of it happens or nothing; what the files hold now is saved first, so `redo` can take the rewind back.',
    'Shows what it would do and asks, unless --yes is given.',
    'Exit status 3: done, but files in conflict were kept. The turns then stay, so that the same rewind can be asked for again with --conflicts take or merge.',
  ],
  arguments: [turnArgument],
  options: [
    conflictsOption,
    partialOption,
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
    const options: RewindOptions = {
      conflicts: conflictChoice(call),
      partial: call.flag('partial'),
      force: call.flag('force'),
    };
    if (!call.flag('yes')) {
      const preview = await opened.app.preview(turn.id, options);
      if (!(await agreed(context, preview, options))) return 1;
    }
    const report = await opened.app.rewind(turn.id, options);
    const { out } = context;
    if (out.json) out.value(report);
    else {
      out.line(headline(report, turn));
      printReport(out, report);
      if (report.operation !== null) out.line('Undo with: memcode-timeline redo');
    }
    return report.complete ? 0 : 3;
  },
};

async function agreed(
  context: CliContext,
  preview: RewindPreview,
  options: RewindOptions,
): Promise<boolean> {
  if (!context.out.json) printRewindPreview(context.out, preview, options);
  refuseHopeless(preview, options);
  if (!context.out.json) context.out.line();
  return confirm(context, `Rewind to before turn ${preview.turn.number}?`, {
    preview: previewValue(preview),
  });
}

function headline(report: OperationReport, turn: TurnSummary): string {
  if (report.operation === null) return 'Nothing was changed.';
  return report.complete
    ? `Rewound to before turn ${turn.number}: ${counted(report.turns.length, 'turn')} taken back.`
    : `Rewound to before turn ${turn.number} but for the conflicts; its turns stay.`;
}
