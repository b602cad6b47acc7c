import { UserError } from '../../core/errors.ts';
import type { OperationSummary } from '../../core/timeline.ts';
import type { Opened } from '../cliContext.ts';
import { canBeTakenBack, findOperation, operationsIn } from '../operationSelection.ts';
import { takeBack } from '../takeBack.ts';
import { conflictsOption, partialOption, type Verb, yesOption } from '../verb.ts';

/** Takes any operation back. */
export const undo: Verb = {
  name: 'undo',
  summary: 'take a rewind, a revert, a restore or an earlier undo back',
  details: [
    'Without an operation: the newest that still stands and is no undo itself, so that one `undo` after the other goes further back; with --session, of that session. An undo is taken back by naming it.',
    'The files the operation changed are again what they were before it; what was edited since is a conflict, as with `rewind`.',
  ],
  arguments: [
    {
      name: '[operation]',
      description:
        'number of the operation as `operations` shows it, or its id or a unique beginning of the id',
    },
  ],
  options: [conflictsOption, partialOption, yesOption],
  examples: [
    { line: 'undo', description: 'the newest operation, after asking' },
    { line: 'undo 4 --yes', description: 'operation 4, at once' },
  ],
  async run(call, context) {
    const opened = await context.open();
    const { session } = context.settings;
    const named = call.argument(0);
    const operation =
      named === undefined ? newest(opened, session) : findOperation(opened, session, named);
    const words = { headline: 'Undo takes this back:', question: 'Take this back?' };
    return takeBack(opened, operation, words, call, context);
  },
};

function newest(opened: Opened, session: string | undefined): OperationSummary {
  const operation = operationsIn(opened, session).find(
    (each) => each.kind !== 'redo' && canBeTakenBack(each),
  );
  if (operation !== undefined) return operation;
  const { root } = opened;
  throw new UserError('nothingToDo', `There is nothing to take back in ${root}.`, { root });
}
