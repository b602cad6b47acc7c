import { counted } from '../previewText.ts';
import type { Verb } from '../verb.ts';
import { snapshotName } from './snapshots.ts';

/** How many of what was left out are named. */
const mostNamed = 20;

/** Takes a whole-tree snapshot. */
export const snapshot: Verb = {
  name: 'snapshot',
  summary: 'take a snapshot of the whole folder',
  details: [
    'Kept outside the folder, so that it outlives `git clean` and `rm -rf`. Ignored files, very large ones and folders such as node_modules are left out unless git tracks them; what was left out for its size or because it could not be read is named.',
    'Without a label, when nothing has changed since the newest one, that one is named instead.',
  ],
  arguments: [{ name: '[label]', description: 'what to call it' }],
  options: [],
  examples: [{ line: 'snapshot "before the upgrade"', description: 'one to come back to' }],
  async run(call, context) {
    const { app, root } = await context.open();
    const taken = await app.snapshots(root).take(call.argument(0));
    const { out } = context;
    if (out.json) {
      out.value(taken);
      return 0;
    }
    const name = snapshotName(taken.snapshot);
    if (!taken.isNew) out.line(`Nothing has changed since snapshot ${name}.`);
    else out.line(`Took snapshot ${name} of ${counted(taken.files, 'file')}.`);
    const odd = taken.skipped.filter(({ reason }) => reason !== 'ignored' && reason !== 'excluded');
    for (const { path, reason } of odd.slice(0, mostNamed))
      out.line(`  not captured: ${path} (${reason})`);
    if (odd.length > mostNamed) out.line(`  and ${odd.length - mostNamed} more; --json names them`);
    return 0;
  },
};
