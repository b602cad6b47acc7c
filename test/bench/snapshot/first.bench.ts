/** The first snapshot: of a git project against `git status` in it, of a plain folder against its first `git add -A`. */
import fs from 'node:fs';
import path from 'node:path';
import type { Bar } from '../bar.ts';
import { interleave, median, spread } from '../interleave.ts';
import { elapsed, elapsedAsync, meta, worldOf } from './world.ts';

export const first10k = () => measure(10_000);
export const first100k = () => measure(100_000);

async function measure(size: number): Promise<readonly Bar[]> {
  const bars: Bar[] = [];
  const world = worldOf(size);
  world.git('status');
  const times = await interleave(5, {
    status: () => elapsed(() => world.git('status', '--porcelain')),
    first: async () => {
      const store = world.openStore();
      // The extension starts its threads when it starts.
      await store.warmUp();
      const took = await elapsedAsync(() => store.create(meta));
      await store.close();
      return took;
    },
  });
  bars.push({
    name: `snapshot.firstOfGitPerStatus.${size}`,
    measured: median(times.first) / median(times.status),
    limit: 2,
    notes: Object.entries(times).map(([name, samples]) => spread(name, samples)),
  });
  const aside = path.join(world.folder, 'git-aside');
  fs.renameSync(world.path('.git'), aside);
  const store = world.openStore();
  const plain = await elapsedAsync(() => store.create(meta));
  await store.close();
  fs.renameSync(aside, world.path('.git'));
  bars.push({
    name: `snapshot.firstOfPlainPerAdd.${size}`,
    measured: plain / world.firstAdd,
    limit: 0.45,
    notes: [`ours ${plain.toFixed(0)} ms, git ${world.firstAdd.toFixed(0)} ms, one run each`],
  });
  return bars;
}
