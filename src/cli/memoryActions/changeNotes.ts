import { UserError } from '../../core/errors.ts';
import { type MemoryScope, memoryScopes, type WriteResult } from '../../core/memory.ts';
import type { CliContext } from '../cliContext.ts';
import type { ExitStatus } from '../exitStatus.ts';
import type { VerbCall } from '../verb.ts';
import { needed, openMemory, refuseAgents, scopeOf, textOf, writerOf } from './memoryWords.ts';

type Action = (call: VerbCall, context: CliContext) => Promise<ExitStatus>;

/** Stores a note, or has it wait. */
export const rememberNote: Action = async (call, context) => {
  const body = await textOf(needed(call, 1, 'text'), context);
  const { memory, root } = await openMemory(context);
  const mode = call.option('mode');
  const result = await memory.write(
    root,
    {
      act: 'remember',
      scope: scopeOf(call) ?? 'project',
      name: call.option('name') ?? '',
      body,
      ...(mode !== undefined && { mode }),
    },
    writerOf(call, context),
  );
  return tellResult(context, result);
};

export const forgetNote: Action = async (call, context) => {
  const name = needed(call, 1, 'note');
  const { memory, root } = await openMemory(context);
  const scope = scopeOf(call) ?? (await memory.show(root, name)).scope;
  const result = await memory.write(root, { act: 'forget', scope, name }, writerOf(call, context));
  return tellResult(context, result);
};

/** A new text, a new name or another mode. */
export const editNote: Action = async (call, context) => {
  refuseAgents(call, context);
  const word = call.argument(2);
  const body = word === undefined ? undefined : await textOf(word, context);
  const [name, mode] = [call.option('name'), call.option('mode')];
  if (body === undefined && name === undefined && mode === undefined)
    throw new UserError('usage', 'What is to change? Give a text, --name or --mode.');
  const { memory, root } = await openMemory(context);
  const edit = { body, name, mode: mode === 'all' ? null : mode };
  const note = await memory.edit(root, needed(call, 1, 'note'), edit, scopeOf(call));
  if (context.out.json) context.out.value({ note });
  else context.out.line(`Changed ${note.name} (${note.scope}).`);
  return 0;
};

export function pinning(pinned: boolean): Action {
  return async (call, context) => {
    refuseAgents(call, context);
    const { memory, root } = await openMemory(context);
    const note = await memory.edit(root, needed(call, 1, 'note'), { pinned }, scopeOf(call));
    if (context.out.json) context.out.value({ note });
    else context.out.line(`${note.name} is ${pinned ? '' : 'not '}pinned now.`);
    return 0;
  };
}

export const moveNote: Action = async (call, context) => {
  refuseAgents(call, context);
  const name = needed(call, 1, 'note');
  const to = memoryScopes.find((scope) => scope === call.argument(2));
  if (to === undefined)
    throw new UserError('usage', `Where to? One of ${memoryScopes.join(', ')}.`);
  const from: MemoryScope = scopeOf(call) ?? (to === 'global' ? 'project' : 'global');
  const { memory, root } = await openMemory(context);
  const note = await memory.move(root, name, from, to);
  if (context.out.json) context.out.value({ note });
  else context.out.line(`${note.name} is ${to === 'global' ? 'global' : 'of the project'} now.`);
  return 0;
};

/** Status 1 where nothing was stored, and nothing waits either. */
export function tellResult({ out }: CliContext, result: WriteResult): ExitStatus {
  if (out.json) out.value({ result });
  else for (const line of resultLines(result)) out.line(line);
  return result.kind === 'duplicate' || result.kind === 'absent' ? 1 : 0;
}

function resultLines(result: WriteResult): readonly string[] {
  switch (result.kind) {
    case 'stored': {
      const { name, scope } = result.note;
      return [`${result.isNew ? 'Remembered' : 'Changed'} ${name} (${scope}).`];
    }
    case 'factStored': {
      const { used, cap, scope } = result.sheet;
      return [`Stored. The facts (${scope}) take about ${used} of ${cap} tokens.`];
    }
    case 'removed':
      return [`Forgot ${result.name}.`];
    case 'absent':
      return [`There is nothing called ${result.name}.`];
    case 'unchanged':
      return ['It is there just so already.'];
    case 'staged':
      return [
        `It waits for a person's approval: memcode-timeline memory approve ${result.pending.id.slice(0, 8)}`,
      ];
    case 'duplicate':
      return [
        `The note ${result.of.name} says nearly the same. Write to that one, or insist with --anyway.`,
      ];
  }
}
