/** The real Claude Code against the scripted model, through the real hooks and launcher: from prompt to rewound bytes. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { clientWorld, readScript } from './clientWorld.ts';
import { checkWholeWay } from './wholeWay.ts';

test('Claude Code: from prompt to rewound bytes', async (t) => {
  const world = await clientWorld(t, 'claude');
  if (world === undefined) return;
  const run = await world.run(readScript('basic.json'));
  checkWholeWay(world, run, ['Bash', 'Edit', 'Write']);
});

test('Claude Code: what a background subagent edits belongs to the turn that started it', async (t) => {
  const world = await clientWorld(t, 'claude');
  if (world === undefined) return;
  const before = world.files();
  await world.run(readScript('subagent.json'));
  assert.match(world.files()['src/app.js'] ?? '', /hello/);
  assert.deepEqual(
    world.turns().map(({ prompt, files }) => [prompt, files.map(({ path }) => path)]),
    [['Let a helper change the greeting', ['src/app.js']]],
  );
  world.cli('rewind', '1', '--yes');
  assert.deepEqual(world.files(), before);
});
