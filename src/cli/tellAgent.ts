/**
 * What an agent's model should read at an event: files that were changed behind its back, and memory. Part of the hook: what
 * composes memory is loaded only when there may be something to tell.
 */
import { contextLimits } from '../agents/contextLimits.ts';
import { type ContextEvent, contextOutput } from '../agents/contextOutput.ts';
import {
  confirmGiven,
  forgetTold,
  isCurrent,
  losesContext,
  readGiven,
  readKnown,
} from '../app/memoryTold.ts';
import type { RecordContext } from '../app/recordContext.ts';
import type { Recorded } from '../app/recordEvent.ts';
import { takeNotes } from '../checkpoint/agentNotes.ts';
import type { AgentEvent } from '../core/agentEvent.ts';
import { messageOf } from '../core/errors.ts';
import { noteText } from '../core/noteText.ts';
import { noteInPrompt } from '../core/promptNote.ts';
import { loadBeside } from './loadBeside.ts';
import type { MemoryCall } from './memoryMain.ts';

interface Engine {
  hookMemory(call: MemoryCall): string;
}

export interface TellContext extends RecordContext {
  /** Of our bundles. */
  readonly program: () => string;
}

/** For stdout; '' for nothing. Memory that cannot be had is logged, and costs nothing else. */
export async function tellAgent(
  context: TellContext,
  event: AgentEvent,
  recorded: Recorded,
): Promise<string> {
  const output = await outputFor(context, event, recorded);
  if (output !== undefined) return `${output}\n`;
  return event.agent === 'cursor' ? '{}\n' : ''; // it logs an empty answer as an error
}

async function outputFor(
  context: TellContext,
  event: AgentEvent,
  recorded: Recorded,
): Promise<string | undefined> {
  switch (event.kind) {
    case 'sessionStart':
    case 'prompt': {
      if (contextOutput(event.agent, event.kind, '') === undefined) {
        // The first prompt brings what the start cannot.
        if (event.kind === 'sessionStart' && losesContext(event.source))
          forgetTold(context.home, event.session);
        return undefined;
      }
      if (event.kind === 'prompt' && event.notification === true) return undefined;
      const text = await textFor(context, event, recorded);
      return text === '' ? undefined : contextOutput(event.agent, event.kind, text);
    }
    case 'beforeTool':
    case 'afterTool':
    case 'turnEnd':
      confirmGiven(context.home, event.session);
      return undefined;
    case 'sessionEnd':
      return undefined;
    default:
      return event satisfies never;
  }
}

type ToldEvent = AgentEvent & { readonly kind: ContextEvent };

async function textFor(
  context: TellContext,
  event: ToldEvent,
  recorded: Recorded,
): Promise<string> {
  const { home, log } = context;
  const notes = event.kind === 'prompt' ? takeNotes(home, event.session) : [];
  const ofFiles = notes.length === 0 ? '' : noteText(notes);
  try {
    const ofMemory = await memoryFor(context, event, recorded, ofFiles.length);
    return [ofFiles, ofMemory].filter((text) => text !== '').join('\n\n');
  } catch (error) {
    log(`The agent was not told of memory: ${messageOf(error)}`);
    return ofFiles;
  }
}

async function memoryFor(
  { home, userHome, cwd, now, program }: TellContext,
  event: ToldEvent,
  { root, turn }: Recorded,
  used: number,
): Promise<string> {
  if (event.kind === 'prompt') {
    const known = readKnown(home, event.session);
    const hasOpenGift = readGiven(home, event.session) !== undefined;
    const isNote = noteInPrompt(event.prompt) !== undefined;
    if (!isNote && known !== undefined && !hasOpenGift && isCurrent(known)) return '';
  }
  const { hookMemory } = await loadBeside<Engine>(program(), 'memory');
  return hookMemory({
    event,
    home,
    userHome,
    root,
    folder: event.cwd ?? cwd,
    ...(turn && { turn: turn.id }),
    room: contextLimits(event.agent).characters - used - 2,
    now: now(),
  });
}
