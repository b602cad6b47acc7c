/** Rules that conversations and their mirrors keep, whatever is done with them. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { isMessageFile, messageFile } from '../../src/session/mirror/mirrorFiles.ts';
import { nodeId } from '../../src/session/nodeId.ts';
import { HistoryWorld, id } from '../helpers/historyWorld.ts';
import { git, sync } from '../helpers/mirrorGit.ts';

test('names of 12,000 messages stand in the order of their numbers', () => {
  const names = Array.from({ length: 12_000 }, (_, i) =>
    messageFile({ seq: i + 1, role: i % 2 ? 'assistant' : 'user', id: nodeId('S', i + 1, 'user') }),
  );
  assert.deepEqual(names.toSorted(), names);
  assert.ok(names.every(isMessageFile));
});

test('prev after next is where one was, over any forks; looking writes no message', () => {
  using world = new HistoryWorld();
  for (const prompt of ['one', 'two', 'three']) world.turn('S', prompt);
  const { history } = world.app;
  history.goTo(id('S'), 'S#1' as never);
  for (const prompt of ['two b', 'three b']) world.turn('S', prompt);
  history.goTo(id('S'), 'S#4' as never);
  world.turn('S', 'three c');
  history.switchTo(id('S'), 'main');
  world.turn('S', 'four');
  const before = world.sql('SELECT * FROM nodes ORDER BY key');
  const branches = history.branches(id('S'));
  assert.equal(branches.length, 3);
  const names = fc.constantFrom(...branches.map(({ name }) => name));
  const turns = fc.constantFrom(...history.turns(id('S')).map((turn) => turn.id));
  const act = fc.oneof(
    fc.constantFrom('prev', 'next', 'latest').map((step) => ({ step })),
    names.map((branch) => ({ branch })),
    turns.map((turn) => ({ turn })),
  );
  fc.assert(
    fc.property(fc.array(act, { maxLength: 12 }), (acts) => {
      for (const one of acts) {
        if ('branch' in one) history.switchTo(id('S'), one.branch);
        else if ('turn' in one) history.goTo(id('S'), one.turn);
        else history.step(id('S'), one.step as 'prev' | 'next' | 'latest');
      }
      const at = history.position(id('S'));
      const path = history.branch(id('S'), at.branch).map((turn) => turn.id);
      assert.equal(at.count, path.length);
      assert.equal(at.turn, at.index === 0 ? null : path[at.index - 1]);
      if (at.index < at.count) {
        const next = history.step(id('S'), 'next');
        assert.deepEqual([next.index, next.branch], [at.index + 1, at.branch]);
        assert.deepEqual(history.step(id('S'), 'prev'), at);
      }
      if (at.index > 0) {
        history.step(id('S'), 'prev');
        assert.deepEqual(history.step(id('S'), 'next'), at);
      }
    }),
    { numRuns: 60, seed: 5 },
  );
  assert.deepEqual(world.sql('SELECT * FROM nodes ORDER BY key'), before);
});

test('a commit of the mirror holds just the messages of its turn', async () => {
  using world = new HistoryWorld();
  for (const prompt of ['one', 'two', 'three'])
    world.turn('S', prompt, { tools: ['read', 'edit', 'read'] });
  world.app.history.goTo(id('S'), 'S#1' as never);
  world.turn('S', 'two, otherwise', { tools: ['bash'] });
  await sync(world);
  for (const turn of world.app.history.turns(id('S'))) {
    const changed = git(
      world,
      'S',
      ...['diff-tree', '-r', '--name-status', '--no-commit-id', turn.commit ?? ''],
    ).split('\n');
    const own = world.app.history.nodes(turn.id).map((node) => `A\tmessages/${messageFile(node)}`);
    assert.deepEqual(changed, [...own, 'M\tmeta.json'], turn.prompt);
  }
});

test('nothing of the environment, and no saved file, is in a mirror', async () => {
  using world = new HistoryWorld();
  const secret = 'planted-7f3a9c';
  const app = world.open({ environment: { PATH: process.env['PATH'], TOKEN: secret } });
  try {
    world.event('S', { kind: 'turn', turn: 'S#1', seq: 1, number: 1, prompt: 'one' });
    world.event('S', { kind: 'end', turn: 'S#1', end: 'stop', reply: 'Done.' });
    app.ingest();
    await app.history.syncMirrors({ session: id('S') });
  } finally {
    app.dispose();
  }
  const objects = git(world, 'S', 'cat-file', '--batch-check', '--batch-all-objects').split('\n');
  for (const object of objects) {
    const [name = ''] = object.split(' ');
    assert.ok(!git(world, 'S', 'cat-file', '-p', name).includes(secret), object);
  }
  assert.deepEqual(git(world, 'S', 'ls-tree', '--name-only', 'main').split('\n'), [
    'messages',
    'meta.json',
  ]);
});

test('a turn that failed or was cancelled has a commit; the next try goes on from before it', async () => {
  using world = new HistoryWorld();
  world.turn('S', 'one');
  world.turn('S', 'two', { end: 'failed' });
  world.app.history.goTo(id('S'), 'S#1' as never);
  world.turn('S', 'two again', { end: 'interrupt' });
  await sync(world);
  const branches = git(world, 'S', 'for-each-ref', '--format=%(refname:short)', 'refs/heads');
  const [main = '', retry = ''] = branches.split('\n');
  assert.equal(main, 'main');
  assert.equal(git(world, 'S', 'merge-base', main, retry), git(world, 'S', 'rev-parse', 'main^'));
  assert.match(git(world, 'S', 'log', '-1', '--format=%b', main), /failed/);
  assert.match(git(world, 'S', 'log', '-1', '--format=%b', retry), /interrupt/);
});
