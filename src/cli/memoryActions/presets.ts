import type { ShownPresets } from '../../app/memoryContextUse.ts';
import { UserError } from '../../core/errors.ts';
import { isMemoryMode, type MemoryMode, memoryModes } from '../../core/presets.ts';
import type { PresetEdit } from '../../memory/presetEdits.ts';
import type { CliContext } from '../cliContext.ts';
import type { ExitStatus } from '../exitStatus.ts';
import { styled } from '../text.ts';
import type { VerbCall } from '../verb.ts';
import { needed, refuseAgents, textOf } from './memoryWords.ts';
import { openMemoryContext } from './showContext.ts';

/** The presets of the mode in use, or of that of --mode. */
export async function listPresets(call: VerbCall, context: CliContext): Promise<ExitStatus> {
  const memory = await openMemoryContext(context);
  tell(memory.presets(modeOf(call)), context);
  return 0;
}

const acts = ['use', 'add', 'edit', 'duplicate', 'remove', 'restore'] as const;

/** `preset use <preset>` and what else is done to presets. */
export async function changePresets(call: VerbCall, context: CliContext): Promise<ExitStatus> {
  refuseAgents(call, context);
  const edit = await editOf(call, context);
  const memory = await openMemoryContext(context);
  tell(await memory.editPresets(edit, modeOf(call)), context);
  return 0;
}

async function editOf(call: VerbCall, context: CliContext): Promise<PresetEdit> {
  const act = acts.find((each) => each === call.argument(1));
  const name = call.option('name');
  switch (act) {
    case undefined:
      throw new UserError('usage', `preset ${acts.join('|')}`);
    case 'restore':
      return { act };
    case 'add': {
      if (name === undefined) throw new UserError('usage', 'What is it called? --name');
      return { act, name, content: await textOf(needed(call, 2, 'text'), context) };
    }
    case 'edit': {
      const text = call.option('text');
      return {
        act,
        preset: needed(call, 2, 'preset'),
        ...(name !== undefined && { name }),
        ...(text !== undefined && { content: await textOf(text, context) }),
      };
    }
    default:
      return { act, preset: needed(call, 2, 'preset') };
  }
}

function modeOf(call: VerbCall): MemoryMode | undefined {
  const given = call.option('mode');
  if (given === undefined || isMemoryMode(given)) return given;
  throw new UserError('usage', `The mode is one of ${memoryModes.join(', ')}.`);
}

function tell({ mode, set, problem }: ShownPresets, { out }: CliContext): void {
  if (out.json) {
    out.value({ mode, ...set, ...(problem && { problem }) });
    return;
  }
  out.table(
    [{ title: 'PRESET' }, { title: 'ID' }, { title: '', flexible: true }],
    set.items.map(({ id, name, content }) => [
      id === set.active ? styled('bold', `* ${name}`) : `  ${name}`,
      styled('dim', id),
      styled('dim', content.replaceAll('\n', ' ')),
    ]),
  );
  if (problem) out.line(styled('yellow', `${problem.path}: ${problem.text}`));
}
