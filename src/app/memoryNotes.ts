/** Storing and changing notes and facts: decides, asks the person's setting, writes, and lets what is derived follow. */
import path from 'node:path';
import { UserError } from '../core/errors.ts';
import type { Root } from '../core/ids.ts';
import type {
  AgentWrites,
  MemoryOrigin,
  MemoryScope,
  MemoryWrite,
  NoteSummary,
  WriteResult,
} from '../core/memory.ts';
import { stemOf } from '../core/noteName.ts';
import { readMemoryFile } from '../memory/memoryFile.ts';
import { factsFile, type MemoryPlaces, memoryPath } from '../memory/memoryPlaces.ts';
import { checkedMode, checkedNote, readNote, writeNote } from '../memory/noteFile.ts';
import type { IndexedNote } from '../memory/noteIndex.ts';
import { findNote, noSuchNote, noteNamed, withoutPlaces } from '../memory/notes.ts';
import { readAgentWrites } from './agentWrites.ts';
import { changeFile, followNotes, type MemoryKeeper } from './memoryKeeper.ts';
import { memoryOrigin } from './memoryOrigin.ts';
import { stageWrite } from './memoryPending.ts';
import { folderFor, planWrite, takenIn, type WritePlan } from './memoryPlan.ts';
import { factCap, store, storedNote } from './memoryStore.ts';
import { trustOf } from './memoryTrust.ts';
import type { MemoryWriter, NoteEdit } from './memoryUse.ts';

const person: MemoryOrigin = { actor: 'person' };

/** See `MemoryUse.write`. */
export function writeMemory(
  keeper: MemoryKeeper,
  root: Root | null,
  write: MemoryWrite,
  writer: MemoryWriter,
): Promise<WriteResult> {
  const mode = writer.actor === 'agent' ? agentMode(keeper, root) : 'auto';
  if (mode === 'off')
    throw new UserError(
      'refused',
      'Agents may not write to memory: the person has switched that off. Reading works.',
    );
  return keeper.alone(() => {
    const places = placesFor(keeper, root, write.scope);
    const origin = memoryOrigin(keeper.context, root, writer);
    const index = keeper.index(places, true);
    const at = keeper.context.now();
    const { insists } = writer;
    const plan = planWrite({ index, places, at, origin, cap: factCap, insists }, write);
    if (plan.kind !== 'change') return asTold(plan, places);
    if (mode === 'ask') return stageWrite(keeper, places, plan, origin);
    return store(keeper, root, places, plan, origin);
  });
}

/** Of a folder that nobody trusts a person looks at everything that comes: what lies there may speak through the agent. */
function agentMode({ context, folder }: MemoryKeeper, root: Root | null): AgentWrites {
  const mode = readAgentWrites(folder);
  const isDoubtful = root !== null && trustOf(context.home, root) === false;
  return mode === 'auto' && isDoubtful ? 'ask' : mode;
}

function asTold(plan: Exclude<WritePlan, { kind: 'change' }>, places: MemoryPlaces): WriteResult {
  return plan.kind === 'unchanged'
    ? { kind: 'unchanged', path: memoryPath(places, plan.file) }
    : plan;
}

/** See `MemoryUse.edit`. */
export function editNote(
  keeper: MemoryKeeper,
  root: Root | null,
  name: string,
  edit: NoteEdit,
  scope: MemoryScope | undefined,
): Promise<NoteSummary> {
  return keeper.alone(() => {
    const places = keeper.places(root);
    const index = keeper.index(places, true);
    const note = need(findNote(index, places, name, scope), name);
    const bytes = readMemoryFile(note.file);
    if (bytes === undefined) throw noSuchNote(name);
    const there = readNote(bytes, note.stem);
    if (edit.was !== undefined && edit.was.trimEnd() !== there.body)
      throw new UserError(
        'conflicts',
        `${note.name} was changed since it was read. Read it again; nothing was written.`,
        { name: note.name },
      );
    // What a person has written by hand is theirs: only what is new is looked at.
    const checked =
      edit.name === undefined && edit.body === undefined
        ? there
        : checkedNote(edit.name ?? there.name, edit.body ?? there.body);
    const taken = noteNamed(index, places, checked.name, note.scope);
    if (taken !== undefined && taken.file !== note.file) throw nameTaken(checked.name, note.scope);
    const at = keeper.context.now();
    const { name: called, body } = checked;
    const mode = checkedMode(edit.mode);
    const change = { name: called, body, mode, pinned: edit.pinned, at, origin: person };
    changeFile(keeper, {
      file: note.file,
      after: writeNote(bytes, note.stem, change, note.file),
      origin: person,
    });
    followNotes(keeper, places, root);
    return storedNote(keeper, places, note.file);
  });
}

/** See `MemoryUse.move`. What the note was made of stays: its times, its unknown keys. */
export function moveNote(
  keeper: MemoryKeeper,
  root: Root | null,
  name: string,
  from: MemoryScope,
  to: MemoryScope,
): Promise<NoteSummary> {
  return keeper.alone(() => {
    const places = keeper.places(root);
    const index = keeper.index(places, true);
    const note = need(findNote(index, places, name, from), name);
    if (from === to) return withoutPlaces(note);
    if (noteNamed(index, places, note.name, to) !== undefined) throw nameTaken(note.name, to);
    const bytes = readMemoryFile(note.file);
    if (bytes === undefined) throw noSuchNote(name);
    const folder = folderFor(places, to);
    const file = path.join(folder, `${stemOf(note.name, takenIn(folder))}.md`);
    // There before it is gone here: a crash in between leaves two, never none.
    changeFile(keeper, { file, after: bytes, origin: person });
    changeFile(keeper, { file: note.file, after: null, origin: person });
    followNotes(keeper, places, root);
    return storedNote(keeper, places, file);
  });
}

/** The places a scope means. @throws UserError `usage` for a project's without a root */
function placesFor(
  keeper: MemoryKeeper,
  root: Root | null,
  scope: MemoryWrite['scope'],
): MemoryPlaces {
  const places = keeper.places(root);
  if (scope === 'project') folderFor(places, scope);
  else if (scope === 'environment' && factsFile(places, scope) === undefined)
    folderFor(places, 'project');
  return places;
}

function need(note: IndexedNote | undefined, name: string): IndexedNote {
  if (note === undefined) throw noSuchNote(name);
  return note;
}

function nameTaken(name: string, scope: MemoryScope): UserError {
  return new UserError('refused', `There is a note ${name} in the ${scope} scope already.`, {
    name,
    scope,
  });
}
