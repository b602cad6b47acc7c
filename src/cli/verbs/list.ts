import type { SessionSummary } from '../../core/timeline.ts';
import { absoluteTime, relativeTime } from '../moment.ts';
import { findSession } from '../selection.ts';
import { firstLine, styled, type Text } from '../text.ts';
import { changesText, statusText } from '../turnText.ts';
import type { Verb } from '../verb.ts';

/** Lists the turns of a session. */
export const list: Verb = {
  name: 'list',
  summary: 'list the turns of a session, oldest first',
  details: [
    'A turn is one prompt and everything the agent did until it stopped. Its number is what the other verbs take.',
    'STATUS says how the turn ended, `rewound` or `reverted` while that stands (`in part` when files in conflict were kept), `damaged` when its stored files cannot be read, `(gaps)` when something in it could not be recorded, and `(pruned)` when what it had saved was removed to keep within the limits, so that it cannot be rewound any more: see `show`.',
  ],
  arguments: [],
  options: [],
  examples: [
    { line: 'list', description: 'the session used last in the current folder' },
    { line: 'list --session 4f2a --verbose', description: 'another one, with ids and exact times' },
  ],
  async run(_call, context) {
    const opened = await context.open();
    const session = findSession(opened, context.settings.session);
    const turns = opened.app.turns(session.id);
    const operations = opened.app.operations(opened.root);
    const { out, host, settings } = context;
    if (out.json) {
      out.value({ root: opened.root, session, turns });
      return 0;
    }
    out.line(heading(session));
    if (turns.length === 0) {
      out.line('No turn yet.');
      return 0;
    }
    const now = host.now();
    out.table(
      [
        { title: 'TURN', align: 'right' },
        { title: settings.verbose ? 'ID' : '' },
        { title: 'BEGAN' },
        { title: 'STATUS' },
        { title: 'CHANGES' },
        { title: 'PROMPT', flexible: true },
      ],
      turns.map((turn) => [
        styled('bold', String(turn.number)),
        settings.verbose ? turn.id : '',
        settings.verbose
          ? absoluteTime(turn.startedAt, host.timeZone)
          : relativeTime(turn.startedAt, now, host.timeZone),
        statusText(turn, operations),
        changesText(turn.files),
        firstLine(turn.prompt),
      ]),
    );
    return 0;
  },
};

function heading({ id, agent, root }: SessionSummary): Text {
  return [styled('dim', 'Session '), id, styled('dim', ' of '), agent, styled('dim', ' in '), root];
}
