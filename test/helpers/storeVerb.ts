/** One act of a process of its own: `node storeVerb.ts HOME ROOT VERB`. VERB rewind (turn 1), redo, finish, rollBack or retain. */
import { openTimelineApp } from '../../src/app/openTimelineApp.ts';
import { asSessionId, type Root } from '../../src/core/ids.ts';

const [home = '', root = '', verb = ''] = process.argv.slice(2);
const session = asSessionId('session-1');

async function main(): Promise<void> {
  const app = openTimelineApp({
    home,
    now: Date.now,
    log: () => undefined,
    ...(verb === 'retain' && { retention: () => ({ maxBytes: 1, maxAgeDays: 0 }) }),
  });
  app.ingest();
  const [pending] = app.pending(root as Root);
  if (verb === 'rewind') {
    const [turn] = app.turns(session);
    if (turn) await app.rewind(turn.id);
  } else if (verb === 'redo') {
    const operation = app.redoable(root as Root, session);
    if (operation) await app.redo(operation.id);
  } else if (pending && (verb === 'finish' || verb === 'rollBack'))
    await app.recover(pending.operation, verb);
  app.dispose();
}

void main();
