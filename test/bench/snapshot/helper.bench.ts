/**
 * What the helper process saves those that ask it: a hook before an edit against the bare start of a Node, and how long a
 * host's event loop stands still while snapshots of a large tree are taken.
 */
import { spawnSync } from 'node:child_process';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { perlClient } from '../../../src/app/helper/shellClient.ts';
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
  const other = ['/bin/false'];
  const times = await interleave(25, {
    node: () => elapsed(() => spawnSync(process.execPath, ['-e', '0'], { cwd: world.root })),
    hook: () =>
      elapsed(() => {
        const { status } = spawnSync(
          'perl',
          ['-e', perlClient, client.home, 'claude', '', ...other],
          {
            cwd: world.root,
            env: { ...process.env, PWD: world.root },
            input: payload(),
          },
        );
        if (status !== 0) throw new Error('The helper did not answer.');
      }),
  });
  await client.close();
  world.close();
  return {
    name: 'pre-edit hook with the helper running / node -e 0',
    measured: median(times.hook) / median(times.node),
    limit: 0.3,
    notes: Object.entries(times).map(([name, samples]) => spread(name, samples)),
  };
}

export async function hostStall(): Promise<Bar> {
  const world = worldOf(100_000);
  const client = world.openClient();
  const delay = monitorEventLoopDelay({ resolution: 1 });
  await world.warm(client);
  const known = [];
  for (let i = 0; i < 20; i++) {
    world.edit(10);
    await new Promise((resolve) => setTimeout(resolve, 5));
    delay.enable();
    const { snapshot } = await client.create(meta);
    known.push(snapshot.id);
    await client.diff(known.at(-2) ?? snapshot.id, snapshot.id);
    await client.list();
    delay.disable();
  }
  await client.close();
  world.close();
  world.git('checkout', '-q', '.');
  return {
    name: `longest stall of a host that takes snapshots of 100000 files, ms`,
    measured: delay.max / 1e6,
    limit: 10,
    notes: [`median ${(delay.percentile(50) / 1e6).toFixed(2)} ms at a resolution of 1 ms`],
  };
}
