import { UserError } from '../../core/errors.ts';
import type { CliContext } from '../cliContext.ts';
import type { ExitStatus } from '../exitStatus.ts';
import { absoluteTime } from '../moment.ts';
import { findTurn } from '../selection.ts';
import { styled } from '../text.ts';
import type { VerbCall } from '../verb.ts';
import { needed, openMemory, originText, refuseAgents, scopeOf, when } from './memoryWords.ts';
import { printNotes } from './readNotes.ts';

/** The changes of a note or of a file of facts, newest first. */
export async function noteHistory(call: VerbCall, context: CliContext): Promise<ExitStatus> {
  const { memory, root } = await openMemory(context);
  const versions = await memory.history(root, needed(call, 1, 'note'), scopeOf(call));
  const { out } = context;
  if (out.json) out.value({ versions });
  else if (versions.length === 0) out.line('No change of it is known.');
  else
    out.table(
      [
        { title: 'CHANGE', align: 'right' },
        { title: 'WHEN' },
        { title: 'BY' },
        { title: 'WHAT' },
        { title: 'TURN' },
      ],
      versions.map(({ touch }) => [
        String(touch.id),
        when(touch.at, context),
        originText(touch.origin),
        touch.before === null
          ? 'made'
          : touch.after === null
            ? styled('red', 'removed')
            : 'changed',
        touch.origin.turn ?? '',
      ]),
    );
  return 0;
}

export async function restoreNote(call: VerbCall, context: CliContext): Promise<ExitStatus> {
  refuseAgents(call, context);
  const touch = Number(needed(call, 1, 'change'));
  const side = call.argument(2) ?? 'before';
  if (!Number.isSafeInteger(touch) || (side !== 'before' && side !== 'after'))
    throw new UserError(
      'usage',
      'Give the number of a change as history shows it, and before or after.',
    );
  const { memory } = await openMemory(context);
  await memory.restore(touch, side);
  if (context.out.json) context.out.value({ restored: touch, side });
  else context.out.line(`It is as it was ${side} change ${touch}. history shows how to go back.`);
  return 0;
}

/** Notes and facts as they were at the end of a turn. */
export async function memoryAsOf(call: VerbCall, context: CliContext): Promise<ExitStatus> {
  const opened = await context.open();
  const turn = findTurn(opened, context.settings.session, needed(call, 1, 'turn'));
  const memory = await opened.app.memory();
  const moment = await memory.asOf(opened.root, turn.id);
  const { out, host } = context;
  if (out.json) {
    out.value({ turn: turn.id, ...moment });
    return 0;
  }
  out.line(styled('dim', `As of turn ${turn.number}, ${absoluteTime(moment.at, host.timeZone)}.`));
  printNotes(moment.notes, context);
  for (const { scope, facts } of moment.sheets)
    for (const { key, value } of facts) out.line(`${scope} ${key}: ${value}`);
  for (const file of moment.gone) out.line(`${file}: its text of then is not kept any more.`);
  return 0;
}
