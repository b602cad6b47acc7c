import type { RedoPreview, RewindOptions, Side } from '../../app/timelineApp.ts';
import { conflictChoice } from '../conflictChoice.ts';
import { carryOut, type FileOperation } from '../fileOperation.ts';
import { printPreview } from '../previewText.ts';
import { findTurn } from '../selection.ts';
import { fileOfTurn } from '../turnPaths.ts';
import { turnReference } from '../turnText.ts';
import { conflictsOption, turnArgument, type Verb, yesOption } from '../verb.ts';

/** Brings one file to its state before or after a turn. */
export const restore: Verb = {
  name: 'restore',
  summary: 'bring one file to what it was before this turn, or after it',
  details: [
    'All other files and the turns stay as they are. When the file is not what the agent last left, that is a conflict, as with `rewind`. `undo` takes a restore back.',
    'Shows what it would do and asks, unless --yes is given.',
    'Exit status 3: the file is in conflict and was kept as it is.',
  ],
  arguments: [
    turnArgument,
    {
      name: '<path>',
      description: 'a file that the turn changed; relative to the root or to here',
    },
  ],
  options: [
    { flags: '--after', description: 'to what the turn left, instead of what it found' },
    conflictsOption,
    yesOption,
  ],
  examples: [
    { line: 'restore 3 src/parser.ts', description: 'as it was before turn 3, after asking' },
    { line: 'restore 3 src/parser.ts --after', description: 'as turn 3 left it' },
  ],
  async run(call, context) {
    const { app, root } = await context.open();
    const turn = findTurn({ app, root }, context.settings.session, call.argument(0));
    const { path } = fileOfTurn(turn, root, context.host.cwd, call.argument(1) ?? '');
    const side: Side = call.flag('after') ? 'after' : 'before';
    const options: RewindOptions = { conflicts: conflictChoice(call) };
    const where = `${path} to ${side} turn ${turn.number}`;
    const operation: FileOperation<RedoPreview> = {
      options,
      preview: () => app.previewRestore(turn.id, path, side, options),
      show: (preview) => printPreview(context.out, `Restoring ${where}:`, preview, options),
      question: `Restore ${where}?`,
      facts: (preview) => ({ turn: turnReference(turn), path, side, preview }),
      act: () => app.restoreFile(turn.id, path, side, options),
      headline: () => `Restored ${where}.`,
      undo: () => 'undo',
    };
    return carryOut(context, operation, call.flag('yes'));
  },
};
