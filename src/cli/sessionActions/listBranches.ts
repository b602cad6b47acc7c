import type { CliContext } from '../cliContext.ts';
import type { ExitStatus } from '../exitStatus.ts';
import { firstLine, styled } from '../text.ts';
import type { VerbCall } from '../verb.ts';
import { meantSession } from './meantSession.ts';

/** Where the conversation forked. */
export async function listBranches(call: VerbCall, context: CliContext): Promise<ExitStatus> {
  const opened = await context.open();
  const session = meantSession(opened, call, context);
  const { history } = opened.app;
  const branches = history.branches(session.id);
  const position = history.position(session.id);
  if (context.out.json) {
    context.out.value({ session: session.id, position, branches });
    return 0;
  }
  const turns = new Map(history.turns(session.id).map((turn) => [turn.id, turn]));
  context.out.table(
    [
      { title: '' },
      { title: 'BRANCH' },
      { title: 'TURNS', align: 'right' },
      { title: 'FROM' },
      { title: 'LAST PROMPT', flexible: true },
    ],
    branches.map(({ name, turns: count, tip, forkedFrom, isCurrent }) => [
      name === position.branch ? styled('green', '>') : ' ',
      isCurrent ? styled('bold', name) : name,
      String(count),
      forkedFrom === null ? '' : `turn ${turns.get(forkedFrom)?.number ?? '?'}`,
      firstLine(turns.get(tip)?.prompt ?? ''),
    ]),
  );
  return 0;
}
