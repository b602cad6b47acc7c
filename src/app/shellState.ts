/** What hooks tell each other of running commands, and how it changes. Under the session's lock where it is written. */
import type { CaptureTarget } from '../checkpoint/capture.ts';
import {
  type LiveBackground,
  type LiveSession,
  type LiveShell,
  readLive,
  withSession,
  writeLive,
} from '../checkpoint/liveSession.ts';
import type { AgentEvent } from '../core/agentEvent.ts';
import type { SessionId } from '../core/ids.ts';
import type { Base, ShellContext, Taken } from './shellRecord.ts';

const lockWait = 3_000;
/** Milliseconds after which a command in the background is not heard of any more. */
const longestSilence = 3_600_000;

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

export function isSame(one: LiveShell, other: LiveShell): boolean {
  return one.at === other.at && one.callId === other.callId;
}

export function shellOf(
  live: LiveSession | undefined,
  callId: string | undefined,
): LiveShell | undefined {
  const shells = live?.shells ?? [];
  if (callId === undefined) return shells.find((shell) => shell.callId === undefined);
  return shells.find((shell) => shell.callId === callId);
}

/** Of these agents a second command of one actor means that the first is over, whether its end was told or not. */
const sequential: ReadonlySet<string> = new Set(['claude', 'codex', 'gemini']);

/** Commands that were refused, or whose end nobody told. */
export function overtaken(
  live: LiveSession | undefined,
  { agent, subagent = '' }: AgentEvent,
): readonly LiveShell[] {
  if (!sequential.has(agent)) return [];
  return (live?.shells ?? []).filter((shell) => shell.actor === subagent);
}

export function oldest(shells: readonly LiveShell[], background: LiveBackground | undefined): Base {
  const bases = shells.flatMap(({ before, at, large, others }): Base[] =>
    before === undefined ? [] : [{ id: before, at, large, others }],
  );
  if (background)
    bases.push({ id: background.seen, at: background.at, large: [], others: undefined });
  const [first, ...rest] = bases;
  if (first === undefined) throw new Error('There is no snapshot to begin with.');
  return rest.reduce((a, b) => (b.at < a.at ? b : a), first);
}

export function seenAt({ result, at }: Taken): LiveBackground {
  return { seen: result.snapshot.id, at };
}

export function without(
  live: LiveSession,
  shell: LiveShell,
  taken: Taken | undefined,
  started: LiveBackground | undefined,
): LiveSession {
  const { shells = [], background, ...rest } = live;
  const left = shells.filter((one) => !isSame(one, shell));
  const seen = started ?? (background && { ...background, ...(taken && seenAt(taken)) });
  const late = live.turn && !live.turn.open ? { turn: { ...live.turn, late: true } } : {};
  return {
    ...rest,
    ...late,
    ...(left.length > 0 && { shells: left }),
    ...(seen && { background: seen }),
  };
}

/** It goes on into the next turn: measured from here then. */
export function untold(shell: LiveShell, taken: Taken | undefined): LiveShell {
  if (taken === undefined) return { ...shell, untold: true };
  return { ...shell, untold: true, before: taken.result.snapshot.id, edited: [] };
}

export function drop(context: ShellContext, session: SessionId): void {
  const live = readLive(context.home, session);
  if ((live?.shells ?? []).length === 0 && !live?.background) return;
  update(context, session, ({ shells: _, background: __, ...rest }) => rest);
}

/** Of a longer silence nobody can say anything. */
export function isRecent(
  { now }: ShellContext,
  background: LiveBackground,
): LiveBackground | undefined {
  return now() - background.at < longestSilence ? background : undefined;
}

/** There is a copy now of the checkpoint of the turn that runs. */
export function noteArchived(
  context: Pick<ShellContext, 'home'>,
  { session, head }: CaptureTarget,
): void {
  update(context, session, (live) =>
    live.turn?.seq === head.seq ? { ...live, turn: { ...live.turn, archived: true } } : live,
  );
}

export function update(
  { home }: Pick<ShellContext, 'home'>,
  session: SessionId,
  change: (live: LiveSession) => LiveSession,
): void {
  withSession(home, session, lockWait, () => {
    const live = readLive(home, session);
    if (live) writeLive(home, session, change(live));
  });
}
