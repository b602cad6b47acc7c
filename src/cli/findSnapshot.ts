/** Which snapshot a person means: by its id, or by the label they gave it. */
import type { SnapshotUse } from '../app/timelineApp.ts';
import { UserError } from '../core/errors.ts';

/**
 * The id of the one snapshot taken by hand that bears this label; anything else is handed on as it is, to be looked up
 * as an id. @throws UserError `usage` naming the ids when several fit.
 */
export async function findSnapshot(
  use: Pick<SnapshotUse, 'list'>,
  wanted: string,
): Promise<string> {
  const all = await use.list();
  const called = all.filter(({ reason, label }) => reason === 'person' && label === wanted.trim());
  if (called.length === 0) return wanted;
  const isId = /^[0-9a-f]{4,40}$/.test(wanted);
  const numbered = isId ? all.filter(({ id }) => id.startsWith(wanted)) : [];
  const ids = [...new Set([...called, ...numbered].map(({ id }) => id))];
  const [only] = ids;
  if (only !== undefined && ids.length === 1) return only;
  throw new UserError(
    'usage',
    `Several snapshots fit ${wanted}: ${ids.map((id) => id.slice(0, 8)).join(', ')}. Name one by its id.`,
    { snapshot: wanted, matches: ids },
  );
}
