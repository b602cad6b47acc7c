import type { SessionHistory } from '../../app/sessionHistory.ts';
import { UserError } from '../../core/errors.ts';
import type { Position } from '../../core/history.ts';
import type { SessionId } from '../../core/ids.ts';
import type { CliContext } from '../cliContext.ts';
import type { ExitStatus } from '../exitStatus.ts';
import { findSession } from '../selection.ts';
import { firstLine } from '../text.ts';
import type { VerbCall } from '../verb.ts';
import { turnOf } from './showSession.ts';

/** Moves where a person looks. No file changes; the next prompt goes on from there. */
export async function goInSession(call: VerbCall, context: CliContext): Promise<ExitStatus> {
  const opened = await context.open();
  const session = findSession(opened, context.settings.session);
  const { history } = opened.app;
  const where = call.argument(1);
  if (where === undefined)
    throw new UserError(
      'usage',
      'Say where to: prev, next, latest, the number of a turn, or a branch.',
    );
  const position = move(history, session.id, where);
  const { out } = context;
  if (out.json) {
    out.value({ position });
    return 0;
  }
  const turn = history.turns(session.id).find(({ id }) => id === position.turn);
  out.line(
    `Turn ${position.index} / ${position.count} of ${position.branch}: ${firstLine(turn?.prompt ?? '(before the first)')}`,
  );
  if (!position.isLatest) out.line('The next prompt goes on from here, as a branch of its own.');
  return 0;
}

function move(history: SessionHistory, session: SessionId, where: string): Position {
  if (where === 'prev' || where === 'next' || where === 'latest')
    return history.step(session, where);
  if (where === '0') return history.goTo(session, null);
  if (/^\d+$/.test(where)) return history.goTo(session, turnOf(history.branch(session), where).id);
  return history.switchTo(session, where);
}
