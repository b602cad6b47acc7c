/** Memory on the command line: what people type, what agents type, and what a rewind does with it. */
import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { describe, it } from 'node:test';
import { type CliResult, cliRun } from '../helpers/cliRun.ts';
import { agent, MemoryWorld } from '../helpers/memoryWorld.ts';

interface Ran extends CliResult {
  readonly value: Record<string, unknown>;
}

/** Words are put into one argument each where they stand in quotes. */
async function run(
  world: MemoryWorld,
  line: string,
  environment: NodeJS.ProcessEnv = {},
  typed = '',
): Promise<Ran> {
  const args = [...line.matchAll(/"([^"]*)"|(\S+)/g)].map((found) => found[1] ?? found[2] ?? '');
  const result = await cliRun(args, {
    openApp: async () => world.open(),
    cwd: world.root,
    home: world.home,
    userHome: world.folder,
    environment,
    typed,
    now: () => world.time,
  });
  return { ...result, value: line.includes('--json') ? JSON.parse(result.stdout) : {} };
}

describe('memory', () => {
  it('remembers, shows, finds, changes, moves and forgets', async () => {
    await using world = await MemoryWorld.make();
    const lines: readonly (readonly [string, number, RegExp])[] = [
      ['memory', 0, /No notes yet/],
      [
        'memory remember "Use pnpm, never npm." --name "Package manager"',
        0,
        /^Remembered Package manager \(project\)\./,
      ],
      ['memory remember "Use pnpm, never npm." --name "Package manager"', 0, /just so already/],
      ['memory remember "Never npm, use pnpm." --name Other', 1, /says nearly the same/],
      [
        'memory remember "Never npm, use pnpm." --name Other --anyway --scope global --mode dev',
        0,
        /^Remembered Other/,
      ],
      ['memory list', 0, /Package manager +project +just now +you +Use pnpm[\s\S]*|Other/],
      ['memory list --scope global', 0, /^NOTE.*\nOther +global, dev/],
      ['memory list --mode cowork', 0, /Package manager/],
      [
        'memory show "package manager"',
        0,
        /^Package manager project, projects\/[0-9a-f]{32}\/notes\/package-manager\.md\n.*\n\nUse pnpm, never npm\.\n$/,
      ],
      ['memory recall npm --limit 1', 0, /1 more/],
      ['memory recall nowhere', 0, /Nothing is known/],
      ['memory edit other --name Another --mode all', 0, /^Changed Another/],
      ['memory edit another', 2, /What is to change/],
      ['memory pin another', 0, /pinned now/],
      ['memory move another project', 0, /of the project now/],
      ['memory move another project', 1, /no note another/],
      ['memory forget another', 0, /^Forgot Another\./],
      ['memory forget another', 1, /no note another/],
      ['memory set editor vim --scope global', 0, /\(profile\) take about 3 of 1000/],
      ['memory set Editor vim', 2, /small letters/],
      ['memory facts', 0, /profile[\s\S]*editor +vim[\s\S]*environment[\s\S]*none/],
      ['memory unset editor', 1, /nothing called editor/],
      ['memory unset editor --scope global', 0, /^Forgot editor\./],
      ['memory problems', 0, /can be read/],
      ['memory adopt', 0, /No memory of a folder that is gone/],
      ['memory dance', 2, /Allowed choices are/],
    ];
    for (const [line, status, text] of lines) {
      const result = await run(world, line);
      assert.equal(result.status, status, `${line}\n${result.stdout}${result.stderr}`);
      assert.match(result.stdout + result.stderr, text, line);
    }
    const typed = await run(world, 'memory remember - --name Typed', {}, '# Typed\ntext\n');
    assert.equal(typed.status, 0);
    assert.equal((await world.memory.show(world.root, 'typed')).body, '# Typed\ntext');
    assert.equal((await run(world, 'memory list --json')).value['pending'], 0);
  });

  it('offers the memory of a folder that was moved', async () => {
    await using world = await MemoryWorld.make();
    const [before, after] = ['old', 'new'].map((name) => path.join(world.folder, name, 'shop'));
    if (before === undefined || after === undefined) throw new Error('There are two.');
    fs.mkdirSync(before, { recursive: true });
    await run(world, `memory remember "Of the shop" --root ${before}`);
    fs.mkdirSync(path.dirname(after));
    fs.renameSync(before, after);
    const listed = await run(world, `memory --root ${after}`);
    assert.match(listed.stdout, new RegExp(`There is memory of ${before}, which is gone`));
    assert.equal((await run(world, `memory adopt ${before} --root ${after}`)).status, 0);
    assert.match((await run(world, `memory --root ${after}`)).stdout, /Of the shop/);
  });

  it('knows an agent by its environment: it has to ask, and decides nothing', async () => {
    await using world = await MemoryWorld.make();
    const env = { CLAUDECODE: '1', CLAUDE_CODE_SESSION_ID: 's1' };
    await world.turn('Learn', async () => {
      const staged = await run(world, 'memory remember "Use pnpm here" --json', env);
      assert.equal(staged.status, 0, staged.stdout);
      assert.match(staged.stdout, /"kind": "staged"/);
    });
    const [waiting] = await world.memory.pending(world.root);
    assert.equal(waiting?.origin.session, 's1');
    assert.notEqual(waiting?.origin.turn, undefined);
    const id = waiting?.id.slice(0, 8);
    for (const line of [
      `approve ${id}`,
      `reject ${id}`,
      'writes auto',
      'pin x',
      'edit x y',
      'move x global',
      'restore 1',
    ])
      assert.match((await run(world, `memory ${line}`, env)).stderr, /Only a person/, line);
    const listed = await run(world, 'memory pending');
    assert.match(
      listed.stdout,
      /remember Use pnpm here \(project\), Claude Code[\s\S]*\n {2}\+Use pnpm here/,
    );
    assert.match((await run(world, 'memory')).stdout, /1 write of agents wait/);
    assert.equal((await run(world, `memory approve ${id}`)).status, 0);
    assert.match((await run(world, 'memory writes off')).stdout, /^off/);
    assert.equal((await run(world, 'memory remember "Use yarn there" --agent codex')).status, 1);
  });

  it('is taken back by a rewind that says so, and shown as it was', async () => {
    await using world = await MemoryWorld.make();
    world.memory.setAgentWrites('auto');
    await world.turn('one', () => world.save('A', 'Text of one', 'global', agent), 'f.txt');
    await world.turn('two', () => world.save('B', 'Another of two', 'global', agent), 'f.txt');
    const preview = await run(world, 'preview 2');
    assert.match(
      preview.stdout,
      /Memory was written as well; it stays \(--memory take-back[\s\S]*delete +global note b/,
    );
    const done = await run(world, 'rewind 2 --memory take-back --yes');
    assert.match(done.stdout, /Memory:\n +deleted +global note b/);
    assert.deepEqual(await world.bodies(), { 'global A': 'Text of one' });
    assert.match((await run(world, 'memory as-of 2')).stdout, /As of turn 2[\s\S]*Another of two/);
    const undone = await run(world, 'redo --yes');
    assert.equal(undone.status, 0, undone.stderr);
    assert.equal(Object.keys(await world.bodies()).length, 2);
    const history = await run(world, 'memory history B --json');
    assert.match(history.stdout, /"actor": "undo"/);
    assert.match(
      (await run(world, 'memory history B')).stdout,
      /CHANGE.*\n +4 +just now +an undo +made/,
    );
    assert.equal((await run(world, 'memory restore 4')).status, 0);
    assert.deepEqual(Object.keys(await world.bodies()), ['global A']);
  });
});
