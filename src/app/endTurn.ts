/** What is done when a turn ends, or its end is noticed: commands accounted for, the checkpoint sealed and copied. */
import { postImageFolder } from '../base/home.ts';
import type { CaptureTarget } from '../checkpoint/capture.ts';
import { type LiveTurn, readLive } from '../checkpoint/liveSession.ts';
import { messageOf } from '../core/errors.ts';
import type { Root, SessionId } from '../core/ids.ts';
import type { SpoolBody } from '../core/spoolEvent.ts';
import type { TurnEnd } from '../core/timeline.ts';
import { type RecordContext, shellContext, targetOf } from './recordContext.ts';
import type { Captured } from './shellRecord.ts';
import type { Snapshots } from './snapshots.ts';

export interface TheEnd {
  readonly how: TurnEnd;
  readonly reply?: string;
  readonly running?: number;
}

export async function endTurn(
  context: RecordContext,
  root: Root,
  session: SessionId,
  turn: LiveTurn,
  { how, reply, running }: TheEnd,
  say: (body: SpoolBody) => void,
): Promise<void> {
  const { endCheckpoint } = await import('../checkpoint/seal.ts');
  const isTold = how === 'stop' || how === 'interrupt' || how === 'failed';
  const target = targetOf(context, root, session, turn);
  const captured = await endOfCommands(context, target, how, running);
  if (captured) say({ kind: 'captured', turn: turn.id, isAll: true, ...captured });
  const { hasCheckpoint, bringBack } = await import('./archiveCheckpoint.ts');
  if (turn.archived && !hasCheckpoint(target))
    await withSnapshots(context, target, (snapshots) => bringBack(context, snapshots, target));
  const hadCheckpoint = hasCheckpoint(target);
  try {
    const done = endCheckpoint(target, postImageFolder(context.home, root), isTold);
    if (!done) context.log(`Turn ${turn.number} was not sealed: the session was locked.`);
  } catch (error) {
    // What the event is about comes after this, and must come.
    context.log(`Turn ${turn.number} was not sealed: ${messageOf(error)}`);
  }
  say({ kind: 'end', turn: turn.id, end: how, ...(reply !== undefined && { reply }) });
  if (hadCheckpoint) await archive(context, target, turn);
}

/** What commands did whose end was not told, or that go on. */
async function endOfCommands(
  context: RecordContext,
  target: CaptureTarget,
  how: TurnEnd,
  running: number | undefined,
): Promise<Captured | undefined> {
  const shell = shellContext(context);
  const live = readLive(context.home, target.session);
  if (!shell || ((live?.shells ?? []).length === 0 && !live?.background)) return undefined;
  const { atTurnEnd } = await import('./shellCapture.ts');
  return atTurnEnd(shell, target.session, target, how, running);
}

/** What a command in the background did since its turn ended, before another turn begins. */
export async function sinceTheEnd(
  context: RecordContext,
  session: SessionId,
  say: (root: Root, body: SpoolBody) => void,
): Promise<void> {
  const before = readLive(context.home, session);
  if (!before?.background || !before.turn || before.turn.open) return;
  const root = before.root as Root;
  const target = targetOf(context, root, session, before.turn);
  const captured = await endOfCommands(context, target, 'nextPrompt', undefined);
  if (captured)
    say(root, {
      kind: 'captured',
      turn: before.turn.id,
      isAll: true,
      ...captured,
    });
}

/** A copy of the ended checkpoint outside of the folder; an earlier copy of one that holds nothing now goes. */
async function archive(
  context: RecordContext,
  target: CaptureTarget,
  turn: LiveTurn,
): Promise<void> {
  const { hasCheckpoint, archiveCheckpoint, dropCopy } = await import('./archiveCheckpoint.ts');
  const isThere = hasCheckpoint(target);
  if (!(isThere || turn.archived)) return;
  await withSnapshots(context, target, async (snapshots) => {
    if (!isThere) await dropCopy(context, snapshots, target);
    const isCopied = isThere && (await archiveCheckpoint(context, snapshots, target));
    if (isCopied || !isThere) await noteArchived(context, target.session, turn, isCopied);
  });
}

/** What comes after the end may leave no change at all: then the copy must be known of, to go with the checkpoint. */
async function noteArchived(
  context: RecordContext,
  session: SessionId,
  { id, archived }: LiveTurn,
  isArchived: boolean,
): Promise<void> {
  if ((archived === true) === isArchived) return;
  const { update } = await import('./shellState.ts');
  update(context, session, (live) => {
    if (live.turn?.id !== id) return live;
    const { archived: _, ...turn } = live.turn;
    return { ...live, turn: isArchived ? { ...turn, archived: true } : turn };
  });
}

/** Nothing where there are none. Never throws: what is done with them here can be made up for. */
async function withSnapshots(
  { snapshots: open, log }: RecordContext,
  { root, head }: CaptureTarget,
  work: (snapshots: Snapshots) => Promise<unknown>,
): Promise<void> {
  if (!open) return;
  try {
    const snapshots = await open(root);
    await work(snapshots).finally(() => snapshots.close());
  } catch (error) {
    log(`Checkpoint ${head.seq} was not archived: ${messageOf(error)}`);
  }
}
