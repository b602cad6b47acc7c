/** The real Codex against the scripted model, through the real hooks and launcher: from prompt to rewound bytes. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { clientWorld, readScript } from './clientWorld.ts';
import { checkWholeWay } from './wholeWay.ts';

test('Codex: from prompt to rewound bytes', async (t) => {
  const world = await clientWorld(t, 'codex');
  if (world === undefined) return;
  const run = await world.run(readScript('basic.json'));
  checkWholeWay(world, run, ['Bash', 'apply_patch']);
});

test('Codex: patches of several files, by its tool and by its shell', async (t) => {
  const world = await clientWorld(t, 'codex');
  if (world === undefined) return;
  const before = world.files();
  await world.run(readScript('patch.json'));
  const after = world.files();
  assert.deepEqual(Object.keys(after).sort(), [
    'README.md',
    'deep/below.txt',
    'deep/dir/new.txt',
    'src/main.js',
  ]);
  assert.deepEqual(
    world.turns().map(({ files }) => files.map(({ path, change }) => `${change} ${path}`).sort()),
    [
      [
        'added deep/below.txt',
        'added deep/dir/new.txt',
        'added src/main.js',
        'deleted doomed.txt',
        'deleted src/app.js',
        'modified README.md',
      ],
    ],
  );
  world.cli('rewind', '1', '--yes');
  assert.deepEqual(world.files(), before);
  world.cli('redo', '--yes');
  assert.deepEqual(world.files(), after);
});
