/** The real Gemini CLI against the scripted model, through the real hooks and launcher: from prompt to rewound bytes. */
import { test } from 'node:test';
import { clientWorld, readScript } from './clientWorld.ts';
import { checkWholeWay } from './wholeWay.ts';

test('Gemini CLI: from prompt to rewound bytes', async (t) => {
  const world = await clientWorld(t, 'gemini');
  if (world === undefined) return;
  const run = await world.run(readScript('basic.json'));
  checkWholeWay(world, run, ['replace', 'run_shell_command', 'write_file']);
});
