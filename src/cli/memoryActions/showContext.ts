import type { MemoryContextUse, ShownMemory } from '../../app/memoryContextUse.ts';
import { agentName } from '../../core/agentName.ts';
import type { ComposedSource } from '../../core/composedMemory.ts';
import { withMemory } from '../../memory/compose.ts';
import type { CliContext } from '../cliContext.ts';
import type { ExitStatus } from '../exitStatus.ts';
import { styled, type Text } from '../text.ts';
import type { VerbCall } from '../verb.ts';
import { textOf } from './memoryWords.ts';

export async function openMemoryContext(context: CliContext): Promise<MemoryContextUse> {
  const { app } = await context.open();
  return app.memoryContext();
}

/** Exactly what an agent is given when a session starts here, then what it is made of. */
export async function showContext(call: VerbCall, context: CliContext): Promise<ExitStatus> {
  const memory = await openMemoryContext(context);
  const shown = memory.show(context.folder, call.argument(1) ?? call.option('agent'));
  const { out } = context;
  const base = call.option('base');
  if (base !== undefined) {
    printWhole(withMemory(await textOf(base, context), shown.composed.text), context);
    return 0;
  }
  if (out.json) {
    const { ownDocuments, documents, ...rest } = shown;
    const { documents: loaded, ...left } = documents;
    out.value({
      ...rest,
      ...left,
      ownDocuments: ownDocuments.map(({ label }) => label),
      documents: loaded.map(({ text: _text, ...document }) => document),
    });
    return 0;
  }
  for (const line of shown.composed.text.split('\n'))
    if (shown.composed.text !== '') out.line(line);
  out.line();
  for (const line of summaryOf(shown)) out.line(line);
  return 0;
}

/** For agents without hooks: what they are told otherwise, untouched, and memory behind it. */
function printWhole(text: string, { out }: CliContext): void {
  if (out.json) out.value({ text });
  else if (out.toTerminal) for (const line of text.split('\n')) out.line(line);
  else out.raw(text);
}

function summaryOf(shown: ShownMemory): readonly Text[] {
  const { agent, composed, ownDocuments, documents, problems, isGiven } = shown;
  const who = agent === null ? 'Agents are' : `${agentName(agent) ?? agent} is`;
  const { characters, tokens, budget, sources } = composed;
  return [
    composed.text === ''
      ? `${who} given nothing.`
      : `${who} given ${characters} characters, about ${tokens} tokens, of ${budget} bytes at most. In other scripts than Latin it may be twice as many tokens.`,
    ...(isGiven
      ? []
      : [styled('yellow', 'Giving memory to agents is switched off: nothing of this is given.')]),
    ...(documents.isTrusted
      ? []
      : [
          styled(
            'yellow',
            'This folder is not trusted: none of its documents is read. memory trust yes',
          ),
        ]),
    ...sources.map(sourceLine),
    ...ownDocuments.map(({ label }) => styled('dim', `  ${label}: it reads this one by itself`)),
    ...documents.skipped.map(({ label, reason }) => left(label, reason)),
    ...documents.importProblems.map(({ label, line, reason }) => left(`${label}, ${line}`, reason)),
    ...problems.map(({ path, text }) => styled('yellow', `  ${path}: ${text}`)),
  ];
}

function sourceLine({ kind, label, given, size }: ComposedSource): Text {
  const amount = given === size ? `${size} bytes` : `${given} of ${size} bytes`;
  const text = `  ${kind} ${label}: ${amount}`;
  return given === size ? text : styled('yellow', text);
}

export function left(what: string, reason: string): Text {
  return styled('yellow', `  ${what}: left out, ${reason}`);
}
