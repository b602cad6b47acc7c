/**
 * Memory of one scope, written into a document that others read as well, and read back from one. Neither overwrites what
 * somebody else wrote since, unless it is said so.
 */
import { UserError } from '../core/errors.ts';
import type { Root } from '../core/ids.ts';
import { type Fact, factScopeOf, type MemoryScope } from '../core/memory.ts';
import type { TargetScope } from '../memory/documentTargets.ts';
import {
  type BlockNote,
  blockIn,
  type FoundBlock,
  type MemoryBlock,
  withBlock,
} from '../memory/memoryBlock.ts';
import { refuseSecrets } from '../memory/noteFile.ts';
import type { MemoryContextUse } from './memoryContextUse.ts';
import type { MemoryUse, MemoryWriter } from './memoryUse.ts';

export interface MemoryExchange {
  readonly memory: MemoryUse;
  readonly context: MemoryContextUse;
  readonly folder: string;
  readonly root: Root;
  /** project: its notes and the facts about the environment. global: global notes and the profile. */
  readonly scope: MemoryScope;
  readonly document: TargetScope;
  /** Over what somebody else wrote since. */
  readonly anyway: boolean;
}

export interface ExportedMemory {
  readonly file: string;
  readonly label: string;
  readonly facts: number;
  readonly notes: number;
  /** False: the document said just that already. */
  readonly isChanged: boolean;
}

export interface ImportedMemory {
  readonly file: string;
  readonly label: string;
  /** Names of notes and keys of facts. */
  readonly stored: readonly string[];
  readonly same: readonly string[];
  /** Memory says something else of these, and still does. */
  readonly kept: readonly string[];
}

const person: MemoryWriter = { actor: 'person', insists: true };

/**
 * @throws UserError `secret` by the name of what holds one; `conflicts` when people changed the block by hand and memory does
 * not know what they wrote; `damaged` for half a block; `refused` in an untrusted folder; `fileSystem`
 */
export async function exportMemory(exchange: MemoryExchange): Promise<ExportedMemory> {
  const { context, folder, document, anyway } = exchange;
  const { file, label } = context.document(folder, document);
  const block = await memoryOf(exchange);
  for (const { key, value } of block.facts) refuseSecrets(value, `The fact ${key}`);
  for (const { name, body } of block.notes) refuseSecrets(body, `The note ${name}`);
  const seen = context.raw(folder, file);
  const found = seen === undefined ? undefined : blockIn(seen, label);
  if (found !== undefined && !anyway && !isKnown(found, block))
    throw new UserError(
      'conflicts',
      `People changed the block of memory in ${label}. Import it first, or insist.`,
      { path: file },
    );
  const text = withBlock(seen, block, label);
  const isChanged = text !== (seen ?? '');
  if (isChanged) await context.save(folder, file, seen, text);
  return { file, label, facts: block.facts.length, notes: block.notes.length, isChanged };
}

/** @throws UserError `notFound` without a block; `damaged`, `secret`, `full`, `refused`; what was stored before that stays */
export async function importMemory(exchange: MemoryExchange): Promise<ImportedMemory> {
  const { context, memory, folder, root, scope, document, anyway } = exchange;
  const { file, label } = context.document(folder, document);
  const text = context.raw(folder, file);
  const found = text === undefined ? undefined : blockIn(text, label);
  if (found === undefined)
    throw new UserError('notFound', `${label} has no block of memory.`, { path: file });
  const now = await memoryOf(exchange);
  const stored: string[] = [];
  const same: string[] = [];
  const kept: string[] = [];
  for (const { key, value } of found.facts) {
    const known = now.facts.find((fact) => fact.key === key);
    if (known?.value === value) same.push(key);
    else if (known !== undefined && !anyway) kept.push(key);
    else {
      await memory.write(root, { act: 'setFact', scope: factScopeOf(scope), key, value }, person);
      stored.push(key);
    }
  }
  for (const note of found.notes) {
    const known = now.notes.find(({ name }) => name === note.name);
    if (known !== undefined && isSameNote(known, note)) same.push(note.name);
    else if (known !== undefined && !anyway) kept.push(note.name);
    else {
      const { name, body, mode, pinned } = note;
      await memory.write(root, { act: 'remember', scope, name, body, mode }, person);
      if (pinned !== (known?.pinned ?? false)) await memory.edit(root, name, { pinned }, scope);
      stored.push(name);
    }
  }
  return { file, label, stored, same, kept };
}

async function memoryOf({ memory, root, scope }: MemoryExchange): Promise<MemoryBlock> {
  const sheets = await memory.facts(root);
  const facts = sheets.find((sheet) => sheet.scope === factScopeOf(scope))?.facts ?? [];
  const notes: BlockNote[] = [];
  for (const { name } of await memory.list(root, { scope })) {
    const { body, mode, pinned } = await memory.show(root, name, scope);
    notes.push({ name, body: body.replaceAll('\r\n', '\n').trim(), mode, pinned });
  }
  return { facts, notes: notes.toSorted(byName) };
}

/** Whether writing the block anew loses nothing: nobody touched it, or memory has all that it says. */
function isKnown(found: FoundBlock, now: MemoryBlock): boolean {
  if (found.isUntouched) return true;
  const hasFact = ({ key, value }: Fact): boolean =>
    now.facts.some((fact) => fact.key === key && fact.value === value);
  const hasNote = (note: BlockNote): boolean =>
    now.notes.some((each) => each.name === note.name && isSameNote(each, note));
  return !found.saysMore && found.facts.every(hasFact) && found.notes.every(hasNote);
}

function isSameNote(a: BlockNote, b: BlockNote): boolean {
  return a.body === b.body.trim() && a.mode === b.mode && a.pinned === b.pinned;
}

/** The same on every machine, so that the block of one is that of another. */
function byName(a: BlockNote, b: BlockNote): number {
  return a.name < b.name ? -1 : a.name > b.name ? 1 : 0;
}
