/**
 * What shell commands change, captured by whole-tree snapshots: one before the command, one after it, and where something
 * goes on in the background one at each later chance. The differences become rows of the turn's checkpoint. Loaded for
 * shell commands only (ARCHITECTURE, "Hook budget"); what cannot be captured in time is an answer, not an exception.
 */

import { sameKey } from '../checkpoint/canonicalKey.ts';
import type { CaptureTarget } from '../checkpoint/capture.ts';
import {
  type LiveBackground,
  type LiveSession,
  type LiveShell,
  readLive,
  withSession,
  writeLive,
} from '../checkpoint/liveSession.ts';
import { recordCommand } from '../checkpoint/recordCommand.ts';
import type { AgentEvent, ToolEvent } from '../core/agentEvent.ts';
import { isUserError, messageOf } from '../core/errors.ts';
import type { Root, SessionId } from '../core/ids.ts';
import type { Unprotected } from '../core/spoolEvent.ts';
import type { TurnEnd } from '../core/timeline.ts';
import type { CreateResult, SnapshotMeta } from '../snapshot/snapshotTypes.ts';
import { archiveCheckpoint, bringBack } from './archiveCheckpoint.ts';
import { discard, type FoundChanges, findChanges } from './shellChanges.ts';
import { claimsSince, manifestsOfOthers } from './shellClaims.ts';
import { changedLarge, largeFiles, newLarge } from './shellLarge.ts';
import type { Snapshots } from './snapshots.ts';

export interface ShellContext {
  readonly home: string;
  readonly now: () => number;
  readonly log: (text: string) => void;
  /** @throws UserError when this root can have none. */
  readonly snapshots: (root: Root) => Promise<Snapshots>;
}

/** What became of it, for the timeline. */
export interface Captured {
  /** A sentence why the effects could not be captured. */
  readonly failure?: string;
  readonly unprotected: readonly Unprotected[];
}

type ShellEvent = AgentEvent & ToolEvent;

/** Milliseconds for a snapshot; agents give a hook ten seconds, and three at the end of a session. */
const snapshotWait = 5_000;
const snapshotWaitAtEnd = 1_500;
/** Milliseconds for a snapshot and everything after it. */
const recordWait = 8_000;
const recordWaitAtEnd = 2_500;
const lockWait = 3_000;
/** Milliseconds after which a command in the background is not heard of any more. */
const longestSilence = 3_600_000;

/**
 * Before a command: notes the tree as it is. What changed in the background until now goes to the turn.
 * @returns a failure when the command cannot be captured
 */
export async function beforeCommand(
  context: ShellContext,
  event: ShellEvent,
  target: CaptureTarget,
): Promise<Captured> {
  const at = context.now();
  const { callId } = event;
  const known = readLive(context.home, event.session)?.shells ?? [];
  if (callId !== undefined && known.some((shell) => shell.callId === callId)) return nothing;
  return withSnapshots(context, target, async (snapshots) => {
    const others = manifestsOfOthers(target.root, event.session);
    const base = {
      ...(callId !== undefined && { callId }),
      at,
      edited: [],
      ...(others.length > 0 && { others }),
    };
    let shell: LiveShell;
    let taken: Taken | undefined;
    try {
      taken = await take(context, snapshots, event, target, snapshotWait);
      const { snapshot, skipped } = taken.result;
      shell = { ...base, before: snapshot.id, large: largeFiles(target.root, skipped) };
    } catch (error) {
      shell = { ...base, failure: whyNot(context, error), large: [] };
    }
    const gap = taken && (await fillGap(context, snapshots, target, taken));
    const isArchived = await archiveCheckpoint(context, snapshots, target);
    update(context, event.session, (live) => ({
      ...live,
      ...(isArchived && live.turn && { turn: { ...live.turn, archived: true } }),
      shells: [...(live.shells ?? []), shell],
      ...(gap && !gap.failure && taken && live.background && { background: seenAt(taken) }),
    }));
    const { failure } = shell;
    return { unprotected: gap?.unprotected ?? [], ...(failure !== undefined && { failure }) };
  });
}

/** After it: the difference is the command's, but for what others claim. */
export async function afterCommand(
  context: ShellContext,
  event: ShellEvent,
  target: CaptureTarget,
): Promise<Captured> {
  const live = readLive(context.home, event.session);
  const shell = shellOf(live, event.callId);
  if (shell === undefined) return { failure: 'Nothing was saved before it.', unprotected: [] };
  return withSnapshots(context, target, async (snapshots) => {
    if (live?.turn?.archived) await bringBack(context, snapshots, target);
    let taken: Taken | undefined;
    try {
      if (shell.before === undefined) return failed(shell.failure);
      taken = await take(context, snapshots, event, target, snapshotWait);
      const base = earliest(live, shell);
      const found = await record(context, snapshots, target, {
        base,
        taken,
        isUncertain: false,
        isEdited: (key) => shell.edited.some((edited) => sameKey(edited, key)),
      });
      return found;
    } finally {
      const background = event.background ? taken && seenAt(taken) : undefined;
      update(context, event.session, (now) => without(now, shell, taken, background));
    }
  });
}

/**
 * When a turn ends, or its end is noticed: what changed since the last look and nobody explains may be the work of a
 * command that goes on. @param running commands in the background that still run; undefined: nobody knows
 */
export async function atTurnEnd(
  context: ShellContext,
  session: SessionId,
  target: CaptureTarget,
  how: TurnEnd,
  running: number | undefined,
): Promise<Captured | undefined> {
  const live = readLive(context.home, session);
  const open = (live?.shells ?? []).filter((shell) => shell.before !== undefined && !shell.untold);
  const background = live?.background && isRecent(context, live.background);
  if (open.length === 0 && background === undefined) {
    drop(context, session);
    return undefined;
  }
  return withSnapshots(context, target, async (snapshots) => {
    let taken: Taken | undefined;
    let isDone = false;
    try {
      const event = { tool: how, session };
      taken = await take(context, snapshots, event, target, snapshotWaitAtEnd);
      const found = await record(context, snapshots, target, {
        base: oldest(open, background),
        taken,
        isUncertain: how !== 'interrupt' || background !== undefined,
        isEdited: (key) =>
          open.some((shell) => shell.edited.some((edited) => sameKey(edited, key))),
      });
      isDone = found.failure === undefined;
      return found;
    } finally {
      const isOver = running === 0 || how === 'interrupt' || how === 'sessionEnd';
      const latest = isDone && taken ? seenAt(taken) : background;
      const seen = isOver ? undefined : latest;
      update(context, session, (now) => {
        const { background: before, shells = [], ...rest } = now;
        const left = isOver ? [] : shells.filter((shell) => !shell.untold);
        const kept = left.map((shell) => untold(shell, taken));
        const next = before && seen;
        return {
          ...rest,
          ...(kept.length > 0 && { shells: kept }),
          ...(next && { background: next }),
        };
      });
    }
  });
}

/** Tells running commands which files an edit tool of the session names meanwhile. */
export function noteEdited(
  context: Pick<ShellContext, 'home'>,
  session: SessionId,
  keys: readonly string[],
): void {
  if (keys.length === 0) return;
  update(context, session, (live) => ({
    ...live,
    shells: (live.shells ?? []).map((shell) => ({
      ...shell,
      edited: [...new Set([...shell.edited, ...keys])],
    })),
  }));
}

const nothing: Captured = { unprotected: [] };

function failed(failure = 'Nothing was saved before it.'): Captured {
  return { failure, unprotected: [] };
}

interface Taken {
  readonly result: CreateResult;
  /** Milliseconds since 1970: before it was taken. */
  readonly at: number;
  /** As `performance.now()` has it: when the hook must be done. */
  readonly deadline: number;
}

interface Base {
  readonly id: string;
  readonly at: number;
  readonly large: LiveShell['large'];
  readonly others: LiveShell['others'];
}

async function take(
  context: ShellContext,
  snapshots: Snapshots,
  event: { readonly tool: string; readonly summary?: string; readonly session: SessionId },
  { head }: CaptureTarget,
  within: number,
): Promise<Taken> {
  const meta: SnapshotMeta = {
    turn: head.turn,
    triggerTool: event.tool,
    triggerArgs: event.summary ?? '',
    preRollback: false,
    session: event.session,
    turnId: `${event.session}#${head.seq}`,
    label: head.label,
  };
  const at = context.now();
  const atEnd = within === snapshotWaitAtEnd;
  const deadline = performance.now() + (atEnd ? recordWaitAtEnd : recordWait);
  return { result: await snapshots.create(meta, { within }), at, deadline };
}

/** What a command in the background did until now. */
async function fillGap(
  context: ShellContext,
  snapshots: Snapshots,
  target: CaptureTarget,
  taken: Taken,
): Promise<Captured | undefined> {
  const live = readLive(context.home, target.session);
  const background = live?.background && isRecent(context, live.background);
  if (background === undefined || (live?.shells ?? []).length > 0) return undefined;
  const { seen, at } = background;
  const base = { id: seen, at, large: [], others: undefined };
  const how = { base, taken, isUncertain: true, isEdited: () => false };
  try {
    return await record(context, snapshots, target, how);
  } catch (error) {
    return failed(whyNot(context, error));
  }
}

interface How {
  readonly base: Base;
  readonly taken: Taken;
  readonly isUncertain: boolean;
  readonly isEdited: (key: string) => boolean;
}

async function record(
  context: ShellContext,
  snapshots: Snapshots,
  target: CaptureTarget,
  { base, taken, isUncertain, isEdited }: How,
): Promise<Captured> {
  const { home, now } = context;
  const { root, session } = target;
  const { deadline, result } = taken;
  const { snapshot, skipped } = result;
  const large = [...changedLarge(root, base.large)];
  const files = await newLarge(root, snapshots, base.id, base.large, skipped);
  let found: FoundChanges = { changes: [], unprotected: [] };
  if (snapshot.id !== base.id) {
    const { at: since, others: seen } = base;
    const claims = claimsSince(home, root, session, { since, now: now(), seen });
    found = await findChanges({
      snapshots,
      before: base.id,
      after: snapshot.id,
      since: base.at,
      home,
      target,
      claims,
      isUncertain,
      deadline,
    });
  }
  try {
    const marked = files.map((one) => (isUncertain ? { ...one, mark: 'uncertain' as const } : one));
    if (!recordCommand(target, [...found.changes, ...marked], isEdited))
      return failed('The session was locked for too long.');
  } finally {
    discard(found.changes);
  }
  return { unprotected: [...found.unprotected, ...large] };
}

async function withSnapshots(
  context: ShellContext,
  { root }: CaptureTarget,
  work: (snapshots: Snapshots) => Promise<Captured>,
): Promise<Captured> {
  let snapshots: Snapshots | undefined;
  try {
    snapshots = await context.snapshots(root);
    return await work(snapshots);
  } catch (error) {
    return failed(whyNot(context, error));
  } finally {
    await snapshots?.close().catch((error: unknown) => context.log(messageOf(error)));
  }
}

/** A sentence for the timeline; the log has the rest. */
function whyNot(context: ShellContext, error: unknown): string {
  if (isUserError(error, 'late') && 'within' in error.data)
    return 'The snapshot of the folder was not ready in time; the first one takes longest.';
  context.log(`No snapshot: ${messageOf(error)}`);
  return isUserError(error) ? error.message : 'The snapshot of the folder failed.';
}

function shellOf(live: LiveSession | undefined, callId: string | undefined): LiveShell | undefined {
  const shells = live?.shells ?? [];
  if (callId === undefined) return shells.find((shell) => shell.callId === undefined);
  return shells.find((shell) => shell.callId === callId);
}

/** Of commands at the same time, each is measured from where the first began: so no pre-image is of between them. */
function earliest(live: LiveSession | undefined, own: LiveShell): Base {
  const others = (live?.shells ?? []).filter(
    (shell) => !shell.untold && shell.before !== undefined,
  );
  return oldest([own, ...others.filter((shell) => shell.at < own.at)], undefined);
}

function oldest(shells: readonly LiveShell[], background: LiveBackground | undefined): Base {
  const bases = shells.flatMap(({ before, at, large, others }): Base[] =>
    before === undefined ? [] : [{ id: before, at, large, others }],
  );
  if (background)
    bases.push({ id: background.seen, at: background.at, large: [], others: undefined });
  const [first, ...rest] = bases;
  if (first === undefined) throw new Error('There is no snapshot to begin with.');
  return rest.reduce((a, b) => (b.at < a.at ? b : a), first);
}

function seenAt({ result, at }: Taken): LiveBackground {
  return { seen: result.snapshot.id, at };
}

function without(
  live: LiveSession,
  shell: LiveShell,
  taken: Taken | undefined,
  started: LiveBackground | undefined,
): LiveSession {
  const { shells = [], background, ...rest } = live;
  const left = shells.filter((one) => one.at !== shell.at || one.callId !== shell.callId);
  const seen = started ?? (background && (taken ? seenAt(taken) : background));
  const late = live.turn && !live.turn.open ? { turn: { ...live.turn, late: true } } : {};
  return {
    ...rest,
    ...late,
    ...(left.length > 0 && { shells: left }),
    ...(seen && { background: seen }),
  };
}

/** It goes on into the next turn: measured from here then. */
function untold(shell: LiveShell, taken: Taken | undefined): LiveShell {
  if (taken === undefined) return { ...shell, untold: true };
  return { ...shell, untold: true, before: taken.result.snapshot.id, edited: [] };
}

function drop(context: ShellContext, session: SessionId): void {
  const live = readLive(context.home, session);
  if ((live?.shells ?? []).length === 0 && !live?.background) return;
  update(context, session, ({ shells: _, background: __, ...rest }) => rest);
}

/** Of a longer silence nobody can say anything. */
function isRecent({ now }: ShellContext, background: LiveBackground): LiveBackground | undefined {
  return now() - background.at < longestSilence ? background : undefined;
}

function update(
  { home }: Pick<ShellContext, 'home'>,
  session: SessionId,
  change: (live: LiveSession) => LiveSession,
): void {
  withSession(home, session, lockWait, () => {
    const live = readLive(home, session);
    if (live) writeLive(home, session, change(live));
  });
}
