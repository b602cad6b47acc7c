/**
 * Mirrors of 10,000 turns written in one go, against one `git add` and `git commit` a turn through simple-git with the same
 * files, 200 turns of it in the same run.
 */
import fs from 'node:fs';
import path from 'node:path';
import { simpleGit } from 'simple-git';
import { historyKeeper } from '../../../src/app/historyKeeper.ts';
import { folderSize } from '../../../src/base/folderSize.ts';
import { messageBytes, messageFile } from '../../../src/session/mirror/mirrorFiles.ts';
import { nodesOfTurn } from '../../../src/session/nodeStore.ts';
import type { Bar } from '../bar.ts';
import { fill, SessionsWorld } from './world.ts';

const sessions = 50;
const turns = 200;

export async function backfill(): Promise<Bar> {
  using world = new SessionsWorld();
  const database = world.database();
  fill(world, database, sessions, turns);
  const context = {
    home: world.home,
    database,
    now: Date.now,
    log: (_: string, text: string) => console.error(text),
    environment: process.env,
  };
  const keeper = historyKeeper(context);
  // Half of theirs before ours and half after: what else the machine does meets both.
  const folder = path.join(world.folder, 'peer');
  fs.mkdirSync(path.join(folder, 'messages'), { recursive: true });
  const git = simpleGit(folder);
  await git.init();
  await git.addConfig('user.name', 'bench');
  await git.addConfig('user.email', 'bench@memcode.invalid');
  const peer = async (from: number, to: number) => {
    const began = performance.now();
    for (let seq = from; seq < to; seq++) {
      for (const node of nodesOfTurn(database, `session-0#${seq}`))
        fs.writeFileSync(path.join(folder, 'messages', messageFile(node)), messageBytes(node));
      await git.add('.');
      await git.commit(`turn ${seq}`);
    }
    return performance.now() - began;
  };
  let theirs = await peer(1, 1 + turns / 2);
  const began = performance.now();
  const report = await keeper.sync();
  const ours = performance.now() - began;
  theirs += await peer(1 + turns / 2, 1 + turns);
  const size = folderSize(path.join(world.home, 'sessions'));
  keeper.stop();
  database.close();
  const count = sessions * turns;
  if (report.commits !== count) throw new Error(`Only ${report.commits} commits were made.`);
  return {
    name: 'sessions.backfillPerSimpleGit',
    measured: ours / count / (theirs / turns),
    limit: 0.01,
    notes: [
      `${count} turns: ours ${(ours / 1000).toFixed(1)} s in all, ${(ours / count).toFixed(2)} ms a turn, files of such old sessions stay in the repository`,
      `simple-git ${(theirs / turns).toFixed(1)} ms a turn, ${turns} turns`,
      `${sessions} repositories, ${(size / 1e6).toFixed(0)} MB`,
    ],
  };
}
