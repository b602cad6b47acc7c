/** What the actions of `memory` share: the call's scope and writer, texts from standard input, names in tables. */
import { text as readAll } from 'node:stream/consumers';
import { agentOfEnvironment } from '../../agents/callingAgent.ts';
import type { MemoryUse, MemoryWriter } from '../../app/memoryUse.ts';
import { agentName } from '../../core/agentName.ts';
import { UserError } from '../../core/errors.ts';
import type { Root } from '../../core/ids.ts';
import { type MemoryOrigin, type MemoryScope, memoryScopes } from '../../core/memory.ts';
import type { CliContext } from '../cliContext.ts';
import { relativeTime } from '../moment.ts';
import type { VerbCall } from '../verb.ts';

export async function openMemory(
  context: CliContext,
): Promise<{ readonly memory: MemoryUse; readonly root: Root }> {
  const { app, root } = await context.open();
  return { memory: await app.memory(), root };
}

/** Undefined where the call does not say. */
export function scopeOf(call: VerbCall): MemoryScope | undefined {
  const given = call.option('scope');
  return memoryScopes.find((scope) => scope === given);
}

/** @throws UserError `usage` */
export function needed(call: VerbCall, index: number, what: string): string {
  const word = call.argument(index);
  if (word !== undefined) return word;
  throw new UserError('usage', `Which ${what}?`);
}

/** `-` is standard input. */
export async function textOf(word: string, { host }: CliContext): Promise<string> {
  return word === '-' ? readAll(host.stdin) : word;
}

/** An agent when it says so, or when it left its mark in the environment. */
export function writerOf(call: VerbCall, { host, settings }: CliContext): MemoryWriter {
  const insists = call.flag('anyway');
  const found = agentOfEnvironment(host.environment);
  const agent = call.option('agent') ?? found?.agent;
  if (agent === undefined) return { actor: 'person', insists };
  return { actor: 'agent', agent, session: settings.session ?? found?.session, insists };
}

/** What only a person decides. @throws UserError `refused` */
export function refuseAgents(call: VerbCall, context: CliContext): void {
  if (writerOf(call, context).actor === 'person') return;
  throw new UserError(
    'refused',
    'Only a person does this; an agent may remember, recall and forget.',
  );
}

export function originText(origin: MemoryOrigin | null): string {
  if (origin === null) return 'by hand';
  if (origin.actor === 'person') return 'you';
  if (origin.actor === 'undo') return 'an undo';
  return agentName(origin.agent ?? '') ?? 'an agent';
}

export function when(at: number, { host }: CliContext): string {
  return relativeTime(at, host.now(), host.timeZone);
}
