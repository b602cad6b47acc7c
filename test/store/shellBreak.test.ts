/** Faults that an attack on the capture of shell commands has found, as people would meet them. */
import assert from 'node:assert/strict';
import { describe, it, test } from 'node:test';
import { agentShapes } from '../helpers/storeAgents.ts';
import { resultsOf, StoreDriver } from '../helpers/storeDriver.ts';

const files = { 'a.txt': 'A0', 'b.txt': 'B0' };
const start = () => new StoreDriver({ files, inProcess: true });

describe('a command that moves a file with somebody else’s work in it', () => {
  it('in the turn in which they worked on it: the moved file is kept', async () => {
    using d = start();
    await d.turn(async (s) => {
      await s.shell('printf agent > n.txt; printf A1 > a.txt; printf own > own.txt');
      d.put('n.txt', 'agent and user');
      d.put('a.txt', 'A1 and user');
      await s.shell('mkdir k; mv n.txt k/n.txt; mv a.txt a2.txt; mv own.txt own2.txt');
    });
    const report = await d.rewind(1);
    assert.deepEqual(
      ['k/n.txt', 'a2.txt', 'own2.txt'].map((name) => d.read(name)),
      ['agent and user', 'A1 and user', undefined],
    );
    assert.equal(report.complete, false);
    await d.redo();
    assert.deepEqual([d.read('own2.txt'), d.read('a.txt')], ['own', undefined]);
  });

  it('over another file of the agent’s, and once more', async () => {
    using d = start();
    await d.turn(async (s) => {
      await s.shell('printf agent > n.txt; printf other > o.txt');
      d.put('n.txt', 'agent and user');
      await s.shell('mv n.txt o.txt');
      await s.shell('mv o.txt p.txt');
    });
    await d.rewind(1);
    assert.equal(d.read('p.txt'), 'agent and user');
  });

  it('in a later turn: a rewind past both keeps it, one past the move moves it back', async () => {
    using d = start();
    await d.turn((s) => s.edit('n.txt', 'agent'));
    d.put('n.txt', 'agent and user');
    await d.turn((s) => s.shell('mv n.txt m.txt; printf x > x.txt'));
    const report = await d.rewind(1);
    assert.deepEqual([d.read('m.txt'), d.read('x.txt')], ['agent and user', undefined]);
    assert.equal(resultsOf(report)['m.txt'], 'kept');
    await d.redo();
    await d.rewind(2);
    assert.deepEqual([d.read('n.txt'), d.read('m.txt')], ['agent and user', undefined]);
  });

  it('after the agent went on from it in between', async () => {
    using d = start();
    await d.turn((s) => s.edit('n.txt', 'agent'));
    d.put('n.txt', 'agent and user');
    await d.turn((s) => s.edit('n.txt', 'agent and user and agent'));
    await d.turn((s) => s.shell('mv n.txt m.txt'));
    await d.rewind(1);
    assert.equal(d.read('m.txt'), 'agent and user and agent');
  });
});

test('a folder that a command made and a person uses stays, and is not said to have been there before', async () => {
  using d = start();
  await d.turn((s) => s.shell('mkdir k'));
  d.put('k/mine', 'of the user');
  const report = await d.rewind(1);
  assert.equal(d.read('k/mine'), 'of the user');
  assert.deepEqual(
    report.paths.map(({ path, why }) => [path, why]),
    [['k', 'The folder stays: something else is in it now.']],
  );
});

test('a turn that put a link in the place of a folder can be reverted alone, and that undone', async () => {
  using d = new StoreDriver({ files: { 'src/x/f': 'F0', 'src/g': 'G0' }, inProcess: true });
  await d.turn((s) => s.shell('mv src lib; ln -s lib src'));
  await d.turn((s) => s.shell('printf N > lib/n'));
  const after = d.tree();
  const [turn] = await d.turns();
  await d.with((app) => app.revertTurn(turn!.id));
  assert.deepEqual(
    ['src/x/f', 'src/g', 'lib/x/f', 'lib/n'].map((name) => d.read(name)),
    ['F0', 'G0', undefined, 'N'],
  );
  await d.redo();
  assert.deepEqual(d.tree(), after);
});

describe('commands of two agents at the same time', () => {
  it('what both may have changed is uncertain for both', async () => {
    using d = start();
    const [a, b] = [d.session('A'), d.session('B')];
    const { shell } = agentShapes.claude;
    await a.prompt();
    await b.prompt();
    await a.send(shell('before', 'make a'), { callId: 'a' });
    await b.send(shell('before', 'make b'), { callId: 'b' });
    d.put('a.txt', 'A1');
    d.put('b.txt', 'B1');
    await a.send(shell('after', 'make a'), { callId: 'a' });
    await b.send(shell('after', 'make b'), { callId: 'b' });
    await a.stop();
    await b.stop();
    for (const session of ['A', 'B']) {
      const [turn] = await d.turns(session);
      assert.deepEqual(
        turn?.files.map((f) => `${f.path}${f.uncertain ? '?' : ''}`),
        ['a.txt?', 'b.txt?'],
        session,
      );
      const report = await d.rewind(1, { session });
      assert.equal(report.complete, false);
      assert.deepEqual([d.read('a.txt'), d.read('b.txt')], ['A1', 'B1']);
    }
  });
});
