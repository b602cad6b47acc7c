/**
 * What a hook gives an agent of memory: all of it when a session starts, and with a later prompt what changed since. In a
 * bundle of its own, which hooks load when they need it (ARCHITECTURE, "How agents are told of memory").
 */
import path from 'node:path';
import { withLock } from '../base/fileLock.ts';
import { liveFolder } from '../base/home.ts';
import type { AgentEvent } from '../core/agentEvent.ts';
import { type Told, toldOf, updateFor } from '../memory/changes.ts';
import { type ContextPlace, composeFor, contentsFor, readMemoryContext } from './memoryContext.ts';
import {
  readGiven,
  readKnown,
  stampsOf,
  startsAnew,
  type ToldMemory,
  writeGiven,
  writeKnown,
} from './memoryTold.ts';

export interface InjectionRequest {
  readonly event: AgentEvent & { readonly kind: 'sessionStart' | 'prompt' };
  /** The agent's folder at this event; what it was told of before stays with its first one. */
  readonly place: ContextPlace;
  /** Id of the turn that the prompt begins. */
  readonly turn?: string;
  /** Characters that are left of what the agent takes. */
  readonly room: number;
  readonly now: number;
}

/** Two hooks that run at once, for one start of a session, are so near. */
const sameMoment = 5_000;
const lockWait = 2_000;

/** The text for the agent, '' for none. Each state is given once, however many processes ask. @throws system errors */
export function memoryFor(request: InjectionRequest): string {
  const { event, place } = request;
  // A lock of its own: whoever records meanwhile must not wait for it.
  const lock = path.join(liveFolder(place.home, event.session), 'memory.lock');
  const done = withLock(lock, { wait: lockWait }, () =>
    event.kind === 'sessionStart' ? atStart(request) : withPrompt(request),
  );
  return done?.value ?? '';
}

function atStart(request: InjectionRequest): string {
  const { event, place, now } = request;
  const known = readKnown(place.home, event.session);
  if (event.kind === 'sessionStart' && !startsAnew(event.source) && known !== undefined)
    return update(request, known, writeKnown);
  const given = readGiven(place.home, event.session);
  // Some agents run the hooks of start and first prompt at the same time.
  const justGiven = given?.turn !== undefined && now - given.at < sameMoment;
  return justGiven && known === undefined ? '' : whole(request, writeKnown);
}

function withPrompt(request: InjectionRequest): string {
  const { event, place, turn } = request;
  const given = readGiven(place.home, event.session);
  // Two configuration files, two hooks, one prompt.
  if (given?.turn !== undefined && given.turn === turn) return '';
  const known = readKnown(place.home, event.session);
  return known === undefined ? whole(request, writeGiven) : update(request, known, writeGiven);
}

type Write = typeof writeKnown;

function whole(request: InjectionRequest, write: Write): string {
  const { event, place, room } = request;
  const context = readMemoryContext(place, true);
  if (!context.settings.isGiven) return withhold(request, place.folder, context.looked, {});
  const { text, sources } = composeFor(context, event.agent, room);
  // There was no room this time.
  if (text === '' && sources.length > 0) return '';
  const told = toldOf(contentsFor(context.contents, event.agent));
  write(place.home, event.session, memoryOf(request, place.folder, context.looked, told));
  return text;
}

function update(request: InjectionRequest, { folder, told }: ToldMemory, write: Write): string {
  const { event, place, room } = request;
  const context = readMemoryContext({ ...place, folder }, true);
  if (!context.settings.isGiven) return withhold(request, folder, context.looked, told);
  const contents = contentsFor(context.contents, event.agent);
  const next = updateFor(told, contents, Math.min(room, longestUpdate));
  const memory = memoryOf(request, folder, context.looked, next.told);
  // When there is nothing to read it need not be seen that it was read.
  const writeIt = next.text === '' ? writeKnown : write;
  writeIt(place.home, event.session, next.isPartial ? { ...memory, mustCompare: true } : memory);
  return next.text;
}

/** What it knows stays; only whether something changed need not be asked with each prompt. */
function withhold(
  request: InjectionRequest,
  folder: string | null,
  looked: readonly string[],
  told: Told,
): string {
  writeKnown(request.place.home, request.event.session, memoryOf(request, folder, looked, told));
  return '';
}

/** Bytes: a change is a short note, not the whole again. */
const longestUpdate = 4_000;

function memoryOf(
  { now, turn }: InjectionRequest,
  folder: string | null,
  looked: readonly string[],
  told: Told,
): ToldMemory {
  const stamped = stampsOf(looked, now);
  return { format: 1, folder, at: now, ...(turn !== undefined && { turn }), told, ...stamped };
}
