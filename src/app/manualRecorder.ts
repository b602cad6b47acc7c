/** Records turns by hand, without an agent's hooks: the exported API of the extension, and tests. */
import { postImageFolder, spoolFolder } from '../base/home.ts';
import { addToSpool, spoolName } from '../base/spool.ts';
import type { CaptureTarget } from '../checkpoint/capture.ts';
import { captureThrough } from '../checkpoint/captureThrough.ts';
import {
  type LiveTurn,
  lockFile,
  readLive,
  withSession,
  writeLive,
} from '../checkpoint/liveSession.ts';
import { numbersOnDisk } from '../checkpoint/readSession.ts';
import { endCheckpoint } from '../checkpoint/seal.ts';
import type { AgentEvent } from '../core/agentEvent.ts';
import { UserError } from '../core/errors.ts';
import { asTurnId, type Root, type SessionId } from '../core/ids.ts';
import type { SpoolBody } from '../core/spoolEvent.ts';
import { headOf } from '../git/headOf.ts';
import type { IngestContext } from './ingest.ts';
import { nextTurn, type TurnStep } from './liveTurns.ts';
import type { SnapshotResult, TurnRecorder } from './timelineApp.ts';

const lockWait = 3_000;

export function manualRecorder(
  context: IngestContext,
  root: Root,
  session: SessionId,
  agent: string,
  takeIn: () => void,
): TurnRecorder {
  const { home, now } = context;
  const target = (turn: LiveTurn): CaptureTarget => ({
    root,
    session,
    lock: lockFile(home, session),
    head: { seq: turn.seq, label: turn.label, at: turn.at, agent, turn: turn.number },
  });
  const say = (body: SpoolBody) => {
    const id = spoolName(now());
    addToSpool(
      spoolFolder(home),
      id,
      JSON.stringify({ v: 1, id, at: now(), session, agent, root, ...body }),
    );
  };
  const seal = (turn: LiveTurn, end: 'stop' | 'nextPrompt', reply?: string) => {
    endCheckpoint(target(turn), postImageFolder(home, root), true);
    say({ kind: 'end', turn: turn.id, end, ...(reply !== undefined && { reply }) });
  };
  const step = (event: AgentEvent): TurnStep => {
    const done = withSession(home, session, lockWait, () => {
      const before = readLive(home, session);
      const onDisk = () => numbersOnDisk(root, session, before === undefined);
      const next = nextTurn(before, event, { root, now: now(), onDisk });
      if (next.live !== before) writeLive(home, session, next.live);
      return next;
    });
    if (!done)
      throw new UserError('locked', `The session ${session} is busy. Try again.`, { session });
    return done.value;
  };
  return {
    begin(prompt) {
      const { turn, opened, closed } = step({
        kind: 'prompt',
        session,
        agent,
        prompt,
        promptId: `${agent}-${spoolName(now())}`,
      });
      if (closed) seal(closed.turn, 'nextPrompt');
      if (!turn || !opened) throw new Error('a prompt with an id of its own always opens a turn');
      const head = headOf(root);
      say({
        kind: 'turn',
        turn: turn.id,
        seq: turn.seq,
        number: turn.number,
        prompt,
        ...(head && { head }),
      });
      takeIn();
      return { turn: asTurnId(turn.id), seq: turn.seq };
    },
    snapshot(path): SnapshotResult {
      const turn = readLive(home, session)?.turn;
      if (!turn?.open) return { saved: false, path, reason: 'No turn is open.' };
      const result = captureThrough(target(turn), path, root);
      if (result.saved) return { saved: true, path: result.key };
      const { reason } = result;
      say({
        kind: 'tool',
        turn: turn.id,
        tool: 'snapshot',
        toolClass: 'write',
        saved: [],
        unprotected: [{ path, reason }],
      });
      return { saved: false, path, reason };
    },
    end(reply) {
      const turn = readLive(home, session)?.turn;
      if (!turn?.open) return;
      step({ kind: 'turnEnd', session, agent, how: 'stop' });
      seal(turn, 'stop', reply);
      takeIn();
    },
  };
}
