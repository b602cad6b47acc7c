import { factScopeOf } from '../../core/memory.ts';
import type { CliContext } from '../cliContext.ts';
import type { ExitStatus } from '../exitStatus.ts';
import { styled } from '../text.ts';
import type { VerbCall } from '../verb.ts';
import { tellResult } from './changeNotes.ts';
import { needed, openMemory, scopeOf, textOf, writerOf } from './memoryWords.ts';

/** Both files of facts, with what they take. */
export async function listFacts(call: VerbCall, context: CliContext): Promise<ExitStatus> {
  const { memory, root } = await openMemory(context);
  const only = scopeOf(call) && factScopeOf(scopeOf(call));
  const sheets = (await memory.facts(root)).filter(
    ({ scope }) => only === undefined || scope === only,
  );
  const { out } = context;
  if (out.json) {
    out.value({ sheets });
    return 0;
  }
  for (const { scope, facts, used, cap, problems } of sheets) {
    out.line([
      styled('bold', scope),
      styled('dim', ` about ${used} of ${cap} tokens (of other scripts than Latin up to double)`),
    ]);
    if (facts.length === 0) out.line('  none');
    out.table(
      [{ title: '' }, { title: '', flexible: true }],
      facts.map(({ key, value }) => [key, value]),
      2,
    );
    for (const { path, text } of problems) out.note(`${path}: ${text}`);
  }
  return 0;
}

export async function changeFacts(call: VerbCall, context: CliContext): Promise<ExitStatus> {
  const key = needed(call, 1, 'key');
  const value = (await textOf(needed(call, 2, 'value'), context)).trimEnd();
  const { memory, root } = await openMemory(context);
  const write = { act: 'setFact', scope: factScopeOf(scopeOf(call)), key, value } as const;
  return tellResult(context, await memory.write(root, write, writerOf(call, context)));
}

export async function dropFact(call: VerbCall, context: CliContext): Promise<ExitStatus> {
  const key = needed(call, 1, 'key');
  const { memory, root } = await openMemory(context);
  const write = { act: 'dropFact', scope: factScopeOf(scopeOf(call)), key } as const;
  return tellResult(context, await memory.write(root, write, writerOf(call, context)));
}
