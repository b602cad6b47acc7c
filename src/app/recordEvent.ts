/**
 * From an agent's event to what is kept of it: pre-images now, hashes and post-images after the edit, and a spool entry
 * for the database. This is what a hook process runs, so it loads only what each event needs (ARCHITECTURE, "Hook
 * budget") and leaves the database alone: a locked or missing one never costs a pre-image.
 */
import path from 'node:path';
import { postImageFolder, spoolFolder } from '../base/home.ts';
import { isInside } from '../base/platform.ts';
import { rootOf } from '../base/root.ts';
import { addToSpool, spoolName } from '../base/spool.ts';
import { type CaptureTarget, capture } from '../checkpoint/capture.ts';
import {
  type LiveSession,
  type LiveTurn,
  lockFile,
  readLive,
  withSession,
  writeLive,
} from '../checkpoint/liveSession.ts';
import { markMixed } from '../checkpoint/markMixed.ts';
import { pathsThrough } from '../checkpoint/pathsThrough.ts';
import { numbersOnDisk } from '../checkpoint/readSession.ts';
import type { AgentEvent, ToolEvent } from '../core/agentEvent.ts';
import { messageOf } from '../core/errors.ts';
import type { Root, SessionId } from '../core/ids.ts';
import type { SpoolBody, Unprotected } from '../core/spoolEvent.ts';
import type { TurnEnd } from '../core/timeline.ts';
import { headOf } from '../git/headOf.ts';
import { nextTurn, type TurnFacts, type TurnStep } from './liveTurns.ts';

export interface RecordContext {
  /** Our home store. */
  readonly home: string;
  /** The user's home folder: never a root by accident. */
  readonly userHome: string;
  /** Working directory to assume when the payload names none. */
  readonly cwd: string;
  readonly now: () => number;
  readonly log: (text: string) => void;
}

export interface Recorded {
  readonly root: Root;
  readonly session: SessionId;
  readonly turn: LiveTurn | undefined;
  readonly unprotected: readonly Unprotected[];
}

const lockWait = 3_000;

/** @throws UserError `locked`, `fileSystem`; the hook logs it and exits 0 all the same. */
export async function recordEvent(context: RecordContext, event: AgentEvent): Promise<Recorded> {
  const { session } = event;
  const { live, turn, opened, closed, repeat } = advance(context, event);
  const root = live.root as Root;
  const say = (body: SpoolBody): void => spool(context, event, root, body);
  if (closed) await end(context, closed.root, session, closed.turn, 'nextPrompt', say);
  if (repeat) return { root, session, turn, unprotected: [] };
  if (opened) say(turnBody(event, root, opened));
  const unprotected = await keep(context, event, root, turn, say);
  return { root, session, turn, unprotected };
}

async function keep(
  context: RecordContext,
  event: AgentEvent,
  root: Root,
  turn: LiveTurn | undefined,
  say: (body: SpoolBody) => void,
): Promise<readonly Unprotected[]> {
  switch (event.kind) {
    case 'sessionStart':
      say({
        kind: 'session',
        ...(event.transcript !== undefined && { transcript: event.transcript }),
      });
      return [];
    case 'prompt':
      return [];
    case 'beforeTool':
      return turn ? beforeTool(context, event, root, turn, say) : [];
    case 'afterTool':
      if (turn) await afterTool(context, event, root, turn, say);
      return [];
    case 'turnEnd':
      if (turn) await end(context, root, event.session, turn, event.how, say, event.reply);
      return [];
    case 'sessionEnd':
      if (turn) await end(context, root, event.session, turn, 'sessionEnd', say);
      say({ kind: 'sessionEnd' });
      return [];
  }
}

async function beforeTool(
  context: RecordContext,
  event: AgentEvent & ToolEvent,
  root: Root,
  turn: LiveTurn,
  say: (body: SpoolBody) => void,
): Promise<readonly Unprotected[]> {
  const target = {
    ...targetOf(context, root, event.session, turn),
    background: event.subagent !== undefined,
  };
  const base = event.cwd ?? root;
  const results =
    event.toolClass === 'other'
      ? []
      : event.paths
          .flatMap((given) => pathsThrough(given, base))
          .map((given) => capture(target, given, base));
  for (const result of results) {
    if (result.saved && !result.first)
      markMixed(target, result.key, postImageFolder(context.home, root));
  }
  const unprotected = results.flatMap((r) => (r.saved ? [] : [{ path: r.path, reason: r.reason }]));
  for (const { path: given, reason } of unprotected)
    context.log(`Not protected: ${given}: ${reason}`);
  say({
    kind: 'tool',
    turn: turn.id,
    tool: event.tool,
    toolClass: event.toolClass,
    ...(event.callId !== undefined && { callId: event.callId }),
    ...(event.summary !== undefined && { summary: event.summary }),
    saved: results.flatMap((r) => (r.saved ? [r.key] : [])),
    unprotected,
  });
  if (event.toolClass === 'shell') await beforeShell(context, event.session, root, turn);
  return unprotected;
}

/** Notes which of the turn's files are as the agent left them: what differs after the command, the command changed. */
async function beforeShell(
  context: RecordContext,
  session: SessionId,
  root: Root,
  turn: LiveTurn,
): Promise<void> {
  const { steadyKeys } = await import('../checkpoint/seal.ts');
  const steady = steadyKeys(targetOf(context, root, session, turn));
  if (steady.length === 0 && turn.steady.length === 0) return;
  withSession(context.home, session, lockWait, () => {
    const live = readLive(context.home, session);
    if (live?.turn?.id === turn.id)
      writeLive(context.home, session, { ...live, turn: { ...live.turn, steady } });
  });
}

async function afterTool(
  context: RecordContext,
  event: AgentEvent & ToolEvent,
  root: Root,
  turn: LiveTurn,
  say: (body: SpoolBody) => void,
): Promise<void> {
  if (event.toolClass === 'other') return;
  const { recordAfter } = await import('../checkpoint/seal.ts');
  const { keysThrough } = await import('../checkpoint/keysThrough.ts');
  const { sameKey } = await import('../checkpoint/canonicalKey.ts');
  const target = targetOf(context, root, event.session, turn);
  const named = keysThrough(target, event.paths, event.cwd ?? root);
  const keys = event.toolClass === 'shell' ? [...turn.steady, ...named] : named;
  const known = recordAfter(target, postImageFolder(context.home, root), (row) =>
    keys.some((key) => sameKey(key, row.path)),
  );
  if (!known)
    context.log(
      `What the agent left in turn ${turn.number} was not recorded: the session was locked.`,
    );
  say({ kind: 'after', turn: turn.id });
}

async function end(
  context: RecordContext,
  root: Root,
  session: SessionId,
  turn: LiveTurn,
  how: TurnEnd,
  say: (body: SpoolBody) => void,
  reply?: string,
): Promise<void> {
  const { endCheckpoint } = await import('../checkpoint/seal.ts');
  const isTold = how === 'stop' || how === 'interrupt' || how === 'failed';
  try {
    const target = targetOf(context, root, session, turn);
    const done = endCheckpoint(target, postImageFolder(context.home, root), isTold);
    if (!done) context.log(`Turn ${turn.number} was not sealed: the session was locked.`);
  } catch (error) {
    // What the event is about comes after this, and must come.
    context.log(`Turn ${turn.number} was not sealed: ${messageOf(error)}`);
  }
  say({ kind: 'end', turn: turn.id, end: how, ...(reply !== undefined && { reply }) });
}

/** Brings the session's state forward. */
function advance(context: RecordContext, event: AgentEvent): TurnStep {
  if (event.kind === 'beforeTool' || event.kind === 'afterTool') {
    // Nearly always nothing changes, and then no lock is needed: the state is replaced whole, so what is read here is
    // what was there before or after another process's step, as it would be under the lock.
    const { before, step } = stepOf(context, event);
    if (step.live === before) return step;
  }
  const done = withSession(context.home, event.session, lockWait, () => {
    const { before, step } = stepOf(context, event);
    if (step.live !== before) writeLive(context.home, event.session, step.live);
    return step;
  });
  if (done) return done.value;
  // Better a pre-image in the wrong turn's folder than none: go on with the state as it is.
  context.log(
    `The session ${event.session} was locked for ${lockWait} ms; its state was read without the lock.`,
  );
  return stepOf(context, event).step;
}

/** The step the event would take, without writing it. */
function stepOf(
  context: RecordContext,
  event: AgentEvent,
): { readonly before: LiveSession | undefined; readonly step: TurnStep } {
  const before = readLive(context.home, event.session);
  return { before, step: nextTurn(before, event, factsFor(context, event, before)) };
}

function factsFor(
  context: RecordContext,
  event: AgentEvent,
  before: LiveSession | undefined,
): TurnFacts {
  const root = rootFor(context, event, before);
  const onDisk = () => numbersOnDisk(root, event.session, before === undefined);
  return { root, now: context.now(), onDisk };
}

/** A session stays with its root while the agent walks about below it; a prompt from elsewhere moves it. */
function rootFor(context: RecordContext, event: AgentEvent, before: LiveSession | undefined): Root {
  const cwd = event.cwd ?? context.cwd;
  if (
    before &&
    (event.kind !== 'prompt' || isInside(before.root, path.resolve(cwd), process.platform))
  ) {
    return before.root as Root;
  }
  return rootOf(cwd, context.userHome);
}

function targetOf(
  context: RecordContext,
  root: Root,
  session: SessionId,
  turn: LiveTurn,
): CaptureTarget {
  return {
    root,
    session,
    lock: lockFile(context.home, session),
    head: { seq: turn.seq, label: turn.label, at: turn.at, agent: turn.agent, turn: turn.number },
  };
}

function turnBody(event: AgentEvent, root: Root, turn: LiveTurn): SpoolBody {
  const head = headOf(root);
  return {
    kind: 'turn',
    turn: turn.id,
    seq: turn.seq,
    number: turn.number,
    prompt: event.kind === 'prompt' ? event.prompt : '',
    ...(event.promptId !== undefined && { promptId: event.promptId }),
    ...(event.model !== undefined && { model: event.model }),
    ...(head && { head }),
  };
}

function spool(context: RecordContext, event: AgentEvent, root: Root, body: SpoolBody): void {
  const at = context.now();
  const id = spoolName(at);
  const whole = { v: 1, id, at, session: event.session, agent: event.agent, root, ...body };
  try {
    addToSpool(spoolFolder(context.home), id, JSON.stringify(whole));
  } catch (error) {
    // The timeline misses an entry; what is saved of the files must not depend on it.
    context.log(`An event (${body.kind}) was not noted: ${messageOf(error)}`);
  }
}
