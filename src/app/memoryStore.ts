/** Carries a decided write out: the file, what is derived, and what the caller is told. */
import path from 'node:path';
import { isUserError } from '../core/errors.ts';
import type { Root } from '../core/ids.ts';
import {
  type FactScope,
  type MemoryOrigin,
  memoryLimits,
  type NoteSummary,
  type WriteResult,
} from '../core/memory.ts';
import { readFacts } from '../memory/facts.ts';
import { type MemoryPlaces, memoryPath } from '../memory/memoryPlaces.ts';
import { noSuchNote, noteInFile, withoutPlaces } from '../memory/notes.ts';
import { noteFromFile } from '../memory/notesFromFiles.ts';
import { changeFile, followNotes, type MemoryKeeper } from './memoryKeeper.ts';
import type { WritePlan } from './memoryPlan.ts';

export const factCap = (scope: FactScope): number => memoryLimits.factTokens[scope];

export type PlannedChange = Extract<WritePlan, { kind: 'change' }>;

/** Hold the lock. */
export function store(
  keeper: MemoryKeeper,
  root: Root | null,
  places: MemoryPlaces,
  { write, file, before, after }: PlannedChange,
  origin: MemoryOrigin,
): WriteResult {
  changeFile(keeper, { file, after, origin });
  const isNote = write.act === 'remember' || write.act === 'forget';
  if (isNote) followNotes(keeper, places, root);
  const isNew = before === null;
  if (write.act === 'remember')
    return { kind: 'stored', note: storedNote(keeper, places, file), isNew };
  const at = memoryPath(places, file);
  if (write.act === 'forget') return { kind: 'removed', name: write.name, path: at };
  if (write.act === 'dropFact') return { kind: 'removed', name: write.key, path: at };
  const sheet = readFacts(after ?? undefined, write.scope, factCap(write.scope), at);
  return { kind: 'factStored', sheet, isNew };
}

/** The note in a file that has just been written, from the file alone where its index fails. @throws UserError `notFound` */
export function storedNote(keeper: MemoryKeeper, places: MemoryPlaces, file: string): NoteSummary {
  const note = indexed(keeper, places, file) ?? noteFromFile(places, file);
  if (note === undefined) throw noSuchNote(path.basename(file, '.md'));
  return note;
}

function indexed(
  keeper: MemoryKeeper,
  places: MemoryPlaces,
  file: string,
): NoteSummary | undefined {
  try {
    const note = noteInFile(keeper.index(places), places, file);
    return note && withoutPlaces(note);
  } catch (error) {
    // It was logged when the index was to follow.
    if (!isUserError(error, 'database')) throw error;
    return undefined;
  }
}
