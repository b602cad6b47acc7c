/**
 * What the helper process saves those that ask it: a hook before an edit against the bare start of a Node, and how long a
 * host's event loop stands still while snapshots of a large tree are taken.
 */
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { shellScript } from '../../../src/app/launcher.ts';
import { projectFolder } from '../../tools/paths.ts';
import type { Bar } from '../bar.ts';
import { interleave, median, spread } from '../interleave.ts';
import { elapsed, meta, worldOf } from './world.ts';

export async function preEditHook(): Promise<Bar> {
  const world = worldOf(10_000);
  const client = world.openClient();
  await world.warm(client);
  let calls = 0;
  const payload = () =>
    JSON.stringify({
      session_id: 's1',
      cwd: world.root,
      hook_event_name: 'PreToolUse',
      tool_name: 'Edit',
      tool_input: { file_path: world.path(world.files[calls++] ?? '') },
    });
  const launcher = path.join(client.home, 'launcher');
  const none = { path: '/bin/false', version: process.versions.node };
  const bundle = path.join(projectFolder, 'dist', 'hook.cjs');
  const script = shellScript({
    home: client.home,
    hookBundle: bundle,
    cliBundle: bundle,
    node: none,
    electron: null,
    platform: process.platform,
  });
  fs.writeFileSync(launcher, script, { mode: 0o700 });
  const times = await interleave(25, {
    node: () => elapsed(() => spawnSync(process.execPath, ['-e', '0'], { cwd: world.root })),
    hook: () => {
      const options = {
        cwd: world.root,
        env: { ...process.env, PWD: world.root },
        input: payload(),
      };
      return elapsed(() => {
        const { status } = spawnSync(launcher, ['hook', 'claude'], options);
        if (status !== 0) throw new Error('The helper did not answer.');
      });
    },
  });
  await client.close();
  world.close();
  return {
    name: 'snapshot.preEditHookPerNode',
    measured: median(times.hook) / median(times.node),
    limit: 0.3,
    notes: Object.entries(times).map(([name, samples]) => spread(name, samples)),
  };
}

/**
 * The longest stall of each round, and the median of those: on a shared machine any process stands still now and then.
 * Rounds in which the host does nothing tell how long.
 */
export async function hostStall(size = 100_000): Promise<Bar> {
  const world = worldOf(size);
  const client = world.openClient();
  await world.warm(client);
  let before = (await client.create(meta)).snapshot.id;
  const times = await interleave(20, {
    busy: async () => {
      world.edit(10);
      return longestStall(async () => {
        const { snapshot } = await client.create(meta);
        await client.diff(before, snapshot.id);
        await client.list();
        before = snapshot.id;
      });
    },
    idle: () => longestStall(() => new Promise((resolve) => setTimeout(resolve, 30))),
  });
  await client.close();
  world.close();
  world.git('checkout', '-q', '.');
  return {
    name: `snapshot.hostStallMs.${size}`,
    measured: median(times.busy),
    limit: 10,
    notes: Object.entries(times).map(([name, samples]) => spread(name, samples)),
  };
}

/** Milliseconds that this thread's event loop stood still at most. */
async function longestStall(work: () => Promise<unknown>): Promise<number> {
  const delay = monitorEventLoopDelay({ resolution: 1 });
  await new Promise((resolve) => setTimeout(resolve, 5));
  delay.enable();
  await work();
  await new Promise((resolve) => setTimeout(resolve, 5));
  delay.disable();
  return delay.max / 1e6;
}
