/**
 * A process that dies in the middle: rewinds, takes back or recovers, and kills itself at the n-th place where a crash
 * would matter, or at the place of that name. `node storeKilled.ts HOME ROOT VERB WHAT N`: VERB rewind (WHAT: turn
 * number), snapshot (WHAT: id of the one to go back to), redo, finish or rollBack.
 */
import { openTimelineApp } from '../../src/app/openTimelineApp.ts';
import { asSessionId, type Root } from '../../src/core/ids.ts';

const [home = '', root = '', verb = '', what = '', n = ''] = process.argv.slice(2);
let count = 0;
const app = openTimelineApp({
  home,
  now: Date.now,
  log: () => undefined,
  probe: (at) => {
    if (++count === Number(n) || at === n) process.kill(process.pid, 'SIGKILL');
  },
});

/** In a function, since the bundle of this file is no module. */
async function main(): Promise<void> {
  app.ingest();
  const session = asSessionId('session-1');
  if (verb === 'rewind') {
    const turn = app.turns(session).find(({ number }) => number === Number(what));
    if (turn) await app.rewind(turn.id);
  } else if (verb === 'snapshot') {
    await app.snapshots(root as Root).restore(what);
  } else if (verb === 'redo') {
    const operation = app.redoable(root as Root, session);
    if (operation) await app.redo(operation.id);
  } else {
    const [pending] = app.pending(root as Root);
    if (pending) await app.recover(pending.operation, verb === 'finish' ? 'finish' : 'rollBack');
  }
  app.dispose();
}

void main();
