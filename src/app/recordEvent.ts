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
import { type CaptureTarget, capture, flushCaptured } from '../checkpoint/capture.ts';
import {
  type LiveSession,
  type LiveTurn,
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
import { headOf } from '../git/headOf.ts';
import { endTurn, sinceTheEnd } from './endTurn.ts';
import { nextTurn, type TurnFacts, type TurnStep } from './liveTurns.ts';
import { type RecordContext, shellContext, targetOf } from './recordContext.ts';
import type { Captured } from './shellRecord.ts';

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
  if (event.kind === 'prompt')
    await sinceTheEnd(context, session, (root, body) => spool(context, event, root, body));
  const { live, turn, opened, closed, repeat } = advance(context, event);
  const root = live.root as Root;
  const say = (body: SpoolBody): void => spool(context, event, root, body);
  if (closed) await endTurn(context, closed.root, session, closed.turn, { how: 'nextPrompt' }, say);
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
      if (turn) await endTurn(context, root, event.session, turn, event, say);
      return [];
    case 'sessionEnd':
      if (turn) await endTurn(context, root, event.session, turn, { how: 'sessionEnd' }, say);
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
    flushLater: context.afterwards !== undefined,
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
      await markMixed(target, result.key, postImageFolder(context.home, root));
  }
  const saved = results.flatMap((r) => (r.saved ? [r.key] : []));
  const fresh = results.flatMap((r) => (r.saved && r.first ? [r.key] : []));
  if (fresh.length > 0) context.afterwards?.(() => flushCaptured(target, fresh));
  const unprotected = results.flatMap((r) => (r.saved ? [] : [{ path: r.path, reason: r.reason }]));
  for (const { path: given, reason } of unprotected)
    context.log(`Not protected: ${given}: ${reason}`);
  const shell = event.toolClass === 'shell' && !event.readOnly ? shellContext(context) : undefined;
  say({
    kind: 'tool',
    turn: turn.id,
    tool: event.tool,
    toolClass: event.toolClass,
    ...(event.callId !== undefined && { callId: event.callId }),
    ...(event.summary !== undefined && { summary: event.summary }),
    saved,
    unprotected,
    ...(event.readOnly && { readOnly: true as const }),
    ...(shell && { isCapturing: true as const }),
  });
  if (event.toolClass === 'write') await noteForCommands(context, event, saved);
  if (shell) {
    const { beforeCommand } = await import('./shellCapture.ts');
    const { failure, unprotected: lost, over = [] } = await beforeCommand(shell, event, target);
    for (const ended of over)
      say({ kind: 'captured', turn: turn.id, ...called(ended), unprotected: [] });
    if (failure !== undefined || lost.length > 0)
      say({
        kind: 'captured',
        turn: turn.id,
        ...(failure === undefined ? { isNone: true as const } : { ...called(event), failure }),
        unprotected: lost,
      });
  }
  if (event.toolClass === 'shell' && !event.readOnly)
    await beforeShell(context, event.session, root, turn);
  return unprotected;
}

/** Commands that run at the same time must know what is not theirs. */
async function noteForCommands(
  context: RecordContext,
  { session }: AgentEvent,
  keys: readonly string[],
): Promise<void> {
  if ((readLive(context.home, session)?.shells ?? []).length === 0) return;
  const { noteEdited } = await import('./shellState.ts');
  noteEdited(context, session, keys);
}

/**
 * Notes which of the turn's files are as the agent left them: what differs after the command, the command changed. For
 * when there is no snapshot to tell it.
 */
async function beforeShell(
  context: RecordContext,
  session: SessionId,
  root: Root,
  turn: LiveTurn,
): Promise<void> {
  const shells = readLive(context.home, session)?.shells ?? [];
  const hasSnapshot = shells.length > 0 && shells.every((shell) => shell.before !== undefined);
  const { steadyKeys } = await import('../checkpoint/seal.ts');
  const steady = hasSnapshot ? [] : steadyKeys(targetOf(context, root, session, turn));
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
  const captured = await afterShell(context, event, target);
  if (captured) say({ kind: 'captured', turn: turn.id, ...called(event), ...captured });
  const named = keysThrough(target, event.paths, event.cwd ?? root);
  const isCommand = event.toolClass === 'shell' && !event.readOnly;
  const isWatched = isCommand && (captured === undefined || captured.failure !== undefined);
  const keys = isWatched ? [...turn.steady, ...named] : named;
  if (event.toolClass === 'write') await noteForCommands(context, event, named);
  const known = recordAfter(target, postImageFolder(context.home, root), (row) =>
    keys.some((key) => sameKey(key, row.path)),
  );
  if (!known)
    context.log(
      `What the agent left in turn ${turn.number} was not recorded: the session was locked.`,
    );
  say({ kind: 'after', turn: turn.id });
}

/** Undefined where there is nothing to capture. */
async function afterShell(
  context: RecordContext,
  event: AgentEvent & ToolEvent,
  target: CaptureTarget,
): Promise<Captured | undefined> {
  const shell = shellContext(context);
  if (event.toolClass !== 'shell' || event.readOnly || !shell) return undefined;
  const { afterCommand } = await import('./shellCapture.ts');
  return afterCommand(shell, event, target);
}

function called({ callId }: { readonly callId?: string }): { readonly callId?: string } {
  return callId === undefined ? {} : { callId };
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
  const add = () => {
    try {
      addToSpool(spoolFolder(context.home), id, JSON.stringify(whole));
    } catch (error) {
      // The timeline misses an entry; what is saved of the files must not depend on it.
      context.log(`An event (${body.kind}) was not noted: ${messageOf(error)}`);
    }
  };
  // An edit waits for this answer; nobody waits for the entry.
  if (body.kind === 'tool' && context.afterwards) context.afterwards(add);
  else add();
}
