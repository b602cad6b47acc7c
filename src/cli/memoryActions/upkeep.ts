import type { CliContext } from '../cliContext.ts';
import type { ExitStatus } from '../exitStatus.ts';
import { styled } from '../text.ts';
import type { VerbCall } from '../verb.ts';
import { openMemory, refuseAgents } from './memoryWords.ts';

/** The memory of a folder that is gone becomes that of this one; without a place: which there are. */
export async function adoptMemory(call: VerbCall, context: CliContext): Promise<ExitStatus> {
  const { memory, root } = await openMemory(context);
  const place = call.argument(1);
  const { out } = context;
  if (place === undefined) {
    const orphans = await memory.orphans();
    if (out.json) out.value({ orphans });
    else if (orphans.length === 0) out.line('No memory of a folder that is gone.');
    for (const orphan of out.json ? [] : orphans) out.line(orphan);
    return 0;
  }
  refuseAgents(call, context);
  await memory.adopt(root, place);
  if (out.json) out.value({ adopted: place });
  else out.line(`What was remembered of ${place} is remembered here now.`);
  return 0;
}

/** Status 1 when there are some. */
export async function memoryProblems(_call: VerbCall, context: CliContext): Promise<ExitStatus> {
  const { memory, root } = await openMemory(context);
  const problems = await memory.problems(root);
  const { out } = context;
  if (out.json) out.value({ problems });
  else if (problems.length === 0) out.line('Every file of memory can be read.');
  for (const { path, text } of out.json ? [] : problems)
    out.line([styled('yellow', path), ` ${text}`]);
  return problems.length === 0 ? 0 : 1;
}
