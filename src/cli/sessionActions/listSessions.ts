import type { CliContext } from '../cliContext.ts';
import type { ExitStatus } from '../exitStatus.ts';
import { absoluteTime, relativeTime } from '../moment.ts';
import { shortId } from '../shortId.ts';
import { styled } from '../text.ts';
import type { VerbCall } from '../verb.ts';

/** The sessions of a root, the one used last on top. */
export async function listSessions(_call: VerbCall, context: CliContext): Promise<ExitStatus> {
  const { app, root } = await context.open();
  const all = app.sessions(root);
  const { out, host, settings } = context;
  if (out.json) {
    out.value({ root, sessions: all });
    return 0;
  }
  if (all.length === 0) {
    out.line(`No session has been recorded in ${root}.`);
    out.line('Connect an agent first: memcode-timeline connect --help');
    return 0;
  }
  const now = host.now();
  out.table(
    [
      { title: 'SESSION' },
      { title: 'AGENT' },
      { title: 'TURNS', align: 'right' },
      { title: 'USED' },
      { title: 'TITLE', flexible: true },
    ],
    all.map((session) => [
      styled('bold', settings.verbose ? session.id : shortId(session.id, all)),
      session.agent,
      String(session.turns),
      settings.verbose
        ? absoluteTime(session.updatedAt, host.timeZone)
        : relativeTime(session.updatedAt, now, host.timeZone),
      session.title,
    ]),
  );
  return 0;
}
