import type { RewindOptions, SnapshotPreview } from '../../app/timelineApp.ts';
import { conflictChoice } from '../conflictChoice.ts';
import { carryOut, type FileOperation } from '../fileOperation.ts';
import { findSnapshot } from '../findSnapshot.ts';
import { printPreview } from '../previewText.ts';
import { conflictsOption, type Verb, yesOption } from '../verb.ts';
import { snapshotArgument } from './compare.ts';
import { snapshotName } from './snapshots.ts';

/** Brings the whole folder back to a snapshot. */
export const restoreSnapshot: Verb = {
  name: 'restore-snapshot',
  summary: 'bring the whole folder back to a snapshot',
  details: [
    'All files that differ go back, whoever changed them; `undo` takes it back. A snapshot of the present is taken first. What the snapshot did not capture stays as it is and is named. The turns stay in the timeline.',
    'Shows what it would do and asks, unless --yes is given.',
  ],
  arguments: [snapshotArgument],
  options: [conflictsOption, yesOption],
  examples: [{ line: 'restore-snapshot 1a2b3c4d', description: 'after asking' }],
  async run(call, context) {
    const { app, root } = await context.open();
    const use = app.snapshots(root);
    const id = await findSnapshot(use, call.argument(0) ?? '');
    // What cannot go back was never in it: that is no reason to refuse the rest.
    const options: RewindOptions = { conflicts: conflictChoice(call), partial: true };
    const operation: FileOperation<SnapshotPreview> = {
      options,
      preview: () => use.previewRestore(id, options),
      show: (preview) =>
        printPreview(
          context.out,
          `Restoring snapshot ${snapshotName(preview.snapshot)}:`,
          preview,
          options,
        ),
      question: 'Bring the folder back to it?',
      facts: (preview) => ({ snapshot: preview.snapshot, preview }),
      act: () => use.restore(id, options),
      headline: () => `Restored snapshot ${/^[0-9a-f]{40}$/.test(id) ? id.slice(0, 8) : id}.`,
      needsChange: true,
      undo: () => 'undo',
    };
    return carryOut(context, operation, call.flag('yes'));
  },
};
