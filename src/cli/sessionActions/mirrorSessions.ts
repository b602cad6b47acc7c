import { UserError } from '../../core/errors.ts';
import type { CliContext } from '../cliContext.ts';
import type { ExitStatus } from '../exitStatus.ts';
import { counted } from '../previewText.ts';
import { findSession } from '../selection.ts';
import { styled } from '../text.ts';
import type { VerbCall } from '../verb.ts';

/** Brings the git repositories of sessions up to date: of one, or of all. */
export async function mirrorSessions(call: VerbCall, context: CliContext): Promise<ExitStatus> {
  const opened = await context.open();
  const { history } = opened.app;
  const { out, settings } = context;
  const name = call.argument(1) ?? settings.session;
  const session = name === undefined ? undefined : findSession(opened, name);
  const remote = call.option('remote');
  if (remote !== undefined) {
    if (session === undefined)
      throw new UserError(
        'usage',
        'Say which session is to be pushed: sessions mirror SESSION --remote URL.',
      );
    history.setRemote(session.id, remote === 'none' ? null : remote);
  }
  const report = await history.syncMirrors({
    ...(session !== undefined && { session: session.id }),
    check: call.flag('check'),
  });
  const state = session === undefined ? undefined : history.mirrorState(session.id);
  if (out.json) out.value({ ...report, ...(state !== undefined && { state }) });
  else {
    out.line(
      `${counted(report.mirrors, 'mirror')} looked at, ${counted(report.commits, 'commit')} made, ${report.pushed} pushed.`,
    );
    if (state !== undefined) out.line(`  ${state.folder}`);
    for (const repair of report.repairs) out.line(styled('yellow', repair));
    for (const failure of report.failures)
      out.line(styled('red', `${failure.session}: ${failure.reason}`));
  }
  return report.failures.length > 0 ? 1 : 0;
}
