/**
 * A payload's facts in one spelling, and the event they amount to. Each client's reader fills a `Reading`; what an event
 * is called by which client, and what counts as the end of a turn, is decided here once. Pure, part of the hook.
 */
import type { AgentEvent, AgentEventBase } from '../core/agentEvent.ts';
import { asSessionId } from '../core/ids.ts';
import { cut, isAbsolute } from './fields.ts';
import { toolCall } from './toolCall.ts';

/** What the caller knows beside the payload. None of it is proof of anything. */
export interface PayloadHint {
  /** The agent in whose configuration the hook stands; another client may read that file too. */
  readonly agent?: string;
  /** The event's name, for clients that leave it out of the payload. */
  readonly event?: string;
  /** Looked at for names that clients set; never recorded. */
  readonly env?: Readonly<Record<string, string | undefined>>;
}

export type ParsedPayload = { readonly event: AgentEvent } | { readonly ignored: string };

export interface Reading {
  readonly agent: string;
  /** As the client spells it; case does not matter. */
  readonly event: string | undefined;
  readonly session: string | undefined;
  readonly cwd?: string | undefined;
  readonly promptId?: string | undefined;
  readonly model?: string | undefined;
  readonly subagent?: string | undefined;
  readonly transcript?: string | undefined;
  readonly source?: string | undefined;
  readonly reason?: string | undefined;
  readonly prompt?: string | undefined;
  readonly notification?: boolean | undefined;
  readonly reply?: string | undefined;
  readonly tool?: string | undefined;
  readonly input?: unknown;
  readonly callId?: string | undefined;
  readonly failed?: boolean | undefined;
  readonly running?: number | undefined;
}

/** Longer prompts and replies are cut, visibly: a timeline is no place for them, and the hook has no time. */
const longestText = 100_000;
const longestId = 1000;

type Kind = AgentEvent['kind'] | 'stop' | 'failed' | 'interrupt';

const kinds: ReadonlyMap<string, Kind> = new Map<string, Kind>([
  ['sessionstart', 'sessionStart'],
  ['userpromptsubmit', 'prompt'],
  ['userpromptsubmitted', 'prompt'],
  ['beforesubmitprompt', 'prompt'],
  ['beforeagent', 'prompt'],
  ['pretooluse', 'beforeTool'],
  ['beforetool', 'beforeTool'],
  ['beforeshellexecution', 'beforeTool'],
  ['posttooluse', 'afterTool'],
  ['posttoolusefailure', 'afterTool'],
  ['aftertool', 'afterTool'],
  ['aftershellexecution', 'afterTool'],
  ['afterfileedit', 'afterTool'],
  ['stop', 'stop'],
  ['agentstop', 'stop'],
  ['afteragent', 'stop'],
  ['stopfailure', 'failed'],
  ['interrupt', 'interrupt'],
  ['sessionend', 'sessionEnd'],
]);

/** The event, or why there is none to record. */
export function eventOf(reading: Reading): ParsedPayload {
  const name = reading.event ?? '';
  const kind = kinds.get(name.toLowerCase());
  if (kind === undefined) {
    return { ignored: name === '' ? 'the event has no name' : `events of kind ${cut(name, 60)}` };
  }
  const base = baseOf(reading);
  if (base === undefined) return { ignored: 'neither a session nor a folder is named' };
  switch (kind) {
    case 'sessionStart':
      return { event: { ...base, kind, ...optional({ source: reading.source }) } };
    case 'sessionEnd':
      return { event: { ...base, kind, ...optional({ reason: reading.reason }) } };
    case 'prompt': {
      const prompt = cut(reading.prompt ?? '', longestText);
      return {
        event: { ...base, kind, prompt, ...(reading.notification && { notification: true }) },
      };
    }
    case 'beforeTool':
    case 'afterTool': {
      const tool = cut(reading.tool ?? 'unknown', 200);
      const call = toolCall(tool, reading.input);
      const failed = kind === 'afterTool' && reading.failed === true;
      const extra = { callId: short(reading.callId), failed: failed || undefined };
      return { event: { ...base, kind, tool, ...call, ...optional(extra) } };
    }
    case 'stop':
    case 'failed':
    case 'interrupt':
    case 'turnEnd': {
      if (base.subagent !== undefined) return { ignored: 'the end of a subagent' };
      const how = kind === 'turnEnd' ? 'stop' : kind;
      const reply = reading.reply === undefined ? undefined : cut(reading.reply, longestText);
      const { running } = reading;
      return { event: { ...base, kind: 'turnEnd', how, ...optional({ reply, running }) } };
    }
    default:
      return kind satisfies never;
  }
}

/** A client that names no session gets one a folder, so that its edits are recorded all the same. */
function baseOf(reading: Reading): AgentEventBase | undefined {
  const cwd = reading.cwd !== undefined && isAbsolute(reading.cwd) ? reading.cwd : undefined;
  const session = reading.session ?? (cwd === undefined ? undefined : `${reading.agent}:${cwd}`);
  if (session === undefined || session.length > longestId) return undefined;
  return {
    agent: reading.agent,
    session: asSessionId(session),
    ...optional({
      cwd,
      promptId: short(reading.promptId),
      model: short(reading.model),
      subagent: short(reading.subagent),
      transcript: reading.transcript,
    }),
  };
}

function short(text: string | undefined): string | undefined {
  return text === undefined ? undefined : cut(text, longestId);
}

type Present<T> = { [K in keyof T]?: Exclude<T[K], undefined> };

/** Without the properties that are undefined. */
function optional<T extends object>(values: T): Present<T> {
  return Object.fromEntries(
    Object.entries(values).filter(([, value]) => value !== undefined),
  ) as Present<T>;
}
