/** What `redo` and `undo` share: taking an operation back. */
import type { RewindOptions } from '../app/timelineApp.ts';
import type { OperationSummary } from '../core/timeline.ts';
import type { CliContext, Opened } from './cliContext.ts';
import { conflictChoice } from './conflictChoice.ts';
import type { ExitStatus } from './exitStatus.ts';
import { carryOut } from './fileOperation.ts';
import { operationsIn } from './operationSelection.ts';
import { printPreview } from './previewText.ts';
import type { VerbCall } from './verb.ts';

export interface TakeBackWords {
  /** Stands before the operation's label. */
  readonly headline: string;
  readonly question: string;
}

export function takeBack(
  opened: Opened,
  { id, label }: OperationSummary,
  words: TakeBackWords,
  call: VerbCall,
  context: CliContext,
): Promise<ExitStatus> {
  const { app } = opened;
  const options: RewindOptions = {
    conflicts: conflictChoice(call),
    partial: call.flag('partial'),
    // Always a part of it; said for the preview.
    memory: 'take-back',
  };
  return carryOut(
    context,
    {
      options,
      preview: () => app.previewRedo(id, options),
      show: (preview) => printPreview(context.out, `${words.headline} ${label}`, preview, options),
      question: words.question,
      facts: (preview) => ({ operation: id, preview }),
      act: () => app.redo(id, options),
      headline: ({ complete }) =>
        complete ? `Taken back: ${label}` : `Taken back but for the conflicts: ${label}`,
      undo: (done) =>
        `undo ${operationsIn(opened, undefined).find((each) => each.id === done)?.number ?? done}`,
    },
    call.flag('yes'),
  );
}
