/** What a write to memory would make of a file: decided before anything is stored, for the one who stores and for the preview. */
import path from 'node:path';
import { listIfExists } from '../base/atomicFile.ts';
import { UserError } from '../core/errors.ts';
import type {
  FactScope,
  MemoryOrigin,
  MemoryScope,
  MemoryWrite,
  NoteSummary,
} from '../core/memory.ts';
import { foldNoteName, stemOf } from '../core/noteName.ts';
import { checkedFact, withFact, withoutFact } from '../memory/facts.ts';
import { readMemoryFile } from '../memory/memoryFile.ts';
import { factsFile, type MemoryPlaces, notesFolder } from '../memory/memoryPlaces.ts';
import {
  checkedMode,
  checkedNote,
  readNote,
  refuseSecrets,
  writeNote,
} from '../memory/noteFile.ts';
import { foldersOf, isNoteName, type NoteIndex } from '../memory/noteIndex.ts';
import { findNote, noteNamed } from '../memory/notes.ts';
import { similarNote } from '../memory/similarNote.ts';

export interface PlanContext {
  readonly index: NoteIndex;
  readonly places: MemoryPlaces;
  readonly at: number;
  readonly origin: MemoryOrigin;
  readonly cap: (scope: FactScope) => number;
  readonly insists?: boolean | undefined;
}

export type WritePlan =
  | {
      readonly kind: 'change';
      /** With a name, where none was given. */
      readonly write: MemoryWrite;
      readonly file: string;
      readonly before: Uint8Array | null;
      readonly after: Uint8Array | null;
    }
  | { readonly kind: 'unchanged'; readonly file: string }
  | { readonly kind: 'absent'; readonly name: string }
  | { readonly kind: 'duplicate'; readonly of: NoteSummary };

/** Reads only. @throws UserError `usage`, `secret`, `full`, `damaged` */
export function planWrite(context: PlanContext, write: MemoryWrite): WritePlan {
  switch (write.act) {
    case 'remember':
      return planRemember(context, write);
    case 'forget':
      return planForget(context, write.scope, write.name);
    case 'setFact':
    case 'dropFact':
      return planFact(context, write);
  }
}

function planRemember(
  context: PlanContext,
  write: Extract<MemoryWrite, { act: 'remember' }>,
): WritePlan {
  const { index, places, at, origin, insists } = context;
  const { name, body } = checkedNote(write.name, write.body);
  const mode = checkedMode(write.mode);
  const folder = folderFor(places, write.scope);
  const known = noteNamed(index, places, name, write.scope);
  const stem = known?.stem ?? stemOf(name, takenIn(folder));
  const file = known?.file ?? path.join(folder, `${stem}.md`);
  const before = readMemoryFile(file);
  if (before !== undefined) {
    const there = readNote(before, stem);
    const isSameMode = mode === undefined || mode === there.mode;
    if (there.body === body && isSameMode) return { kind: 'unchanged', file };
  } else if (!insists) {
    const of = similarNote(index, places, write.scope, name, body);
    if (of !== undefined) return { kind: 'duplicate', of };
  }
  const called = known?.name ?? name;
  const change = { name: called, body, mode, at, origin };
  const after = writeNote(before, stem, change, file);
  return {
    kind: 'change',
    write: { ...write, name: called, body, ...(mode !== undefined && { mode }) },
    file,
    before: before ?? null,
    after,
  };
}

function planForget({ index, places }: PlanContext, scope: MemoryScope, name: string): WritePlan {
  const known = findNote(index, places, name, scope);
  const before = known && readMemoryFile(known.file);
  if (known === undefined || before === undefined) return { kind: 'absent', name };
  const write: MemoryWrite = { act: 'forget', scope, name: known.name };
  return { kind: 'change', write, file: known.file, before, after: null };
}

function planFact(
  { places, cap }: PlanContext,
  write: Extract<MemoryWrite, { act: 'setFact' | 'dropFact' }>,
): WritePlan {
  const file = factsFile(places, write.scope);
  if (file === undefined) throw noProject();
  const before = readMemoryFile(file);
  if (write.act === 'dropFact') {
    const after = withoutFact(before, write.key);
    if (before === undefined || after === undefined) return { kind: 'absent', name: write.key };
    return { kind: 'change', write, file, before, after };
  }
  const fact = checkedFact(write);
  refuseSecrets(`${fact.key}: ${fact.value}`, 'The fact');
  const after = withFact(before, write.scope, fact, cap(write.scope));
  if (before?.equals(after)) return { kind: 'unchanged', file };
  return { kind: 'change', write: { ...write, ...fact }, file, before: before ?? null, after };
}

/** @throws UserError `usage` for a project's where there is none */
export function folderFor(places: MemoryPlaces, scope: MemoryScope): string {
  const folder = notesFolder(places, scope);
  if (folder === undefined) throw noProject();
  return folder;
}

function noProject(): UserError {
  return new UserError(
    'usage',
    'There is no folder whose project could be meant. Choose the global scope, or name a folder.',
  );
}

/** Whether a file of that stem is there, also on disks that take other spellings for the same. */
export function takenIn(folder: string): (stem: string) => boolean {
  const stems = new Set(
    listIfExists(folder).map(({ name }) => foldNoteName(name.replace(/\.md$/i, ''))),
  );
  return (stem) => stems.has(foldNoteName(stem));
}

/** Whether this file is a note of these places. */
export function isNoteFile(places: MemoryPlaces, file: string): boolean {
  return foldersOf(places).includes(path.dirname(file)) && isNoteName(path.basename(file));
}
