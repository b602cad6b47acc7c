/**
 * What shell commands change, captured by whole-tree snapshots: one before the command, one after it, and where something
 * goes on in the background one at each later chance. The differences become rows of the turn's checkpoint. Loaded for
 * shell commands only (ARCHITECTURE, "Hook budget"); what cannot be captured in time is an answer, not an exception.
 */
import { sameKey } from '../checkpoint/canonicalKey.ts';
import type { CaptureTarget } from '../checkpoint/capture.ts';
import { type LiveShell, readLive } from '../checkpoint/liveSession.ts';
import { type CommandCourse, rowCount } from '../checkpoint/recordCommand.ts';
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
  isRecent,
  isSame,
  oldest,
  overtaken,
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
 * @returns a failure when the command cannot be captured, and the calls before it that are over although nobody said so
 */
export async function beforeCommand(
  context: ShellContext,
  event: ShellEvent,
  target: CaptureTarget,
): Promise<Captured & { readonly over?: readonly LiveShell[] }> {
  const at = context.now();
  const { callId } = event;
  const known = readLive(context.home, event.session);
  if (callId !== undefined && shellOf(known, callId)) return nothing;
  const over = overtaken(known, event);
  return withSnapshots(context, target, async (snapshots) => {
    if (known?.turn?.archived) await bringBack(context, snapshots, target);
    const others = manifestsOfOthers(target.root, event.session);
    const base = {
      ...(callId !== undefined && { callId }),
      at,
      actor: event.subagent ?? '',
      rows: rowCount(target),
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
    const gap = taken && (await fillGap(context, snapshots, target, taken, over));
    const isArchived = await archiveCheckpoint(context, snapshots, target);
    update(context, event.session, (live) => ({
      ...live,
      ...(isArchived && live.turn && { turn: { ...live.turn, archived: true } }),
      shells: [...(live.shells ?? []).filter((one) => !over.some((o) => isSame(o, one))), shell],
      ...(gap &&
        !gap.failure &&
        taken &&
        live.background && { background: { ...live.background, ...seenAt(taken) } }),
    }));
    const { failure } = shell;
    const told = { unprotected: gap?.unprotected ?? [], ...(failure !== undefined && { failure }) };
    return gap?.failure === undefined ? { ...told, over } : told;
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
      return await record(context, snapshots, target, {
        base: oldest([shell], undefined),
        taken,
        isUncertain: false,
        course: courseOf([shell]),
      });
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
      const isShort = how === 'interrupt' || how === 'sessionEnd';
      const within = isShort ? snapshotWaitAtEnd : snapshotWait;
      taken = await take(context, snapshots, event, target, within);
      const found = await record(context, snapshots, target, {
        base: oldest(open, background),
        taken,
        isUncertain: how !== 'interrupt' || background !== undefined,
        course: courseOf(open),
      });
      isDone = found.failure === undefined;
      return found;
    } finally {
      const isForgotten = how === 'nextPrompt' && !background?.isTold;
      const isOver = running === 0 || isForgotten || how === 'interrupt' || how === 'sessionEnd';
      const isTold = (running ?? 0) > 0 || background?.isTold === true;
      const last = isDone && taken ? seenAt(taken) : background;
      const latest = last && isTold ? { ...last, isTold } : last;
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

/** What ran at the same time as these commands: rows that came since the first of them began, and edits. */
function courseOf(shells: readonly LiveShell[]): Omit<CommandCourse, 'since'> {
  return {
    rows: Math.min(...shells.map((shell) => shell.rows)),
    isEdited: (key) => shells.some((shell) => shell.edited.some((edited) => sameKey(edited, key))),
  };
}

/** What commands did until now that go on in the background, or are over without a word. */
async function fillGap(
  context: ShellContext,
  snapshots: Snapshots,
  target: CaptureTarget,
  taken: Taken,
  over: readonly LiveShell[],
): Promise<Captured | undefined> {
  const live = readLive(context.home, target.session);
  const isAlone = (live?.shells ?? []).length === over.length;
  const background = isAlone && live?.background ? isRecent(context, live.background) : undefined;
  const ended = over.filter((shell) => shell.before !== undefined);
  if (background === undefined && ended.length === 0) return over.length > 0 ? nothing : undefined;
  const base = oldest(ended, background);
  const course = ended.length > 0 ? { course: courseOf(ended) } : {};
  try {
    return await record(context, snapshots, target, { base, taken, isUncertain: true, ...course });
  } catch (error) {
    return failed(whyNot(context, error));
  }
}
