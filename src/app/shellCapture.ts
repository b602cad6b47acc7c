/**
 * What shell commands change, captured by whole-tree snapshots: one before the command, one after it, and where something
 * goes on in the background one at each later chance. The differences become rows of the turn's checkpoint. Loaded for
 * shell commands only (ARCHITECTURE, "Hook budget"); what cannot be captured in time is an answer, not an exception.
 */
import { sameKey } from '../checkpoint/canonicalKey.ts';
import type { CaptureTarget } from '../checkpoint/capture.ts';
import { type LiveShell, readLive } from '../checkpoint/liveSession.ts';
import type { AgentEvent, ToolEvent } from '../core/agentEvent.ts';
import type { SessionId } from '../core/ids.ts';
import type { TurnEnd } from '../core/timeline.ts';
import { archiveCheckpoint, bringBack } from './archiveCheckpoint.ts';
import { manifestsOfOthers } from './shellClaims.ts';
import { largeFiles } from './shellLarge.ts';
import {
  type Captured,
  failed,
  record,
  type ShellContext,
  snapshotWait,
  snapshotWaitAtEnd,
  type Taken,
  take,
  whyNot,
  withSnapshots,
} from './shellRecord.ts';
import {
  drop,
  earliest,
  isRecent,
  oldest,
  seenAt,
  shellOf,
  untold,
  update,
  without,
} from './shellState.ts';
import type { Snapshots } from './snapshots.ts';

type ShellEvent = AgentEvent & ToolEvent;

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

const nothing: Captured = { unprotected: [] };

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
