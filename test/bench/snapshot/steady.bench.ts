/**
 * A snapshot after some files changed, against `git status`, a shadow repository through simple-git (`add -A`, commit)
 * and `git add .` with `write-tree`, all of the same files in the same round. Once by the helper process, whose watcher is
 * current, with what asking it takes; once with everything checked.
 */
import type { Bar } from '../bar.ts';
import { interleave, median, spread } from '../interleave.ts';
import { elapsed, elapsedAsync, meta, worldOf } from './world.ts';

const rounds = 7;

export const steady10k = () => each(10_000);
export const steady100k = () => each(100_000);

async function each(size: number): Promise<readonly Bar[]> {
  const bars: Bar[] = [];
  for (const changed of [0, 1, 10, 1000]) bars.push(...(await measure(size, changed)));
  return bars;
}

async function measure(size: number, count: number): Promise<readonly Bar[]> {
  const world = worldOf(size);
  const known = world.openClient();
  const everything = world.openStore();
  const simple = world.simple('b');
  await world.warm(known);
  await everything.create(meta);
  let calls = 0;
  /** Who comes first in a round finds the files changed; the others find the same. */
  const turn = () => {
    if (calls++ % 5 === 0) world.edit(count);
  };
  const times = await interleave(rounds, {
    status: () => {
      turn();
      return elapsed(() => world.git('status', '--porcelain'));
    },
    shadow: () => {
      turn();
      return elapsedAsync(async () => {
        await simple.raw(['add', '-A']);
        await simple.commit('snapshot', { '--allow-empty': null, '--no-verify': null });
      });
    },
    addAll: () => {
      turn();
      return elapsed(() => {
        world.shadowGit('a', 'add', '.');
        world.shadowGit('a', 'write-tree');
      });
    },
    known: () => {
      turn();
      return elapsedAsync(async () => {
        const { checked } = await known.create(meta);
        if (checked !== 'changes') throw new Error('The watcher is not current.');
      });
    },
    checked: () => {
      turn();
      return elapsedAsync(() => everything.create(meta));
    },
  });
  await known.close();
  world.close();
  await everything.close();
  world.git('checkout', '-q', '.');
  world.git('status');
  const notes = Object.entries(times).map(([name, samples]) => spread(name, samples));
  const ratio = (a: keyof typeof times, b: keyof typeof times) =>
    median(times[a]) / median(times[b]);
  const bar = (name: string, measured: number, limit: number): Bar => ({
    name: `snapshot.${name}.${count}of${size}`,
    measured,
    limit,
  });
  const checked = [
    bar('allCheckedPerStatus', ratio('checked', 'status'), 0.8),
    bar('allCheckedPerAddAndWriteTree', ratio('checked', 'addAll'), 0.4),
  ];
  const named = bar('watchedPerStatus', ratio('known', 'status'), 0.06);
  const shadow = bar('watchedPerShadow', ratio('known', 'shadow'), 0.02);
  // The bars are for ten changes; reading and writing a thousand files is no question of looking for them.
  if (count === 1000) return [{ ...shadow, limit: 0.3, notes }];
  const isLarge = size === 100_000;
  return [
    { ...shadow, limit: isLarge ? 0.02 : 0.1, notes },
    ...(isLarge ? [named] : []),
    ...checked,
  ];
}
