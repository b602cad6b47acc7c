import { UserError } from '../../core/errors.ts';
import type { CliContext } from '../cliContext.ts';
import type { ExitStatus } from '../exitStatus.ts';
import { relativeTime } from '../moment.ts';
import { findSession } from '../selection.ts';
import { styled } from '../text.ts';
import type { VerbCall } from '../verb.ts';
import { wholeNumber } from './meantSession.ts';

/** Messages that hold words, touched a file, came from an agent, in a time. */
export async function searchSessions(call: VerbCall, context: CliContext): Promise<ExitStatus> {
  const opened = await context.open();
  const { out, host, settings } = context;
  const now = host.now();
  const text = call.argument(1);
  const limit = call.option('limit');
  const time = (name: string) => {
    const given = call.option(name);
    return given === undefined ? undefined : momentOf(given, now);
  };
  const since = time('since');
  const until = time('until');
  const file = call.option('file');
  const agent = call.option('agent');
  if ([text, file, agent, since, until].every((given) => given === undefined))
    throw new UserError('usage', 'Say what to look for: words, --file, --agent, --since.');
  const hits = opened.app.history.search({
    ...(text !== undefined && { text }),
    ...(file !== undefined && { file }),
    ...(agent !== undefined && { agent }),
    ...(since !== undefined && { since }),
    ...(until !== undefined && { until }),
    ...(limit !== undefined && { limit: wholeNumber(limit, '--limit') }),
    ...(settings.session !== undefined && {
      session: findSession(opened, settings.session).id,
    }),
    ...(!call.flag('all') && { root: opened.root }),
  });
  if (out.json) {
    out.value({ hits });
    return 0;
  }
  if (hits.length === 0) {
    out.line(
      call.flag('all')
        ? 'Nothing found.'
        : 'Nothing found in this folder; --all looks in every one.',
    );
    return 0;
  }
  for (const { node, agent: by, root, number, excerpt, title } of hits) {
    out.line([
      styled('bold', `${node.session.slice(0, 8)} turn ${number}`),
      styled(
        'dim',
        ` ${by} ${node.name ?? node.role}, ${relativeTime(node.createdAt, now, host.timeZone)}`,
      ),
      call.flag('all') ? styled('dim', `, ${root}`) : '',
      styled('dim', `, ${title.slice(0, 60)}`),
    ]);
    out.line(`  ${excerpt}`);
  }
  return 0;
}

const units = { h: 3_600_000, d: 86_400_000, w: 7 * 86_400_000 } as const;

/** `7d` ago, or a date. @throws UserError `usage`. */
export function momentOf(text: string, now: number): number {
  const ago = /^(\d{1,6})([hdw])$/.exec(text);
  const unit = ago?.[2];
  if (unit === 'h' || unit === 'd' || unit === 'w') return now - Number(ago?.[1]) * units[unit];
  const time = Date.parse(text);
  if (Number.isFinite(time)) return time;
  throw new UserError('usage', `${text} is no time. Write 2026-03-05, or 12h, 7d, 4w for ago.`);
}
