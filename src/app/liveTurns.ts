/**
 * Which turn an event belongs to, and what it does to the session's state. Ends of turns are not certain (agents/README
 * 5.7, 5.8): a turn closes by its own end, by the next prompt or by the session's end. Edits after that belong to it as
 * long as it is the newest: the newest checkpoint is where a later state must be saved, whoever spawned the edit.
 */
import type { LiveSession, LiveTurn } from '../checkpoint/liveSession.ts';
import type { NumbersOnDisk } from '../checkpoint/readSession.ts';
import type { AgentEvent } from '../core/agentEvent.ts';
import { fingerprint, type Root } from '../core/ids.ts';
import { labelOf } from '../core/label.ts';

export interface TurnStep {
  readonly live: LiveSession;
  readonly turn: LiveTurn | undefined;
  /** A turn this event began. */
  readonly opened?: LiveTurn;
  /** The turn before it, when that still has to be sealed. */
  readonly closed?: { readonly turn: LiveTurn; readonly root: Root };
  /** The event was seen before: two configuration files can send the same prompt. */
  readonly repeat: boolean;
}

export interface TurnFacts {
  readonly root: Root;
  readonly now: number;
  /** Highest numbers found on disk; asked only when a turn begins. */
  readonly onDisk: () => NumbersOnDisk;
}

const repeatWithin = 3_000;

/** Pure: the same state and event give the same step. */
export function nextTurn(
  before: LiveSession | undefined,
  event: AgentEvent,
  facts: TurnFacts,
): TurnStep {
  const live = before ?? freshSession(event, facts.root);
  const turn = live.turn ?? undefined;
  const stay: TurnStep = { live, turn, repeat: false };
  switch (event.kind) {
    case 'sessionStart':
      return stay;
    case 'prompt':
      return prompt(live, event, facts);
    case 'beforeTool':
      if (!turn || isForeign(turn, event)) return open(live, event, '', facts);
      return turn.open || turn.late || event.toolClass !== 'write'
        ? stay
        : withTurn(live, { ...turn, late: true });
    case 'afterTool':
      return stay;
    case 'turnEnd':
    case 'sessionEnd':
      return turn ? withTurn(live, { ...turn, open: false, late: false, steady: [] }) : stay;
  }
}

function prompt(
  live: LiveSession,
  event: AgentEvent & { kind: 'prompt' },
  facts: TurnFacts,
): TurnStep {
  const turn = live.turn ?? undefined;
  if (turn && isRepeat(turn, event, facts.now)) return { live, turn, repeat: true };
  if (turn && event.notification)
    return withTurn(live, { ...turn, open: true, promptIds: idsWith(turn, event) });
  if (turn?.open && event.prompt.trim() === '')
    return withTurn(live, { ...turn, promptIds: idsWith(turn, event) });
  return open(live, event, event.prompt, facts);
}

function isRepeat(turn: LiveTurn, event: AgentEvent & { kind: 'prompt' }, now: number): boolean {
  if (event.promptId !== undefined) return turn.promptIds.includes(event.promptId);
  return (
    turn.open &&
    turn.prompt === fingerprint(event.prompt) &&
    now - Date.parse(turn.at) < repeatWithin
  );
}

/** A finished turn, and a tool call of a prompt nobody announced: its own turn. Subagents carry older ids on purpose. */
function isForeign(turn: LiveTurn, event: AgentEvent): boolean {
  if (turn.open || event.promptId === undefined || event.subagent !== undefined) return false;
  return !turn.promptIds.includes(event.promptId);
}

function open(live: LiveSession, event: AgentEvent, text: string, facts: TurnFacts): TurnStep {
  const found = facts.onDisk();
  const seq = Math.max(live.highWater, found.seq) + 1;
  const opened: LiveTurn = {
    id: `${live.session}#${seq}`,
    seq,
    number: Math.max(live.turns, found.turn) + 1,
    label: labelOf(text),
    at: new Date(facts.now).toISOString(),
    agent: event.agent,
    promptIds: event.promptId === undefined ? [] : [event.promptId],
    prompt: fingerprint(text),
    open: true,
    late: false,
    steady: [],
  };
  const previous = live.turn;
  const next: LiveSession = {
    ...live,
    agent: event.agent,
    root: facts.root,
    highWater: seq,
    turns: opened.number,
    turn: opened,
  };
  const unsealed = previous !== null && (previous.open || previous.late);
  return {
    live: next,
    turn: opened,
    opened,
    repeat: false,
    ...(unsealed && { closed: { turn: previous, root: live.root as Root } }),
  };
}

function withTurn(live: LiveSession, turn: LiveTurn): TurnStep {
  return { live: { ...live, turn }, turn, repeat: false };
}

function idsWith(turn: LiveTurn, event: AgentEvent): readonly string[] {
  return event.promptId === undefined ? turn.promptIds : [...turn.promptIds, event.promptId];
}

function freshSession(event: AgentEvent, root: Root): LiveSession {
  return {
    format: 1,
    session: event.session,
    agent: event.agent,
    root,
    highWater: 0,
    turns: 0,
    turn: null,
  };
}
