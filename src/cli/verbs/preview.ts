import { previewValue, printRewindPreview } from '../previewText.ts';
import { findTurn } from '../selection.ts';
import { turnArgument, type Verb } from '../verb.ts';

/** Shows what a rewind would do. */
export const preview: Verb = {
  name: 'preview',
  summary: 'show what `rewind` of this turn would do; changes nothing',
  details: [
    'A conflict is a file that is not what the agent last left: you, or another program, changed it since.',
    'Of each conflict it is said whether --conflicts merge would settle it: `merges cleanly`; `overlaps` when the same lines were changed, so that your version stays; `no merge` for what is no text.',
    '`unverified`: the stored content carries no checksum, so it is taken as it is.',
  ],
  arguments: [turnArgument],
  options: [],
  examples: [{ line: 'preview 3', description: 'what going back to before turn 3 means' }],
  async run(call, context) {
    const opened = await context.open();
    const turn = findTurn(opened, context.settings.session, call.argument(0));
    const found = await opened.app.preview(turn.id);
    if (context.out.json) context.out.value(previewValue(found));
    else printRewindPreview(context.out, found, {});
    return 0;
  },
};
