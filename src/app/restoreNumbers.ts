/**
 * Gives hooks back what they must know of a session when its live state was lost: the database remembers turns that left
 * no trace on disk, and no number is given out twice (spec/checkpoints A.3.8).
 */
import { readLive, withSession, writeLive } from '../checkpoint/liveSession.ts';
import { asSessionId } from '../core/ids.ts';
import type { IngestContext } from './ingest.ts';

/** Older sessions do not come back, and looking at each one's file would cost every start. */
const recent = 30 * 24 * 3_600_000;
const lockWait = 200;

/** Cheap: one small file a recent session. A session that is busy right now has its state. */
export function restoreNumbers({ home, database, now }: IngestContext): void {
  const rows = database
    .prepare(
      `SELECT s.id, s.agent, s.root, max(t.seq) AS seq, max(t.number) AS number
       FROM sessions s JOIN turns t ON t.session = s.id
       WHERE s.updated_at > ? AND s.agent <> 'memcode' GROUP BY s.id`,
    )
    .all(now() - recent);
  for (const row of rows) {
    const session = asSessionId(String(row['id']));
    if (readLive(home, session)) continue;
    withSession(home, session, lockWait, () => {
      if (readLive(home, session)) return;
      writeLive(home, session, {
        format: 1,
        session,
        agent: String(row['agent']),
        root: String(row['root']),
        highWater: Number(row['seq']),
        turns: Number(row['number']),
        turn: null,
      });
    });
  }
}
