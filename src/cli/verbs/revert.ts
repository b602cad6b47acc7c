import type { RedoPreview, RewindOptions } from '../../app/timelineApp.ts';
import { conflictChoice, memoryChoice } from '../conflictChoice.ts';
import { carryOut, type FileOperation } from '../fileOperation.ts';
import { printPreview } from '../previewText.ts';
import { tellCommits } from '../projectActions/revertCommits.ts';
import { findTurn } from '../selection.ts';
import { turnReference } from '../turnText.ts';
import {
  forceOption,
  memoryOption,
  mergingConflictsOption,
  partialOption,
  turnArgument,
  type Verb,
  yesOption,
} from '../verb.ts';

/** Takes one turn out. */
export const revert: Verb = {
  name: 'revert',
  summary: 'take out what this one turn changed, and keep the later turns',
  details: [
    'A file that a later turn or you changed on top is a conflict: the three versions are merged, and where they do not merge cleanly the file stays as it is. Either all of it happens or nothing; `undo` takes it back.',
    'Shows what it would do and asks, unless --yes is given.',
    'Exit status 3: done, but files in conflict were kept. The turn then stays, so that it can be reverted again with another choice.',
  ],
  arguments: [turnArgument],
  options: [mergingConflictsOption, memoryOption, partialOption, yesOption, forceOption],
  examples: [
    { line: 'revert 3', description: 'turn 3 alone, after asking' },
    {
      line: 'revert 3 --conflicts keep --yes',
      description: 'only the files that nothing changed since',
    },
  ],
  async run(call, context) {
    const { app, root } = await context.open();
    const turn = findTurn({ app, root }, context.settings.session, call.argument(0));
    const options: RewindOptions = {
      conflicts: conflictChoice(call, 'merge'),
      partial: call.flag('partial'),
      force: call.flag('force'),
      memory: memoryChoice(call),
    };
    const headline = `Reverting turn ${turn.number} takes out its changes and keeps the later turns:`;
    const operation: FileOperation<RedoPreview> = {
      options,
      preview: () => app.previewRevert(turn.id, options),
      show: (preview) => printPreview(context.out, headline, preview, options),
      question: `Revert turn ${turn.number}?`,
      facts: (preview) => ({ turn: turnReference(turn), preview }),
      act: () => app.revertTurn(turn.id, options),
      headline: ({ complete }) =>
        complete
          ? `Reverted turn ${turn.number}.`
          : `Reverted turn ${turn.number} but for the conflicts; the turn stays.`,
      undo: () => 'undo',
    };
    const status = await carryOut(context, operation, call.flag('yes'));
    if (status === 0) await tellCommits({ app, root }, context);
    return status;
  },
};
