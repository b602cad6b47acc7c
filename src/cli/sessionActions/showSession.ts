import { UserError } from '../../core/errors.ts';
import type { HistoryTurn, MessageNode } from '../../core/history.ts';
import type { CliContext } from '../cliContext.ts';
import type { ExitStatus } from '../exitStatus.ts';
import { absoluteTime, duration } from '../moment.ts';
import type { Output } from '../output.ts';
import { styled, type Text } from '../text.ts';
import type { VerbCall } from '../verb.ts';
import { meantSession, wholeNumber } from './meantSession.ts';

/** One session, or the messages of one of its turns. */
export async function showSession(call: VerbCall, context: CliContext): Promise<ExitStatus> {
  const opened = await context.open();
  const session = meantSession(opened, call, context);
  const { history } = opened.app;
  const { out, host } = context;
  const number = call.option('turn');
  if (number !== undefined) {
    const turn = turnOf(history.branch(session.id, call.option('branch')), number);
    const messages = history.nodes(turn.id);
    if (out.json) out.value({ turn, messages });
    else for (const message of inOrderOfEvents(messages)) printMessage(out, message);
    return 0;
  }
  const position = history.position(session.id);
  const branches = history.branches(session.id);
  const mirror = history.mirrorState(session.id);
  if (out.json) {
    out.value({ session, position, branches, mirror });
    return 0;
  }
  const rows: (readonly Text[])[] = [
    [styled('dim', 'Session'), session.id],
    [styled('dim', 'Agent'), session.agent],
    [styled('dim', 'Folder'), session.root],
    [styled('dim', 'Began'), absoluteTime(session.startedAt, host.timeZone)],
    [styled('dim', 'Used'), absoluteTime(session.updatedAt, host.timeZone)],
    [styled('dim', 'Turns'), String(session.turns)],
    [styled('dim', 'Branches'), branches.map(({ name }) => name).join(', ') || 'none'],
    [
      styled('dim', 'Looking at'),
      `Turn ${position.index} / ${position.count} of ${position.branch}`,
    ],
    [
      styled('dim', 'Mirror'),
      mirror.behind === 0 ? mirror.folder : `${mirror.folder} (${mirror.behind} turns behind)`,
    ],
  ];
  if (mirror.failure !== null)
    rows.push([styled('dim', 'Failure'), styled('yellow', mirror.failure)]);
  if (mirror.remote !== null)
    rows.push([
      styled('dim', 'Remote'),
      mirror.isPushed ? mirror.remote : `${mirror.remote} (not pushed)`,
    ]);
  if (mirror.pushFailure !== null)
    rows.push([styled('dim', 'Push'), styled('yellow', mirror.pushFailure)]);
  out.line(styled('bold', session.title));
  out.table([{ title: '' }, { title: '' }], rows, 2);
  return 0;
}

/** The reply comes after what tools answered. */
function inOrderOfEvents(messages: readonly MessageNode[]): readonly MessageNode[] {
  const isReply = ({ role }: MessageNode) => role === 'assistant';
  return [...messages.filter((each) => !isReply(each)), ...messages.filter(isReply)];
}

/** @throws UserError `notFound`, `usage`. */
export function turnOf(turns: readonly HistoryTurn[], number: string): HistoryTurn {
  const wanted = wholeNumber(number, 'The number of a turn');
  const turn = turns.find((each) => each.number === wanted);
  if (turn !== undefined) return turn;
  throw new UserError('notFound', `There is no turn ${number} on this branch.`, { turn: wanted });
}

function printMessage(out: Output, node: MessageNode): void {
  const facts = [
    node.name ?? node.role,
    ...(node.failed ? ['failed'] : []),
    ...(node.model === null ? [] : [node.model]),
    ...(node.inputTokens === null ? [] : [`${node.inputTokens} + ${node.outputTokens} tokens`]),
    ...(node.duration === null ? [] : [duration(node.duration)]),
  ];
  if (node.said !== null) {
    printText(out, node.said);
    out.line();
  }
  out.line(styled(node.failed ? 'red' : 'bold', facts.join(' · ')));
  if (node.input !== null) printText(out, node.input, 'dim');
  printText(out, node.content);
  out.line();
}

function printText(out: Output, text: string, style?: 'dim'): void {
  if (text.trim() === '') return;
  for (const line of text.trimEnd().split(/\r\n|\r|\n/)) {
    const shown = `  ${line.replaceAll('\t', '    ')}`;
    out.line(style === undefined ? shown : styled(style, shown));
  }
}
