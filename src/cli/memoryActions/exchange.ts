import {
  type ExportedMemory,
  exportMemory,
  type ImportedMemory,
  importMemory,
  type MemoryExchange,
} from '../../app/memoryExchange.ts';
import type { CliContext } from '../cliContext.ts';
import type { ExitStatus } from '../exitStatus.ts';
import { counted } from '../previewText.ts';
import type { VerbCall } from '../verb.ts';
import { targetOf } from './documents.ts';
import { refuseAgents, scopeOf } from './memoryWords.ts';

/** Into a block of a document that others read; the shared one unless it is said otherwise. */
export async function exportToDocument(call: VerbCall, context: CliContext): Promise<ExitStatus> {
  const exported = await exportMemory(await exchangeOf(call, context));
  const { out } = context;
  if (out.json) out.value(exported);
  else out.line(exportedLine(exported));
  return 0;
}

/** From that block. Status 1 where memory says something else of some, and still does. */
export async function importFromDocument(call: VerbCall, context: CliContext): Promise<ExitStatus> {
  const imported = await importMemory(await exchangeOf(call, context));
  const { out } = context;
  if (out.json) out.value(imported);
  else for (const line of importedLines(imported)) out.line(line);
  return imported.kept.length > 0 ? 1 : 0;
}

async function exchangeOf(call: VerbCall, context: CliContext): Promise<MemoryExchange> {
  refuseAgents(call, context);
  const { app, root } = await context.open();
  return {
    memory: await app.memory(),
    context: await app.memoryContext(),
    folder: context.folder,
    root,
    scope: scopeOf(call) ?? 'project',
    document: targetOf(call, 'project'),
    anyway: call.flag('anyway'),
  };
}

function exportedLine({ label, facts, notes, isChanged }: ExportedMemory): string {
  const what = `${counted(facts, 'fact')} and ${counted(notes, 'note')}`;
  return isChanged ? `${label} has ${what} of memory now.` : `${label} has just that already.`;
}

function importedLines({ label, stored, same, kept }: ImportedMemory): readonly string[] {
  return [
    ...stored.map((name) => `Stored ${name}.`),
    ...kept.map((name) => `Kept ${name}: ${label} says something else; --anyway takes that.`),
    ...(same.length > 0 ? [`${same.length} were there just so already.`] : []),
    ...(stored.length + same.length + kept.length === 0 ? [`The block in ${label} is empty.`] : []),
  ];
}
