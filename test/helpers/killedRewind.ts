/**
 * Run as a program: rewinds to before the turn with a number, and is killed when all files are changed and nothing is
 * recorded yet. `killedRewind.ts HOME FOLDER NUMBER`
 */
import { openTimelineApp } from '../../src/app/openTimelineApp.ts';

const [home = '', folder = '', number] = process.argv.slice(2);
const app = openTimelineApp({
  home,
  now: Date.now,
  log: () => undefined,
  probe(at) {
    if (at === 'move') process.kill(process.pid, 'SIGKILL');
  },
});
app.ingest();
const turn = app
  .sessions(app.rootOf(folder))
  .flatMap(({ id }) => app.turns(id))
  .find((one) => one.number === Number(number));
if (turn === undefined) throw new Error(`There is no turn ${number} in ${folder}.`);
await app.rewind(turn.id);
