/** Disk after 1,000 snapshots of ten changes each, with our maintenance, against what `git gc` makes of it. */
import { execFileSync } from 'node:child_process';
import path from 'node:path';
import { folderSize } from '../../../src/base/folderSize.ts';
import { openSnapshotStore } from '../../../src/snapshot/snapshotStore.ts';
import type { Bar } from '../bar.ts';
import { meta, worldOf } from './world.ts';

const snapshots = 1000;

export async function disk(): Promise<Bar> {
  const world = worldOf(10_000);
  const folder = path.join(world.folder, 'home-disk', 'store.git');
  const store = openSnapshotStore({
    root: world.root,
    folder,
    now: Date.now,
    log: (line) => console.error(line),
    worker: world.worker,
    durable: false,
    environment: process.env,
  });
  await store.create(meta);
  for (let i = 0; i < snapshots; i++) {
    await store.create(meta, { changed: world.edit(10) });
    if (i % 25 === 0) await store.maintain('roll');
    if (i % 250 === 249) await store.maintain('full');
  }
  const ours = folderSize(folder);
  await store.close();
  execFileSync('git', ['--git-dir', folder, 'gc', '-q', '--prune=now']);
  const git = folderSize(folder);
  world.git('checkout', '-q', '.');
  return {
    name: `snapshot.diskPerGc.${snapshots}`,
    measured: ours / git,
    limit: 1.2,
    notes: [`ours ${(ours / 1e6).toFixed(1)} MB, git ${(git / 1e6).toFixed(1)} MB`],
  };
}
