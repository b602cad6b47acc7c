/** Whose turn a write to memory belongs to. Tools do not say, so it is the one that runs where they were called. */
import { isUserError } from '../core/errors.ts';
import { asSessionId, type Root } from '../core/ids.ts';
import type { MemoryOrigin } from '../core/memory.ts';
import { newestTurn, type RunningTurn, runningTurns } from '../session/runningTurns.ts';
import { ingest } from './ingest.ts';
import type { MemoryWriter } from './memoryUse.ts';
import type { OperationContext } from './operations.ts';

/** A person's write belongs to no turn. Where several agents work in a folder, the writer's name decides, then the time. */
export function memoryOrigin(
  context: OperationContext,
  root: Root | null,
  { actor, agent, session }: MemoryWriter,
): MemoryOrigin {
  if (actor === 'person') return { actor };
  takeInWhatIsKnown(context);
  const turn = turnFor(context, root, agent, session);
  const name = turn?.agent ?? agent;
  const of = turn?.session ?? (session === undefined ? undefined : asSessionId(session));
  return {
    actor,
    ...(name !== undefined && { agent: name }),
    ...(of !== undefined && { session: of }),
    ...(turn !== undefined && { turn: turn.id }),
  };
}

function turnFor(
  { database }: OperationContext,
  root: Root | null,
  agent: string | undefined,
  session: string | undefined,
): RunningTurn | undefined {
  const own = session === undefined ? undefined : newestTurn(database, asSessionId(session));
  if (own !== undefined || root === null) return own;
  const running = runningTurns(database, root);
  return running.find((turn) => turn.agent === agent) ?? running[0];
}

/** The prompt of the running turn may be in the spool still. A busy database has to do without it. */
function takeInWhatIsKnown(context: OperationContext): void {
  try {
    ingest(context);
  } catch (error) {
    if (!isUserError(error, 'locked')) throw error;
  }
}
