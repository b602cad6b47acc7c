/**
 * A process of its own that works on a history: `mirror` or `import`, with the home store and the user's home. Dies at the
 * n-th step where a crash would matter; without n it works to the end.
 */
import { openTimelineApp } from '../../src/app/openTimelineApp.ts';

const [what, home = '', userHome = '', dieAt = '0'] = process.argv.slice(2);
let steps = 0;
const step = () => {
  if (++steps === Number(dieAt)) process.kill(process.pid, 'SIGKILL');
};
const app = openTimelineApp({
  home,
  userHome,
  now: Date.now,
  log: () => undefined,
  environment: { PATH: process.env['PATH'] },
  probe: step,
});
app.ingest();
if (what === 'import') await app.history.importSessions({ progress: step });
else {
  const { failures } = await app.history.syncMirrors();
  for (const { reason } of failures) console.error(reason);
}
app.dispose();
