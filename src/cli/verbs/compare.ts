import { countLines, fileDiff } from '../fileDiff.ts';
import { findSnapshot } from '../findSnapshot.ts';
import { gitPatch } from '../gitPatch.ts';
import { patchText, printPatch } from '../patchText.ts';
import type { Verb, VerbArgument } from '../verb.ts';

export const snapshotArgument: VerbArgument = {
  name: '<snapshot>',
  description:
    'id as `snapshots` shows it, a unique beginning of at least four digits, or the label it was given',
};

/** Shows in what two snapshots differ, or one and the files as they are now. */
export const compare: Verb = {
  name: 'compare',
  summary: 'show what has changed since a snapshot, or between two, as a patch',
  details: [
    'When stdout is not a terminal the patch holds the exact bytes. A file whose content is not there any more is named, and the exit status is 1.',
  ],
  arguments: [
    snapshotArgument,
    { name: '[other]', description: 'another snapshot (default: the files as they are now)' },
  ],
  options: [{ flags: '--names', description: 'only which files differ, and how' }],
  examples: [
    { line: 'compare 1a2b3c4d', description: 'what has changed since' },
    { line: 'compare 1a2b 5e6f --names', description: 'which files differ between two' },
  ],
  async run(call, context) {
    const { app, root } = await context.open();
    const use = app.snapshots(root);
    const other = call.argument(1);
    const { before, after, changes } = await use.compare(
      await findSnapshot(use, call.argument(0) ?? ''),
      other === undefined ? undefined : await findSnapshot(use, other),
    );
    const { out } = context;
    const names = call.flag('names');
    if (names && !out.json) {
      for (const { path, change } of changes) out.line(`${change.padEnd(8)} ${path}`);
      return 0;
    }
    const files: Record<string, unknown>[] = [];
    let lost = 0;
    for (const { path, change } of changes) {
      if (names) {
        files.push({ path, change });
        continue;
      }
      const [from, to] = [await use.content(before.id, path), await use.content(after.id, path)];
      // A folder has no lines; git knows none either.
      if (from.kind === 'directory' || to.kind === 'directory') {
        files.push({ path, change });
        continue;
      }
      const diff = fileDiff(path, from, to);
      files.push({ path, change, ...countLines(diff), patch: patchText(gitPatch(diff)) });
      if (!out.json) printPatch(out, gitPatch(diff));
      if (diff.kind !== 'unavailable') continue;
      lost++;
      if (!out.json) out.note(`memcode-timeline: ${path}: ${diff.reason}`);
    }
    if (out.json) out.value({ before, after, files });
    return lost === 0 ? 0 : 1;
  },
};
