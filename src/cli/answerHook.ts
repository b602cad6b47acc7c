/** What a hook call does, wherever it runs: in a process of its own, or in the helper on behalf of a line of shell. */
import { parsePayload } from '../agents/parsePayload.ts';
import { recordEvent } from '../app/recordEvent.ts';
import { reserveFile } from '../base/home.ts';
import { giveUpReserve } from '../base/reserve.ts';
import { type TellContext, tellAgent } from './tellAgent.ts';

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
export async function answerHook(call: HookCall, context: TellContext): Promise<string> {
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
  const { home } = context;
  if (giveUpReserve(reserveFile(home), home))
    context.log(`The disk of ${home} is full: soon nothing more can be noted.`);
  const recorded = await recordEvent(context, parsed.event);
  return tellAgent(context, parsed.event, recorded);
}

/** Undefined for what is no JSON. Node's own error quotes the text, which may be anybody's secret. */
function fromJson(text: string): unknown {
  try {
    return JSON.parse(text.replace(/^\uFEFF/, '')) as unknown;
  } catch {
    return undefined;
  }
}
