/** Processes that are killed, or work at once, on mirrors and imports: nothing twice, nothing lost, everything linear. */
import assert from 'node:assert/strict';
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { test } from 'node:test';
import { ClaudeTranscript, HistoryWorld, id } from '../helpers/historyWorld.ts';

const script = path.join(import.meta.dirname, '..', 'helpers', 'historyProcess.ts');

/** @returns the signal it died of, or its exit code */
async function run(
  world: HistoryWorld,
  what: 'mirror' | 'import',
  dieAt = 0,
): Promise<{ end: string | number | null; stderr: string }> {
  const child = spawn(process.execPath, [script, what, world.home, world.userHome, String(dieAt)], {
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let stderr = '';
  child.stderr.on('data', (chunk) => {
    stderr += chunk;
  });
  const [code, signal] = await once(child, 'close');
  return { end: signal ?? code, stderr };
}

function assertLinear(world: HistoryWorld, session: string, turns: number): void {
  const git = (...args: string[]) =>
    execFileSync('git', args, { cwd: world.mirror(session), encoding: 'utf8' }).trim();
  assert.equal(git('fsck', '--full', '--strict'), '');
  assert.deepEqual(git('log', '--reverse', '--format=%s', 'main').split('\n'), [
    'session begins',
    ...Array.from({ length: turns }, (_, i) => `turn ${i + 1}: prompt ${i + 1}`),
  ]);
  assert.equal(git('rev-list', '--count', '--merges', 'main'), '0');
}

test('killed at each step of writing mirrors', { skip: process.platform === 'win32' }, async () => {
  using world = new HistoryWorld();
  for (const session of ['S', 'T'])
    for (let i = 1; i <= 12; i++) {
      const turn = world.begin(session, `prompt ${i}`);
      world.finish(session, turn, { tools: ['Edit'] });
    }
  world.now += 11_000;
  world.app.ingest();
  world.close();
  const messages = world.sql('SELECT * FROM nodes ORDER BY key');
  for (let step = 1; step <= 3; step++)
    assert.equal((await run(world, 'mirror', step)).end, 'SIGKILL');
  assert.deepEqual(await run(world, 'mirror'), { end: 0, stderr: '' });
  for (const session of ['S', 'T']) assertLinear(world, session, 12);
  assert.deepEqual(world.sql('SELECT * FROM nodes ORDER BY key'), messages);
  assert.deepEqual(world.sql('SELECT * FROM outbox'), []);
});

test('killed within an import, again and again', {
  skip: process.platform === 'win32',
}, async () => {
  using world = new HistoryWorld();
  const transcript = new ClaudeTranscript(world, 'S');
  const long = 'word '.repeat(40_000);
  for (let i = 1; i <= 60; i++) transcript.turn(`prompt ${i}`, `p${i}`, long);
  for (const step of [1, 2, 4]) assert.equal((await run(world, 'import', step)).end, 'SIGKILL');
  assert.equal((await run(world, 'import')).end, 0);
  assert.deepEqual(
    world.app.history.turns(id('S')).map(({ number, prompt }) => [number, prompt]),
    Array.from({ length: 60 }, (_, i) => [i + 1, `prompt ${i + 1}`]),
  );
  assert.deepEqual(
    (await world.app.doctor(world.root)).filter(({ severity }) => severity === 'problem'),
    [],
  );
});

test('two processes at once, over many turns', async () => {
  using world = new HistoryWorld();
  for (let round = 0; round < 5; round++) {
    for (let i = 1; i <= 10; i++) {
      const turn = world.begin('S', `prompt ${round * 10 + i}`);
      world.finish('S', turn);
    }
    world.now += 11_000;
    const ends = await Promise.all([run(world, 'mirror'), run(world, 'mirror')]);
    for (const end of ends) assert.deepEqual(end, { end: 0, stderr: '' });
  }
  await world.app.history.syncMirrors();
  assertLinear(world, 'S', 50);
});
