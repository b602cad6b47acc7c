/** One look at the tree around a command, and what became of the changes since an earlier one. */
import type { CaptureTarget } from '../checkpoint/capture.ts';
import type { LiveShell } from '../checkpoint/liveSession.ts';
import { type CommandCourse, recordCommand } from '../checkpoint/recordCommand.ts';
import { isUserError, messageOf } from '../core/errors.ts';
import type { Root, SessionId } from '../core/ids.ts';
import type { Unprotected } from '../core/spoolEvent.ts';
import type { CreateResult, SnapshotMeta } from '../snapshot/snapshotTypes.ts';
import { archiveCheckpoint } from './archiveCheckpoint.ts';
import { discard, type FoundChanges, findChanges } from './shellChanges.ts';
import { claimsSince } from './shellClaims.ts';
import { changedLarge, newLarge } from './shellLarge.ts';
import { noteArchived } from './shellState.ts';
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

/** Milliseconds for a snapshot; agents give a hook ten seconds, and three at the end of a session. */
export const snapshotWait = 5_000;
export const snapshotWaitAtEnd = 1_500;
/** Milliseconds for a snapshot and everything after it. */
const recordWait = 8_000;
const recordWaitAtEnd = 2_500;

export function failed(failure = 'Nothing was saved before it.'): Captured {
  return { failure, unprotected: [] };
}

export interface Taken {
  readonly result: CreateResult;
  /** Milliseconds since 1970: before it was taken. */
  readonly at: number;
  /** As `performance.now()` has it: when the hook must be done. */
  readonly deadline: number;
}

export interface Base {
  readonly id: string;
  readonly at: number;
  readonly large: LiveShell['large'];
  readonly others: LiveShell['others'];
}

export async function take(
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

const alone = { isEdited: () => false, rows: Number.MAX_SAFE_INTEGER };

/** What is recorded, and on what grounds. */
interface How {
  readonly base: Base;
  readonly taken: Taken;
  readonly isUncertain: boolean;
  /** Default: nothing ran at the same time. */
  readonly course?: Omit<CommandCourse, 'since'>;
}

export async function record(
  context: ShellContext,
  snapshots: Snapshots,
  target: CaptureTarget,
  { base, taken, isUncertain, course = alone }: How,
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
  const isHeld = found.changes.some(({ blob, leftBlob }) => (blob ?? leftBlob) !== undefined);
  // What stays in the store is on the disk before a row relies on it, and held there from then on.
  if (isHeld) await snapshots.settle();
  try {
    const marked = files.map((one) => (isUncertain ? { ...one, mark: 'uncertain' as const } : one));
    if (!recordCommand(target, [...found.changes, ...marked], { ...course, since: base.at }))
      return failed('The session was locked for too long.');
  } finally {
    discard(found.changes);
  }
  if (isHeld && (await archiveCheckpoint(context, snapshots, target)))
    noteArchived(context, target);
  return { unprotected: [...found.unprotected, ...large] };
}

export async function withSnapshots(
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
export function whyNot(context: ShellContext, error: unknown): string {
  if (isUserError(error, 'late') && 'within' in error.data)
    return 'The snapshot of the folder was not ready in time; the first one takes longest.';
  context.log(`No snapshot: ${messageOf(error)}`);
  return isUserError(error) ? error.message : 'The snapshot of the folder failed.';
}
