/** Agents' writes that wait: staged as what they ask for, shown as the texts they would make, decided by a person. */
import { randomUUID } from 'node:crypto';
import path from 'node:path';
import { hashBytes } from '../base/hash.ts';
import { isUserError, systemCode, UserError } from '../core/errors.ts';
import type { Root } from '../core/ids.ts';
import {
  type MemoryOrigin,
  type MemoryWrite,
  memoryLimits,
  type PendingWrite,
  type WriteResult,
} from '../core/memory.ts';
import { readMemoryFile } from '../memory/memoryFile.ts';
import { type MemoryPlaces, memoryPath } from '../memory/memoryPlaces.ts';
import { readNote } from '../memory/noteFile.ts';
import { findNote, noteNamed } from '../memory/notes.ts';
import { inTransaction } from '../session/database.ts';
import {
  addPending,
  dropPending,
  pendingWrites,
  type StoredPending,
} from '../session/pendingWrites.ts';
import { turnById } from '../session/timelineStore.ts';
import type { MemoryKeeper } from './memoryKeeper.ts';
import { planWrite } from './memoryPlan.ts';
import { factCap, type PlannedChange, store } from './memoryStore.ts';

/** One for the same file replaces an earlier one of the same session. Hold the lock. @throws UserError `full` */
export function stageWrite(
  keeper: MemoryKeeper,
  places: MemoryPlaces,
  { write, file, before }: PlannedChange,
  origin: MemoryOrigin,
): WriteResult {
  const { database, now } = keeper.context;
  const at = memoryPath(places, file);
  const waiting = pendingWrites(database);
  const same = waiting.filter(
    (each) =>
      each.path === at && each.origin.session === origin.session && sameSubject(each.write, write),
  );
  if (waiting.length - same.length >= memoryLimits.pending)
    throw new UserError(
      'full',
      `${memoryLimits.pending} writes to memory wait for approval already. Nothing more is taken until a person has looked at them.`,
    );
  const staged: StoredPending = {
    id: randomUUID(),
    at: now(),
    project: at.startsWith('projects/') ? places.project : null,
    origin,
    write,
    path: at,
    base: stateOf(write, before),
  };
  inTransaction(database, () => {
    for (const { id } of same) dropPending(database, id);
    addPending(database, staged);
  });
  return { kind: 'staged', pending: shown(keeper, staged) };
}

/** See `MemoryUse.pending`. */
export function listPending(keeper: MemoryKeeper, root: Root | null): readonly PendingWrite[] {
  const { project } = keeper.places(root);
  return waitingWrites(keeper)
    .filter((each) => each.project === null || each.project === project)
    .map((each) => shown(keeper, each));
}

/** See `MemoryUse.approve`. */
export function approvePending(
  keeper: MemoryKeeper,
  id: string,
  {
    body,
    anyway = false,
  }: { readonly body?: string | undefined; readonly anyway?: boolean | undefined },
): Promise<WriteResult> {
  return keeper.alone(() => {
    const staged = needPending(keeper, id);
    if (!anyway && isStale(keeper, staged))
      throw new UserError(
        'conflicts',
        `${staged.path} was changed since the agent asked. Look at both; to write it nevertheless, say so.`,
        { id },
      );
    const places = placesOf(keeper, staged);
    const index = keeper.index(places, true);
    const write = withBody(staged.write, body);
    const { origin } = staged;
    const at = keeper.context.now();
    const plan = planWrite({ index, places, at, origin, cap: factCap, insists: true }, write);
    if (plan.kind === 'duplicate') throw new Error('A write that insists is no duplicate.');
    const result: WriteResult =
      plan.kind === 'change'
        ? store(keeper, null, places, plan, origin)
        : plan.kind === 'unchanged'
          ? { kind: 'unchanged', path: memoryPath(places, plan.file) }
          : plan;
    dropPending(keeper.context.database, staged.id);
    return result;
  });
}

/** See `MemoryUse.reject`. */
export function rejectPending(keeper: MemoryKeeper, id: string): Promise<void> {
  return keeper.alone(() => {
    const staged = needPending(keeper, id);
    dropPending(keeper.context.database, staged.id);
    keeper.context.log('info', `A write to memory was rejected: ${staged.id}`);
  });
}

/** What turns that are taken back asked for waits no more, until they are brought back. */
function waitingWrites({ context }: MemoryKeeper): readonly StoredPending[] {
  return pendingWrites(context.database).filter(({ origin: { turn } }) => {
    return turn === undefined || (turnById(context.database, turn)?.rewoundBy ?? null) === null;
  });
}

/** By its id or a unique beginning of it. */
function needPending(keeper: MemoryKeeper, id: string): StoredPending {
  const fitting = waitingWrites(keeper).filter((each) => each.id.startsWith(id));
  const [found] = fitting;
  if (found !== undefined && id !== '' && fitting.length === 1) return found;
  throw new UserError(
    'notFound',
    fitting.length > 1 && id !== ''
      ? `Several writes that wait begin with ${id}.`
      : `No write to memory with the id ${id} waits.`,
    { id },
  );
}

/** What it would replace is not what the agent saw there, or is in another file now: one that somebody wrote by hand, say. */
function isStale(keeper: MemoryKeeper, staged: StoredPending): boolean {
  const at = targetOf(keeper, staged);
  const present = presentOf(keeper, at);
  return (
    at !== staged.path ||
    present === 'odd' ||
    stateOf(staged.write, present ?? null) !== staged.base
  );
}

/** Of the note or, in a file of many, the one fact. */
function stateOf(write: MemoryWrite, bytes: Buffer | Uint8Array | null): string | null {
  if (bytes === null) return null;
  if (!('key' in write)) return hashBytes(bytes);
  const line = factLine(new TextDecoder().decode(bytes), write.key);
  return line === null ? null : hashBytes(Buffer.from(line));
}

/** The path of what it would change now. */
function targetOf(keeper: MemoryKeeper, staged: StoredPending): string {
  const { write, path: at } = staged;
  if ('key' in write) return at;
  const places = placesOf(keeper, staged);
  const find = write.act === 'forget' ? findNote : noteNamed;
  return find(keeper.index(places), places, write.name, write.scope)?.path ?? at;
}

function placesOf({ folder }: MemoryKeeper, { project }: StoredPending): MemoryPlaces {
  return { folder, project };
}

/** odd: something that is not memory stands there now, and must not keep people from deciding about the rest. */
function presentOf({ folder }: MemoryKeeper, at: string): Buffer | 'odd' | undefined {
  try {
    return readMemoryFile(path.join(folder, at));
  } catch (error) {
    if (!isUserError(error, 'fileSystem') && systemCode(error) === undefined) throw error;
    return 'odd';
  }
}

/** As people see it. */
function shown(keeper: MemoryKeeper, staged: StoredPending): PendingWrite {
  const { id, at, origin, project, write } = staged;
  return {
    id,
    at,
    origin,
    project,
    write,
    ...textsOf(keeper, staged),
    isStale: isStale(keeper, staged),
  };
}

function textsOf(
  keeper: MemoryKeeper,
  staged: StoredPending,
): Pick<PendingWrite, 'before' | 'after'> {
  const { write } = staged;
  const at = targetOf(keeper, staged);
  const present = presentOf(keeper, at);
  const bytes = present === 'odd' ? undefined : present;
  const text = bytes === undefined ? null : bytes.toString();
  switch (write.act) {
    case 'remember':
    case 'forget': {
      const before = bytes === undefined ? null : readNote(bytes, path.basename(at, '.md')).body;
      return { before, after: write.act === 'remember' ? write.body : null };
    }
    case 'setFact':
      return { before: factLine(text, write.key), after: `${write.key}: ${write.value}` };
    case 'dropFact':
      return { before: factLine(text, write.key), after: null };
  }
}

function factLine(text: string | null, key: string): string | null {
  return text?.split(/\r?\n/).findLast((line) => line.split(':', 1)[0]?.trim() === key) ?? null;
}

function withBody(write: MemoryWrite, body: string | undefined): MemoryWrite {
  if (body === undefined) return write;
  if (write.act === 'remember') return { ...write, body };
  if (write.act === 'setFact') return { ...write, value: body };
  throw new UserError('usage', 'What is to be removed has no text to edit.');
}

function sameSubject(one: MemoryWrite, other: MemoryWrite): boolean {
  if ('key' in one && 'key' in other) return one.key === other.key;
  return 'name' in one && 'name' in other;
}
