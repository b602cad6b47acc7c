import type { RewindOptions } from '../../app/timelineApp.ts';
import type { RewindPreview } from '../../core/timeline.ts';
import { conflictChoice, memoryChoice } from '../conflictChoice.ts';
import { carryOut, type FileOperation } from '../fileOperation.ts';
import { counted, previewValue, printRewindPreview } from '../previewText.ts';
import { tellCommits } from '../projectActions/revertCommits.ts';
import { findTurn } from '../selection.ts';
import {
  conflictsOption,
  forceOption,
  memoryOption,
  partialOption,
  turnArgument,
  type Verb,
  yesOption,
} from '../verb.ts';

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
  options: [conflictsOption, memoryOption, partialOption, yesOption, forceOption],
  examples: [
    { line: 'rewind 3', description: 'files back to before turn 3, after asking' },
    {
      line: 'rewind 3 --conflicts merge --yes',
      description: 'keep your own edits where they merge',
    },
    {
      line: 'rewind 3 --memory take-back',
      description: 'and what these turns remembered is forgotten',
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
      memory: memoryChoice(call),
    };
    const operation: FileOperation<RewindPreview> = {
      options,
      preview: () => opened.app.preview(turn.id, options),
      show: (preview) => printRewindPreview(context.out, preview, options),
      question: `Rewind to before turn ${turn.number}?`,
      facts: (preview) => ({ preview: previewValue(preview) }),
      act: () => opened.app.rewind(turn.id, options),
      headline: ({ complete, turns }) =>
        complete
          ? `Rewound to before turn ${turn.number}: ${counted(turns.length, 'turn')} taken back.`
          : `Rewound to before turn ${turn.number} but for the conflicts; its turns stay.`,
      undo: () => 'redo',
    };
    const status = await carryOut(context, operation, call.flag('yes'));
    if (status === 0) await tellCommits(opened, context);
    return status;
  },
};
