/** What recording an event needs from whoever runs it, and the checkpoint it is about. */
import type { CaptureTarget } from '../checkpoint/capture.ts';
import { type LiveTurn, lockFile } from '../checkpoint/liveSession.ts';
import type { Root, SessionId } from '../core/ids.ts';
import type { ShellContext } from './shellRecord.ts';
import type { Snapshots } from './snapshots.ts';

export interface RecordContext {
  /** Our home store. */
  readonly home: string;
  /** The user's home folder: never a root by accident. */
  readonly userHome: string;
  /** Working directory to assume when the payload names none. */
  readonly cwd: string;
  readonly now: () => number;
  readonly log: (text: string) => void;
  /** Has something done right after the agent has its answer, in turn. Missing where nobody is there by then. */
  readonly afterwards?: (work: () => void) => void;
  /**
   * Snapshots of a root, to be closed by the caller; missing where there are none. Called for shell commands and at the
   * end of turns only. @throws UserError when this root can have none.
   */
  readonly snapshots?: (root: Root) => Promise<Snapshots>;
}

/** Undefined where there are no snapshots. */
export function shellContext(context: RecordContext): ShellContext | undefined {
  const { snapshots } = context;
  return snapshots && { ...context, snapshots };
}

export function targetOf(
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
