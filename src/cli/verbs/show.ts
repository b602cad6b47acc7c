import type { OperationId } from '../../core/ids.ts';
import { takenInPart } from '../../core/takenInPart.ts';
import type { TouchSummary, TurnSummary } from '../../core/timeline.ts';
import type { CliContext } from '../cliContext.ts';
import { absoluteTime, duration, relativeTime } from '../moment.ts';
import { type NumberedOperation, operationsIn } from '../operationSelection.ts';
import type { Output } from '../output.ts';
import { findTurn } from '../selection.ts';
import { styled, type Text } from '../text.ts';
import { changesText, changeText, linesText, statusText, takenBackText } from '../turnText.ts';
import { turnArgument, type Verb } from '../verb.ts';

/** Shows one turn. */
export const show: Verb = {
  name: 'show',
  summary: 'show one turn: prompt, reply, tools, files, and what was not recorded',
  details: [],
  arguments: [turnArgument],
  options: [],
  examples: [
    { line: 'show 3', description: 'turn 3 of the session used last' },
    { line: 'show 3 --json', description: 'the same as JSON' },
  ],
  async run(call, context) {
    const opened = await context.open();
    const turn = findTurn(opened, context.settings.session, call.argument(0));
    if (context.out.json) context.out.value({ turn });
    else print(turn, operationsIn(opened, undefined), context);
    return 0;
  },
};

function print(
  turn: TurnSummary,
  operations: readonly NumberedOperation[],
  context: CliContext,
): void {
  const { out } = context;
  out.line([
    styled('bold', `Turn ${turn.number}`),
    styled('dim', ' of session '),
    turn.session,
    styled('dim', ' by '),
    turn.model === null ? turn.agent : `${turn.agent} (${turn.model})`,
  ]);
  out.table([{ title: '' }, { title: '' }], facts(turn, operations, context), 2);
  printText(out, 'Prompt', turn.prompt);
  if (turn.reply !== null) printText(out, 'Reply', turn.reply);
  printFiles(out, turn.files);
  if (turn.unprotected.length > 0) {
    out.line();
    out.line(styled('yellow', 'Not protected (a rewind cannot bring these back):'));
    out.table(
      [{ title: '' }, { title: '' }],
      turn.unprotected.map(({ path, reason }) => [path, reason]),
      2,
    );
  }
}

function facts(
  turn: TurnSummary,
  operations: readonly NumberedOperation[],
  { host, settings }: CliContext,
): readonly (readonly Text[])[] {
  const began = absoluteTime(turn.startedAt, host.timeZone);
  const ago = relativeTime(turn.startedAt, host.now(), host.timeZone);
  const rows: (readonly Text[])[] = [
    [styled('dim', 'Began'), ago.startsWith(began.slice(0, 10)) ? began : `${began} (${ago})`],
  ];
  const add = (name: string, value: Text) => rows.push([styled('dim', name), value]);
  if (turn.endedAt !== null) add('Took', duration(turn.endedAt - turn.startedAt));
  add('Status', statusText(turn, operations));
  if (turn.tools.length > 0)
    add('Tools', turn.tools.map(({ name, count }) => `${name} × ${count}`).join(', '));
  if (turn.rewoundBy !== null)
    add(
      takenBackText(turn, operations) === 'reverted' ? 'Reverted' : 'Rewound',
      takenBackBy(turn.rewoundBy, operations),
    );
  else addPartly(turn, operations, add);
  if (turn.imported)
    add('Imported', styled('dim', "from the agent's transcript; nothing of its files was saved"));
  else if (turn.prunedAt !== null)
    add(
      'Pruned',
      styled(
        'yellow',
        `what it had saved was removed on ${absoluteTime(turn.prunedAt, host.timeZone)} to keep within the limits`,
      ),
    );
  if (turn.damaged !== null) add('Damage', styled('red', turn.damaged));
  if (turn.uncapturedShell)
    add(
      'Gap',
      styled(
        'yellow',
        `shell commands ran whose effects on other files are not recorded${turn.uncapturedWhy === undefined ? '' : `: ${turn.uncapturedWhy}`}`,
      ),
    );
  if (settings.verbose) {
    add('Id', turn.id);
    add('Checkpoint', String(turn.seq));
  }
  return rows;
}

/** The newest rewind or revert of this turn that left something out and stands. */
function addPartly(
  turn: TurnSummary,
  operations: readonly NumberedOperation[],
  add: (name: string, value: Text) => void,
): void {
  const part = takenInPart(turn, operations);
  if (part === undefined) return;
  const { operation, kept } = part;
  const how = operation.kind === 'revert' ? 'Reverted' : 'Rewound';
  const what = kept.length > 0 ? `kept: ${kept.join(', ')}` : 'its files were put back';
  add(how, styled('yellow', `in part, by operation ${operation.number}; ${what}`));
}

function takenBackBy(id: OperationId, operations: readonly NumberedOperation[]): Text {
  const operation = operations.find((each) => each.id === id);
  if (operation === undefined) return `by operation ${id}`;
  const text = `by operation ${operation.number}`;
  return operation.pruned
    ? [text, styled('yellow', ', which cannot be taken back any more (pruned)')]
    : text;
}

function printText(out: Output, title: string, text: string): void {
  out.line();
  out.line(styled('dim', title));
  for (const line of text.trim().split(/\r\n|\r|\n/))
    out.line(line === '' ? '' : `  ${line.replaceAll('\t', '    ')}`);
}

function printFiles(out: Output, files: readonly TouchSummary[]): void {
  out.line();
  if (files.length === 0) {
    out.line(styled('dim', 'No files changed'));
    return;
  }
  out.line([styled('dim', 'Changed '), changesText(files)]);
  out.table(
    [{ title: '' }, { title: '' }, { title: '' }, { title: '' }],
    files.map((file) => [
      changeText(file.change),
      file.path,
      linesText(file.added, file.removed),
      file.cause === 'edit'
        ? ''
        : styled('dim', `by ${file.cause}${file.uncertain ? ', perhaps' : ''}`),
    ]),
    2,
  );
}
