/** A process that reverts what can be reverted: `node storeReverting.ts HOME ROOT AT`. It kills itself at the place AT. */
import { openTimelineApp } from '../../src/app/openTimelineApp.ts';
import type { Root } from '../../src/core/ids.ts';

const [home = '', root = '', at = ''] = process.argv.slice(2);
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
  const commits = await app.projects.revertable(root as Root);
  await app.projects.revertCommits(
    root as Root,
    commits.map(({ turn }) => turn),
  );
  app.dispose();
}

void main();
