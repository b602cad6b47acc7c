/** Planning the way back and fetching the bytes, ten differing files, against writing those files. */
import fs from 'node:fs';
import path from 'node:path';
import { materialise } from '../../../src/snapshot/restorePlan.ts';
import type { Bar } from '../bar.ts';
import { interleave, median, spread } from '../interleave.ts';
import { elapsed, elapsedAsync, meta, worldOf } from './world.ts';

const size = 100_000;

export async function restore(): Promise<Bar> {
  const world = worldOf(size);
  const store = world.openStore();
  const a = (await store.create(meta)).snapshot;
  const names = world.edit(10);
  const b = (await store.create(meta)).snapshot;
  const contents = names.map((name) => fs.readFileSync(world.path(name)));
  let calls = 0;
  const place = () => path.join(world.folder, `restore-${calls++}`);
  const times = await interleave(15, {
    write: () => {
      const folder = place();
      fs.mkdirSync(folder);
      return elapsed(() => {
        for (const [i, bytes] of contents.entries()) {
          const file = path.join(folder, String(i));
          fs.writeFileSync(`${file}.tmp`, bytes, { flush: true });
          fs.renameSync(`${file}.tmp`, file);
        }
      });
    },
    plan: () =>
      elapsedAsync(async () => {
        const steps = store.diff(b, a).map(({ path: at, before, after }) => ({
          path: at,
          from: before,
          to: after,
          optional: false,
        }));
        materialise(store, steps, place());
      }),
  });
  await store.close();
  world.git('checkout', '-q', '.');
  return {
    name: `snapshot.restorePerWrite.10of${size}`,
    measured: median(times.plan) / median(times.write),
    limit: 5,
    notes: Object.entries(times).map(([name, samples]) => spread(name, samples)),
  };
}
