import { createTwoFilesPatch } from 'diff';
import { UserError } from '../../core/errors.ts';
import { agentWriteModes, type PendingWrite } from '../../core/memory.ts';
import type { CliContext } from '../cliContext.ts';
import type { ExitStatus } from '../exitStatus.ts';
import { styled, type Text } from '../text.ts';
import type { VerbCall } from '../verb.ts';
import { tellResult } from './changeNotes.ts';
import { needed, openMemory, originText, refuseAgents, textOf, when } from './memoryWords.ts';

/** What agents asked to write, with what would change. */
export async function listPending(_call: VerbCall, context: CliContext): Promise<ExitStatus> {
  const { memory, root } = await openMemory(context);
  const pending = await memory.pending(root);
  const { out } = context;
  if (out.json) out.value({ pending });
  else if (pending.length === 0) out.line('Nothing waits.');
  for (const each of out.json ? [] : pending) {
    out.line([
      styled('bold', each.id.slice(0, 8)),
      ` ${subjectOf(each)}`,
      styled('dim', `, ${originText(each.origin)}, ${when(each.at, context)}`),
      each.isStale ? styled('yellow', ', was changed since') : '',
    ]);
    for (const line of changeLines(each)) out.line(line);
  }
  return 0;
}

/** @param call the id, and a text in place of the one asked for */
export async function approveWrite(call: VerbCall, context: CliContext): Promise<ExitStatus> {
  refuseAgents(call, context);
  const id = needed(call, 1, 'write');
  const word = call.argument(2);
  const { memory } = await openMemory(context);
  const body = word === undefined ? undefined : await textOf(word, context);
  return tellResult(context, await memory.approve(id, { body, anyway: call.flag('anyway') }));
}

export async function rejectWrite(call: VerbCall, context: CliContext): Promise<ExitStatus> {
  refuseAgents(call, context);
  const id = needed(call, 1, 'write');
  const { memory } = await openMemory(context);
  await memory.reject(id);
  if (context.out.json) context.out.value({ rejected: id });
  else context.out.line('Rejected. Memory is as it was.');
  return 0;
}

/** Shows or sets what becomes of agents' writes. */
export async function showWrites(call: VerbCall, context: CliContext): Promise<ExitStatus> {
  const { memory } = await openMemory(context);
  const wanted = call.argument(1);
  if (wanted !== undefined) {
    refuseAgents(call, context);
    const mode = agentWriteModes.find((each) => each === wanted);
    if (mode === undefined)
      throw new UserError('usage', `The mode is one of ${agentWriteModes.join(', ')}.`);
    memory.setAgentWrites(mode);
  }
  const agentWrites = memory.agentWrites();
  if (context.out.json) context.out.value({ agentWrites });
  else context.out.line(modeTexts[agentWrites]);
  return 0;
}

const modeTexts = {
  auto: 'auto: what agents remember is stored at once.',
  ask: 'ask: what agents remember waits until a person approves it.',
  off: 'off: agents remember nothing; they may read.',
} as const;

function subjectOf({ write }: PendingWrite): string {
  switch (write.act) {
    case 'remember':
      return `remember ${write.name} (${write.scope})`;
    case 'forget':
      return `forget ${write.name} (${write.scope})`;
    case 'setFact':
      return `set ${write.key} (${write.scope})`;
    case 'dropFact':
      return `unset ${write.key} (${write.scope})`;
  }
}

function changeLines({ before, after }: PendingWrite): readonly Text[] {
  const patch = createTwoFilesPatch('a', 'b', endedLine(before), endedLine(after));
  return patch
    .split('\n')
    .slice(4)
    .filter((line) => line !== '' && !line.startsWith('@@'))
    .map((line) => [
      '  ',
      line.startsWith('+')
        ? styled('green', line)
        : line.startsWith('-')
          ? styled('red', line)
          : line,
    ]);
}

const endedLine = (text: string | null): string => (text === null ? '' : `${text}\n`);
