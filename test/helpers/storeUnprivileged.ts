/** Rewinds to before turn 1 as a user without rights: `node storeUnprivileged.ts HOME ROOT UID`. Prints what came of it. */
import { openTimelineApp } from '../../src/app/openTimelineApp.ts';
import { isUserError } from '../../src/core/errors.ts';
import { asSessionId } from '../../src/core/ids.ts';

const [home = '', , uid = ''] = process.argv.slice(2);
if (process.getuid?.() === 0) {
  process.setgid?.(Number(uid));
  process.setuid?.(Number(uid));
}
const app = openTimelineApp({ home, now: Date.now, log: () => undefined });
app.ingest();
const turn = app.turns(asSessionId('session-1'))[0];
try {
  if (turn) await app.rewind(turn.id);
  console.log('done');
} catch (error) {
  if (!isUserError(error)) throw error;
  console.log(`${error.code} ${error.message}`);
}
app.dispose();
