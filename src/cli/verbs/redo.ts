import { UserError } from '../../core/errors.ts';
import type { OperationSummary } from '../../core/timeline.ts';
import type { Opened } from '../cliContext.ts';
import { canBeTakenBack, operationsIn } from '../operationSelection.ts';
import { takeBack } from '../takeBack.ts';
import { conflictsOption, partialOption, type Verb, yesOption } from '../verb.ts';

/** Takes the newest rewind back. */
export const redo: Verb = {
  name: 'redo',
  summary: 'take the newest rewind back: the files are again what they were before it',
  details: [
    'The newest rewind of this folder that still stands; with --session, of that session. `undo` takes reverts, restores and anything older back. What was edited since is a conflict, as with `rewind`.',
  ],
  arguments: [],
  options: [conflictsOption, partialOption, yesOption],
  examples: [
    { line: 'redo', description: 'after asking' },
    { line: 'redo --yes', description: 'at once' },
  ],
  async run(call, context) {
    const opened = await context.open();
    const operation = newestRewind(opened, context.settings.session);
    const words = { headline: 'Redo takes this back:', question: 'Take this rewind back?' };
    return takeBack(opened, operation, words, call, context);
  },
};

function newestRewind(opened: Opened, session: string | undefined): OperationSummary {
  const standing = operationsIn(opened, session).filter(canBeTakenBack);
  const rewind = standing.find(({ kind }) => kind === 'rewind');
  if (rewind !== undefined) return rewind;
  const { root } = opened;
  const others = standing.some(({ kind }) => kind !== 'redo');
  const hint = others ? ' For reverts and restores: memcode-timeline undo' : '';
  throw new UserError('nothingToDo', `There is no rewind to take back in ${root}.${hint}`, {
    root,
  });
}
