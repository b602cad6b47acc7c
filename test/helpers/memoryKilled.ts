/**
 * Run as a program: rewinds to before a turn and takes memory back, and is killed at a place.
 * `memoryKilled.ts HOME TURN PLACE COUNT`: when the place is met for the COUNT-th time.
 */
import { openTimelineApp } from '../../src/app/openTimelineApp.ts';
import { asTurnId } from '../../src/core/ids.ts';

const [home = '', turn = '', place = '', count = ''] = process.argv.slice(2);
let left = Number(count);
const app = openTimelineApp({
  home,
  now: Date.now,
  log: () => undefined,
  probe(at) {
    if (at === place && --left === 0) process.kill(process.pid, 'SIGKILL');
  },
});
await app.rewind(asTurnId(turn), { memory: 'take-back' });
