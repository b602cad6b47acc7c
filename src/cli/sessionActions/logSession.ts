import type { CliContext } from '../cliContext.ts';
import type { ExitStatus } from '../exitStatus.ts';
import { absoluteTime, relativeTime } from '../moment.ts';
import { firstLine, styled, type Text } from '../text.ts';
import type { VerbCall } from '../verb.ts';
import { meantSession } from './meantSession.ts';

/** The turns of one branch, newest first; the one looked at is marked. */
export async function logSession(call: VerbCall, context: CliContext): Promise<ExitStatus> {
  const opened = await context.open();
  const session = meantSession(opened, call, context);
  const { history } = opened.app;
  const { out, host, settings } = context;
  const position = history.position(session.id);
  const branch = call.option('branch') ?? position.branch;
  const turns = history.branch(session.id, branch);
  if (out.json) {
    out.value({ session: session.id, branch, position, turns });
    return 0;
  }
  const now = host.now();
  out.table(
    [
      { title: '' },
      { title: 'TURN', align: 'right' },
      { title: 'COMMIT' },
      { title: 'BEGAN' },
      { title: 'TOOLS', align: 'right' },
      { title: 'TOKENS', align: 'right' },
      { title: 'PROMPT', flexible: true },
    ],
    turns.toReversed().map((turn): readonly Text[] => {
      const forks = turn.next.length > 1 ? styled('cyan', ` (forks ${turn.next.length} ways)`) : '';
      return [
        turn.id === position.turn ? styled('green', '>') : ' ',
        styled('bold', String(turn.number)),
        turn.commit?.slice(0, settings.verbose ? 40 : 8) ?? styled('dim', '-'),
        settings.verbose
          ? absoluteTime(turn.startedAt, host.timeZone)
          : relativeTime(turn.startedAt, now, host.timeZone),
        String(turn.tools.reduce((sum, { count }) => sum + count, 0)),
        turn.inputTokens === null && turn.outputTokens === null
          ? '-'
          : String((turn.inputTokens ?? 0) + (turn.outputTokens ?? 0)),
        [firstLine(turn.prompt) || '(no prompt)', forks],
      ];
    }),
  );
  return 0;
}
