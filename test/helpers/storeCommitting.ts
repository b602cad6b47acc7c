/**
 * A process that makes the commits that are due: `node storeCommitting.ts HOME [AT [SESSION ROOT FILE]]`. It kills itself at
 * the place AT ('' for none). With a session it records a turn of it first, which changes FILE.
 */
import fs from 'node:fs';
import path from 'node:path';
import { openTimelineApp } from '../../src/app/openTimelineApp.ts';
import { asSessionId, type Root } from '../../src/core/ids.ts';

const [home = '', at = '', session = '', root = '', file = ''] = process.argv.slice(2);
const app = openTimelineApp({
  home,
  now: Date.now,
  log: () => undefined,
  environment: { PATH: process.env['PATH'], HOME: home },
  probe: (place) => {
    if (place === at) process.kill(process.pid, 'SIGKILL');
  },
});

/** In a function, since the bundle of this file is no module. */
async function main(): Promise<void> {
  if (session !== '') {
    const recorder = app.recorder(root as Root, asSessionId(session), 'claude');
    recorder.begin(`Work of ${session}`);
    recorder.snapshot(file);
    fs.writeFileSync(path.join(root, file), `${session}\n`);
    recorder.end();
  }
  app.ingest();
  await app.idle();
  app.dispose();
}

void main();
