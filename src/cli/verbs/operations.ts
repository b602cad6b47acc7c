import type { CliContext, Opened } from '../cliContext.ts';
import { absoluteTime, relativeTime } from '../moment.ts';
import { type NumberedOperation, operationsIn } from '../operationSelection.ts';
import { shortId } from '../shortId.ts';
import { styled, type Text } from '../text.ts';
import type { Verb } from '../verb.ts';

/** Lists what was done to files, and whether it stands. */
export const operations: Verb = {
  name: 'operations',
  summary: 'list the rewinds, reverts, restores and undos of this folder, newest first',
  details: [
    'NO is what `undo` takes. STATUS is `in force`, `in part` when conflicts were kept so that its turns stay, `undone` while an undo of it stands, or `pruned` when what it had saved was removed to keep within the limits: it cannot be taken back any more.',
    'With --session, only those of that session. --verbose and --json name all files.',
  ],
  arguments: [],
  options: [],
  examples: [
    { line: 'operations', description: 'what was done in the current folder' },
    { line: 'undo 4', description: 'take operation 4 back' },
  ],
  async run(_call, context) {
    const opened = await context.open();
    const found = operationsIn(opened, context.settings.session);
    const { out } = context;
    if (out.json) out.value({ root: opened.root, operations: found });
    else if (found.length === 0)
      out.line(`Nothing has been rewound, reverted or restored in ${opened.root}.`);
    else print(context, opened, found);
    return 0;
  },
};

function print(
  { out, host, settings }: CliContext,
  { app, root }: Opened,
  found: readonly NumberedOperation[],
): void {
  const { verbose } = settings;
  const sessions = app.sessions(root);
  const severalSessions = new Set(found.map(({ session }) => session)).size > 1;
  const now = host.now();
  out.table(
    [
      { title: 'NO', align: 'right' },
      { title: verbose ? 'ID' : '' },
      { title: severalSessions || verbose ? 'SESSION' : '' },
      { title: 'WHEN' },
      { title: 'STATUS' },
      { title: 'WHAT' },
      { title: 'FILES', flexible: !verbose },
    ],
    found.map((operation) => [
      styled('bold', String(operation.number)),
      verbose ? operation.id : '',
      verbose ? operation.session : severalSessions ? shortId(operation.session, sessions) : '',
      verbose
        ? absoluteTime(operation.at, host.timeZone)
        : relativeTime(operation.at, now, host.timeZone),
      statusOf(operation),
      operation.label,
      operation.paths.join(', '),
    ]),
  );
}

function statusOf({ undone, pruned, partly }: NumberedOperation): Text {
  if (pruned) return styled('yellow', undone ? 'undone, pruned' : 'pruned');
  if (undone) return styled('dim', 'undone');
  return partly === undefined ? 'in force' : styled('yellow', 'in part');
}
