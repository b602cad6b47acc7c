/** The real Claude Code against the scripted model, through the real hooks and launcher: from prompt to rewound bytes. */
import { test } from 'node:test';
import { clientWorld, readScript } from './clientWorld.ts';
import { checkWholeWay } from './wholeWay.ts';

test('Claude Code: from prompt to rewound bytes', async (t) => {
  const world = await clientWorld(t, 'claude');
  if (world === undefined) return;
  const run = await world.run(readScript('basic.json'));
  checkWholeWay(world, run, ['Bash', 'Edit', 'Write']);
});
