import path from 'node:path';
import { UserError } from '../../core/errors.ts';
import { type TargetScope, targetScopes } from '../../memory/documentTargets.ts';
import type { CliContext } from '../cliContext.ts';
import type { ExitStatus } from '../exitStatus.ts';
import { styled } from '../text.ts';
import type { VerbCall } from '../verb.ts';
import { needed, refuseAgents, textOf } from './memoryWords.ts';
import { left, openMemoryContext } from './showContext.ts';

/** The documents that agents are given here, in their order, and what was left out. */
export async function listDocuments(_call: VerbCall, context: CliContext): Promise<ExitStatus> {
  const memory = await openMemoryContext(context);
  const { documents, skipped, importProblems, isTrusted } = memory.documents(context.folder);
  const { out } = context;
  if (out.json) {
    const loaded = documents.map(({ text, ...rest }) => ({
      ...rest,
      size: Buffer.byteLength(text),
    }));
    out.value({ documents: loaded, skipped, importProblems, isTrusted });
    return 0;
  }
  if (documents.length === 0) out.line('No documents for agents here.');
  else
    out.table(
      [
        { title: 'DOCUMENT' },
        { title: 'SCOPE' },
        { title: 'BYTES' },
        { title: '', flexible: true },
      ],
      documents.map(({ label, scope, text, hasImports }) => [
        styled('bold', label),
        scope,
        String(Buffer.byteLength(text)),
        hasImports ? styled('dim', 'with imports') : '',
      ]),
    );
  if (!isTrusted) out.line(styled('yellow', 'This folder is not trusted; only your own are read.'));
  for (const { label, reason } of skipped) out.line(left(label, reason));
  for (const { label, line, reason } of importProblems) out.line(left(`${label}, ${line}`, reason));
  const outside = [...skipped, ...importProblems].flatMap(({ real }) => real ?? []);
  for (const real of new Set(outside))
    out.line(`To let it be read: memcode-timeline memory allow-import ${JSON.stringify(real)}`);
  return 0;
}

/** One bullet under the heading Notes of a document; a person's own one unless it is said otherwise. */
export async function noteToDocument(call: VerbCall, context: CliContext): Promise<ExitStatus> {
  refuseAgents(call, context);
  const note = await textOf(needed(call, 1, 'text'), context);
  const memory = await openMemoryContext(context);
  const noted = await memory.addNote(context.folder, targetOf(call, 'local'), note);
  const { out } = context;
  if (out.json) out.value(noted);
  else out.line(`${noted.label}${noted.isNew ? ', which is new,' : ''} says: ${noted.line}`);
  return 0;
}

/** @param usual where the call does not say. @throws UserError `usage` */
export function targetOf(call: VerbCall, usual: TargetScope): TargetScope {
  const given = call.option('document') ?? usual;
  const scope = targetScopes.find((each) => each === given);
  if (scope !== undefined) return scope;
  throw new UserError('usage', `The document is one of ${targetScopes.join(', ')}.`);
}

export async function allowImport(call: VerbCall, context: CliContext): Promise<ExitStatus> {
  refuseAgents(call, context);
  const file = path.resolve(context.folder, needed(call, 1, 'file'));
  const memory = await openMemoryContext(context);
  const approved = await memory.approveImport(context.folder, file);
  if (context.out.json) context.out.value({ approved });
  else context.out.line(`Documents here may import ${approved}, as long as it stays as it is.`);
  return 0;
}

export async function forbidImport(call: VerbCall, context: CliContext): Promise<ExitStatus> {
  refuseAgents(call, context);
  const file = path.resolve(context.folder, needed(call, 1, 'file'));
  const memory = await openMemoryContext(context);
  await memory.withdrawImport(context.folder, file);
  if (context.out.json) context.out.value({ withdrawn: file });
  else context.out.line(`Documents here may not import ${file}.`);
  return 0;
}

/** Whether documents of the folder are read; without an answer, what was said before. */
export async function trustFolder(call: VerbCall, context: CliContext): Promise<ExitStatus> {
  const memory = await openMemoryContext(context);
  const answer = call.argument(1);
  if (answer !== undefined) {
    refuseAgents(call, context);
    if (answer !== 'yes' && answer !== 'no')
      throw new UserError('usage', 'A folder is trusted: yes or no.');
    memory.setTrust(context.folder, answer === 'yes');
  }
  const trusted = memory.trust(context.folder);
  if (context.out.json) context.out.value({ trusted: trusted ?? null });
  else
    context.out.line(
      trusted === undefined
        ? 'Nobody said. Its documents are read: agents ask the same before they work here.'
        : trusted
          ? 'This folder is trusted: its documents are read.'
          : 'This folder is not trusted: its documents are not read.',
    );
  return 0;
}
