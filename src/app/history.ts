/** Looking at sessions' histories: branches, where a person looks, search. Changes no message and no file. */
import { UserError } from '../core/errors.ts';
import type { HistoryTurn, Position } from '../core/history.ts';
import { asTurnId, type SessionId, type TurnId } from '../core/ids.ts';
import { cursorOf, dropCursor, setCursor } from '../session/cursorStore.ts';
import { type Database, inTransaction } from '../session/database.ts';
import {
  branchesOf,
  type Conversation,
  conversationOf,
  historyTurns,
  turnIdsOn,
} from '../session/historyStore.ts';
import { nodesOfTurn } from '../session/nodeStore.ts';
import { searchNodes } from '../session/searchNodes.ts';
import { statement } from '../session/statements.ts';
import { exportSession } from './historyExport.ts';
import type { HistoryKeeper } from './historyKeeper.ts';
import type { ImportContext } from './importSessions.ts';
import type { SessionHistory } from './sessionHistory.ts';

type Looking = Pick<
  SessionHistory,
  | 'turns'
  | 'branch'
  | 'branches'
  | 'nodes'
  | 'position'
  | 'step'
  | 'goTo'
  | 'switchTo'
  | 'search'
  | 'export'
>;

/** @param keeper writes what is new, and the mirrors */
export function historyOf(context: ImportContext, keeper: HistoryKeeper): SessionHistory {
  return {
    ...lookingAt(context.database),
    complete: () => keeper.record(),
    mirrorState: (session) => keeper.state(session),
    mirrorsBehind: () => keeper.behind(),
    syncMirrors: (options) => keeper.sync(options),
    setRemote: (session, remote) => keeper.setRemote(session, remote),
    importSessions: async (options) =>
      (await import('./importSessions.ts')).importSessions(context, options),
  };
}

function lookingAt(database: Database): Looking {
  const conversation = (session: SessionId): Conversation => {
    if (statement(database, 'SELECT 1 FROM sessions WHERE id = ?').get(session))
      return conversationOf(database, session);
    throw new UserError('notFound', `There is no session ${session}.`, { session });
  };
  const turns = (session: SessionId) => historyTurns(database, session, conversation(session));
  const position = (session: SessionId) => positionIn(database, session, conversation(session));
  const look = (session: SessionId, all: Conversation, turn: string | null, branch: string) => {
    inTransaction(database, () => {
      if (branch === all.current && turn === (all.layout.tips.get(branch) ?? null))
        dropCursor(database, session);
      else setCursor(database, session, { turn, branch });
    });
    return positionIn(database, session, all);
  };
  return {
    turns,
    branch(session, name) {
      const all = conversation(session);
      const wanted = name ?? positionIn(database, session, all).branch;
      if (name !== undefined && !all.layout.tips.has(wanted)) throw noBranch(session, wanted);
      const byId = new Map(historyTurns(database, session, all).map((turn) => [turn.id, turn]));
      return turnIdsOn(all, wanted).flatMap((id): readonly HistoryTurn[] => {
        const turn = byId.get(asTurnId(id));
        return turn ? [turn] : [];
      });
    },
    branches: (session) => branchesOf(conversation(session)),
    nodes: (turn) => nodesOfTurn(database, turn),
    position,
    step(session, step) {
      const all = conversation(session);
      const now = positionIn(database, session, all);
      if (step === 'latest')
        return look(session, all, all.layout.tips.get(all.current) ?? null, all.current);
      const path = turnIdsOn(all, now.branch);
      const index = Math.max(0, Math.min(path.length, now.index + (step === 'prev' ? -1 : 1)));
      return look(session, all, path[index - 1] ?? null, now.branch);
    },
    goTo(session, turn) {
      const all = conversation(session);
      const { branch } = positionIn(database, session, all);
      if (turn === null) return look(session, all, null, branch);
      const own = all.layout.branchOf.get(turn);
      if (own === undefined)
        throw new UserError('notFound', `Session ${session} has no turn ${turn}.`, { turn });
      // Looking back along the branch one is on does not leave it.
      const isOnIt = turnIdsOn(all, branch).includes(turn);
      return look(session, all, turn, isOnIt ? branch : own);
    },
    switchTo(session, branch) {
      const all = conversation(session);
      const tip = all.layout.tips.get(branch);
      if (tip === undefined) throw noBranch(session, branch);
      return look(session, all, tip, branch);
    },
    search: (query) => searchNodes(database, query),
    export: (session, format) => exportSession(database, session, turns(session), format),
  };
}

function positionIn(database: Database, session: SessionId, all: Conversation): Position {
  const cursor = cursorOf(database, session);
  // A branch is named by its first turn: it is there as long as that turn is.
  const branch = cursor && all.layout.tips.has(cursor.branch) ? cursor.branch : all.current;
  const path = turnIdsOn(all, branch);
  const tip: TurnId | null = path.length === 0 ? null : asTurnId(path.at(-1) ?? '');
  const isKnown = cursor && (cursor.turn === null || path.includes(cursor.turn));
  const turn = isKnown ? (cursor.turn === null ? null : asTurnId(cursor.turn)) : tip;
  return {
    session,
    branch,
    turn,
    index: turn === null ? 0 : path.indexOf(turn) + 1,
    count: path.length,
    isLatest: branch === all.current && turn === tip,
  };
}

function noBranch(session: SessionId, branch: string): UserError {
  return new UserError('notFound', `Session ${session} has no branch ${branch}.`, {
    session,
    branch,
  });
}
