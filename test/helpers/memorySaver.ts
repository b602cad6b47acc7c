/**
 * Run as a program: saves notes and facts one after the other. `memorySaver.ts HOME ROOT NAME COUNT [KILLED]`: killed when
 * the write of that number is recorded and its file not changed yet.
 */
import { openTimelineApp } from '../../src/app/openTimelineApp.ts';
import type { Root } from '../../src/core/ids.ts';

const [home = '', root = '', name = '', count = '', killed = ''] = process.argv.slice(2);
let written = 0;
const app = openTimelineApp({
  home,
  now: Date.now,
  log: () => undefined,
  probe(at) {
    if (at === 'memory' && ++written === Number(killed)) process.kill(process.pid, 'SIGKILL');
  },
});
const memory = await app.memory();
const writer = { actor: 'person', insists: true } as const;
for (let n = 1; n <= Number(count); n++) {
  const note = {
    act: 'remember',
    scope: 'global',
    name: `${name} ${n}`,
    body: `Text ${n}`,
  } as const;
  await memory.write(root as Root, note, writer);
  if (n % 10 !== 0) continue;
  const fact = { act: 'setFact', scope: 'profile', key: `${name}_${n}`, value: 'x' } as const;
  await memory.write(root as Root, fact, writer);
}
app.dispose();
