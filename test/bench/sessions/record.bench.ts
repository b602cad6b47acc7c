/** A turn of six messages into the DAG, and how long its mirror takes to follow in a host that lives. */
import { openTimelineApp } from '../../../src/app/openTimelineApp.ts';
import { asSessionId } from '../../../src/core/ids.ts';
import { inTransaction } from '../../../src/session/database.ts';
import type { Bar } from '../bar.ts';
import { median, spread, timed } from '../interleave.ts';
import { addSession, addTurn, fill, recordTurn, SessionsWorld, turnTexts } from './world.ts';

const rounds = 300;
const live = 15;

export async function record(): Promise<readonly Bar[]> {
  using world = new SessionsWorld();
  const database = world.database();
  fill(world, database, 5, 200);
  addSession(database, 'measured', world.root);
  const times: number[] = [];
  for (let seq = 1; seq <= rounds; seq++) {
    addTurn(world, database, 'measured', seq);
    const texts = turnTexts(world);
    times.push(
      timed(() =>
        inTransaction(database, () => recordTurn(world, database, 'measured', seq, texts)),
      ),
    );
  }
  const follow = await mirrorFollows(world);
  database.close();
  return [
    {
      name: 'sessions.recordTurnMs',
      measured: median(times),
      limit: 5,
      notes: [`${spread('one transaction, words for searching included', times)}`],
    },
    {
      name: 'sessions.mirrorFollowsMs',
      measured: median(follow),
      limit: 1000,
      notes: [spread('with the waiting that lets others go first', follow)],
    },
  ];
}

/** Turns end one by one, as the recorder of the exported API has it. */
async function mirrorFollows(world: SessionsWorld): Promise<number[]> {
  const app = openTimelineApp({
    home: world.home,
    userHome: world.userHome,
    now: Date.now,
    log: () => undefined,
    environment: process.env,
  });
  await app.history.syncMirrors();
  const session = asSessionId('live');
  const root = app.rootOf(world.root);
  const waiters = new Set<() => void>();
  const subscription = app.onDidChange(() => {
    for (const waiter of [...waiters]) waiter();
  });
  const recorder = app.recorder(root, session, 'claude');
  const times: number[] = [];
  // Nothing in the app keeps a process alive.
  const alive = setInterval(() => undefined, 1000);
  for (let i = 0; i < live; i++) {
    const { turn } = recorder.begin(world.text(200));
    const began = performance.now();
    recorder.end(world.text(600));
    await new Promise<void>((resolve) => {
      const look = () => {
        if (!app.history.turns(session).some(({ id, commit }) => id === turn && commit !== null))
          return;
        waiters.delete(look);
        resolve();
      };
      waiters.add(look);
      look();
    });
    times.push(performance.now() - began);
  }
  clearInterval(alive);
  subscription.dispose();
  app.dispose();
  return times;
}
