/** The turns that agents are in just now. */
import { asSessionId, asTurnId, type Root, type SessionId, type TurnId } from '../core/ids.ts';
import type { Database } from './database.ts';
import { statement } from './statements.ts';

export interface RunningTurn {
  readonly id: TurnId;
  readonly session: SessionId;
  readonly agent: string;
}

/** Of a root, the one heard of last first. */
export function runningTurns(database: Database, root: Root): readonly RunningTurn[] {
  return statement(
    database,
    "SELECT id, session, agent FROM turns WHERE ending = 'running' AND root = ? ORDER BY last_at DESC, rowid DESC",
  )
    .all(root)
    .map(turnOf);
}

/** The newest turn of a session, whether it runs or not: what comes late belongs to it. */
export function newestTurn(database: Database, session: SessionId): RunningTurn | undefined {
  const row = statement(
    database,
    'SELECT id, session, agent FROM turns WHERE session = ? AND imported_at IS NULL ORDER BY seq DESC LIMIT 1',
  ).get(session);
  return row && turnOf(row);
}

function turnOf(row: Readonly<Record<string, unknown>>): RunningTurn {
  return {
    id: asTurnId(String(row['id'])),
    session: asSessionId(String(row['session'])),
    agent: String(row['agent']),
  };
}
