/**
 * Which work of agents is looked at when a turn is decided: what the turn changed; what its session had left uncommitted
 * before; and what came late, from a subagent that went on after its turn was decided. The latter two join the commit, and
 * none of them is the user's.
 */
import type { SessionId, TurnId } from '../core/ids.ts';
import { compareStates } from '../core/state.ts';
import { leftoversOf } from '../project/leftovers.ts';
import { turnCommitOf } from '../project/turnCommits.ts';
import type { StoredTurn } from '../session/timelineStore.ts';
import type { AgentChange, ChangeReader } from './autoCommitChanges.ts';
import { type LateTurn, lateTurns, openTurns } from './autoCommitQueue.ts';
import type { AgentWork } from './autoCommitTurn.ts';
import type { OperationContext } from './operations.ts';

type Context = Pick<OperationContext, 'database'>;

/** What is known of agents' work in the root of a turn that is being decided. */
export function workOf(context: Context, turn: StoredTurn, reader: ChangeReader): AgentWork {
  const { root, id, session } = turn;
  const late = lateTurns(context.database, root);
  return {
    own: ownWork(context, turn, reader, late),
    others: [
      ...earlierWork(context, turn, reader, late, (each) => each !== session),
      ...openTurns(context.database, root).flatMap((open) =>
        open === id ? [] : (reader.of(open) ?? []),
      ),
    ],
  };
}

/** What the turn changed, on top of what its session had left where nobody came between; and the rest of that. */
export function ownWork(
  context: Context,
  turn: StoredTurn,
  reader: ChangeReader,
  late: readonly LateTurn[] = lateTurns(context.database, turn.root),
): readonly AgentChange[] {
  const left = earlierWork(context, turn, reader, late, (session) => session === turn.session);
  const byPath = new Map(left.map((change) => [change.path, change]));
  const now = (reader.of(turn.id) ?? []).map((change) => {
    const before = byPath.get(change.path);
    byPath.delete(change.path);
    // Decided before, and asked for again: what it left is what it changed.
    if (before?.turns.at(-1) === turn.id)
      return { ...change, ...beginningOf(before, before.turns) };
    const goesOn =
      before?.after !== undefined &&
      compareStates(before.after.state, change.before.state) === 'same';
    return goesOn ? { ...change, ...beginningOf(before, [...before.turns, turn.id]) } : change;
  });
  return [...now, ...byPath.values()];
}

function beginningOf(
  { before, committedIn }: AgentChange,
  turns: readonly TurnId[],
): Pick<AgentChange, 'before' | 'committedIn' | 'turns'> {
  return { before, turns, ...(committedIn !== undefined && { committedIn }) };
}

/** Of other turns that are decided: their leftovers, and what they changed since. One entry a path. */
function earlierWork(
  context: Context,
  { root, id }: StoredTurn,
  reader: ChangeReader,
  late: readonly LateTurn[],
  isOf: (session: SessionId) => boolean,
): readonly AgentChange[] {
  const left = leftoversOf(context.database, root).flatMap((each) =>
    isOf(each.session) ? (reader.leftover(each) ?? []) : [],
  );
  const known = new Set(left.map(({ path }) => path));
  const since = late
    .filter((turn) => turn.id !== id && isOf(turn.session))
    .flatMap((turn) => reader.of(turn.id) ?? [])
    .filter(({ path }) => !known.has(path))
    .map((change): AgentChange => ({ ...change, isLeftover: true }));
  return [...left, ...since].map((change) => sinceCommit(context, change));
}

/** Its first turn was committed with the path: what is there since then is what is left of it. */
function sinceCommit({ database }: Context, change: AgentChange): AgentChange {
  const [first] = change.turns;
  const decided = first === undefined ? undefined : turnCommitOf(database, first);
  if (decided === undefined || decided.commit === null || decided.revertedBy !== undefined)
    return change;
  return decided.paths.includes(change.path) ? { ...change, committedIn: decided.commit } : change;
}
