/** Commands that go on after their call, and commands whose end nobody tells: whose work a change is then. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { command, shown } from '../helpers/shellCommand.ts';
import { agentShapes, sample } from '../helpers/storeAgents.ts';
import { resultsOf, StoreDriver } from '../helpers/storeDriver.ts';

const files = { 'a.txt': 'A0', 'b.txt': 'B0', 'c.txt': 'C0' };
const start = () => new StoreDriver({ files, inProcess: true });

describe('in the background', () => {
  const going = { run_in_background: true };

  it('what changes after the call is uncertain, and a rewind asks', async () => {
    using d = start();
    await d.main.prompt();
    await command(d.main, 'server', () => d.put('a.txt', 'A1'), going);
    d.put('b.txt', 'B1');
    await d.main.stop();
    assert.deepEqual(await shown(d), [['a.txt shell', 'b.txt shell?']]);
    const report = await d.rewind(1);
    assert.deepEqual(resultsOf(report), { 'a.txt': 'restored', 'b.txt': 'kept' });
    await d.rewind(1, { conflicts: 'take' });
    assert.equal(d.read('b.txt'), 'B0');
  });

  it('for Gemini and for commands that detach themselves as well', async () => {
    for (const [agent, text, input] of [
      ['gemini', 'npm run watch', { is_background: true }],
      ['codex', 'nohup ./watch.sh > /dev/null &', {}],
    ] as const) {
      using d = start();
      const s = d.session('session-1', agent);
      await s.prompt();
      await command(s, text, () => undefined, input);
      d.put('b.txt', 'B1');
      await s.stop();
      assert.deepEqual(await shown(d), [['b.txt shell?']], agent);
    }
  });

  it('an edit, and the next command’s work, are no guess', async () => {
    using d = start();
    await d.main.prompt();
    await command(d.main, 'server', () => undefined, { ...going, callId: 'one' });
    await d.main.edit('a.txt', 'A1');
    d.put('c.txt', 'C1');
    await command(d.main, 'make', () => d.put('b.txt', 'B1'), { callId: 'two' });
    await d.main.stop();
    assert.deepEqual(await shown(d), [['a.txt edit', 'b.txt shell', 'c.txt shell?']]);
  });

  it('what it does between the end of its turn and the next prompt belongs to its turn', async () => {
    using d = start();
    await d.main.prompt('One');
    await command(d.main, 'server', () => undefined, going);
    const running = [{ id: 'b1', type: 'shell', status: 'running' }];
    await d.main.send({ ...agentShapes.claude.stop, background_tasks: running });
    d.put('b.txt', 'B1');
    await d.turn((s) => s.edit('a.txt', 'A1'), 'Two');
    assert.deepEqual(await shown(d), [['b.txt shell?'], ['a.txt edit']]);
    assert.deepEqual(resultsOf(await d.rewind(1)), { 'a.txt': 'restored', 'b.txt': 'kept' });
  });

  it('once it is known to have ended, changes are the user’s', async () => {
    using d = start();
    await d.main.prompt('One');
    await command(d.main, 'server', () => undefined, going);
    await d.main.send({ ...agentShapes.claude.stop, background_tasks: [] });
    d.put('b.txt', 'B1');
    await d.turn((s) => s.edit('a.txt', 'A1'), 'Two');
    assert.deepEqual(await shown(d), [[], ['a.txt edit']]);
  });

  it('what a rewind wrote meanwhile is not its work', async () => {
    using d = start();
    await d.turn((s) => s.edit('b.txt', 'B1'), 'One');
    await d.main.prompt('Two');
    await command(d.main, 'server', () => undefined, going);
    await d.main.stop();
    await d.rewind(1);
    await d.turn((s) => s.edit('a.txt', 'A1'), 'Three');
    assert.deepEqual(
      (await d.turns()).map((turn) => turn.files.map((f) => f.path)),
      [['b.txt'], [], ['a.txt']],
    );
  });

  it('of which nobody speaks is not reckoned with beyond the next prompt', async () => {
    using d = start();
    const s = d.session('session-1', 'gemini');
    await s.prompt('One');
    await command(s, 'server', () => undefined, { is_background: true });
    await s.stop();
    await s.prompt('Two');
    d.put('b.txt', 'mine');
    await command(s, 'make', () => d.put('a.txt', 'A1'));
    await s.stop();
    assert.deepEqual(await shown(d), [[], ['a.txt shell']]);
  });

  it('without any, what changes between calls is the user’s', async () => {
    using d = start();
    await d.main.prompt();
    await command(d.main, 'make', () => d.put('a.txt', 'A1'));
    d.put('b.txt', 'mine');
    await d.main.stop();
    assert.deepEqual(await shown(d), [['a.txt shell']]);
    await d.rewind(1);
    assert.deepEqual([d.read('a.txt'), d.read('b.txt')], ['A0', 'mine']);
  });
});

describe('a command whose end nobody tells', () => {
  it('and an interrupt: what it did until then is the agent’s', async () => {
    using d = start();
    const s = d.session('session-1', 'codex');
    await s.prompt();
    await s.send(agentShapes.codex.shell('before', 'make'));
    d.put('a.txt', 'A1');
    await s.send(sample('codex', 'Interrupt'));
    d.put('b.txt', 'mine');
    await s.end();
    assert.deepEqual(await shown(d), [['a.txt shell']]);
    assert.equal((await d.turns())[0]?.uncapturedShell, false);
    assert.equal((await d.rewind(1)).complete, true);
    assert.deepEqual([d.read('a.txt'), d.read('b.txt')], ['A0', 'mine']);
  });

  it('because it was refused: what the user does then is not the next command’s', async () => {
    using d = start();
    await d.main.prompt();
    await d.main.send(agentShapes.claude.shell('before', 'rm -rf /'), { callId: 'refused' });
    d.put('b.txt', 'mine');
    await command(d.main, 'make', () => d.put('a.txt', 'A1'));
    await d.main.stop();
    assert.deepEqual(await shown(d), [['a.txt shell', 'b.txt shell?']]);
    assert.equal((await d.turns())[0]?.uncapturedShell, false);
    assert.deepEqual(resultsOf(await d.rewind(1)), { 'a.txt': 'restored', 'b.txt': 'kept' });
  });

  it('because it was refused, and nothing happened: nothing is said', async () => {
    using d = start();
    await d.main.prompt();
    await d.main.send(agentShapes.claude.shell('before', 'rm -rf /'), { callId: 'refused' });
    await command(d.main, 'make', () => d.put('a.txt', 'A1'));
    await d.main.send(agentShapes.claude.shell('before', 'rm -rf ~'), { callId: 'refused too' });
    await d.main.stop();
    const [turn] = await d.turns();
    assert.deepEqual([await shown(d), turn?.uncapturedShell], [[['a.txt shell']], false]);
  });

  it('and a next prompt: what changed until then is uncertain', async () => {
    using d = start();
    await d.main.prompt();
    await d.main.send(agentShapes.claude.shell('before', 'make'));
    d.put('a.txt', 'A1');
    await d.turn((s) => s.edit('b.txt', 'B1'), 'Two');
    assert.deepEqual(await shown(d), [['a.txt shell?'], ['b.txt edit']]);
    assert.deepEqual(resultsOf(await d.rewind(1)), { 'a.txt': 'kept', 'b.txt': 'restored' });
  });
});
