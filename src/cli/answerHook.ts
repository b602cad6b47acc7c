/** What a hook call does, wherever it runs: in a process of its own, or in the helper on behalf of a line of shell. */
import { contextOutput } from '../agents/contextOutput.ts';
import { parsePayload } from '../agents/parsePayload.ts';
import type { RecordContext } from '../app/recordContext.ts';
import { recordEvent } from '../app/recordEvent.ts';
import { takeNotes } from '../checkpoint/agentNotes.ts';
import type { AgentEvent } from '../core/agentEvent.ts';
import { noteText } from '../core/noteText.ts';

export interface HookCall {
  /** The agent's JSON. */
  readonly payload: string;
  /** As the configuration names them; hints only. */
  readonly agent?: string;
  readonly event?: string;
  /** Of the agent. */
  readonly environment: NodeJS.ProcessEnv;
}

/** @returns what the agent is to read, '' for nothing. @throws what recording throws. */
export async function answerHook(call: HookCall, context: RecordContext): Promise<string> {
  const { agent, event } = call;
  const payload = fromJson(call.payload);
  if (payload === undefined) {
    context.log('The payload is not JSON; nothing is recorded.');
    return '';
  }
  const parsed = parsePayload(payload, {
    ...(agent !== undefined && { agent }),
    ...(event !== undefined && { event }),
    env: call.environment,
  });
  if ('ignored' in parsed) {
    context.log(parsed.ignored);
    return '';
  }
  await recordEvent(context, parsed.event);
  return answerTo(context.home, parsed.event);
}

/** Undefined for what is no JSON. Node's own error quotes the text, which may be anybody's secret. */
function fromJson(text: string): unknown {
  try {
    return JSON.parse(text.replace(/^\uFEFF/, '')) as unknown;
  } catch {
    return undefined;
  }
}

/** What the agent's model should read with the prompt; nothing for most events. */
function answerTo(home: string, event: AgentEvent): string {
  let text = '';
  if (event.agent === 'cursor') text += '{}\n'; // it logs an empty answer as an error
  if (event.kind !== 'prompt' || contextOutput(event.agent, '') === undefined) return text;
  const notes = takeNotes(home, event.session);
  if (notes.length === 0) return text;
  const output = contextOutput(event.agent, noteText(notes));
  return output === undefined ? text : `${text}${output}\n`;
}
