/** Shell commands through the hooks: whose change it is, what is saved of it, and what is said when it cannot be. */
import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { describe, it, test } from 'node:test';
import { noteEditorSave } from '../../src/app/editorSaves.ts';
import { editorSavesFile, liveFolder } from '../../src/base/home.ts';
import { asSessionId } from '../../src/core/ids.ts';
import { command, shown } from '../helpers/shellCommand.ts';
import { type AgentName, agentShapes, sample } from '../helpers/storeAgents.ts';
import { resultsOf, StoreDriver } from '../helpers/storeDriver.ts';

const files = { 'a.txt': 'A0', 'b.txt': 'B0', 'c.txt': 'C0' };
const start = () => new StoreDriver({ files, inProcess: true });

for (const agent of ['claude', 'codex', 'gemini'] as const satisfies readonly AgentName[]) {
  test(`${agent}: what its payloads announce is captured, between edits, and goes back with them`, async () => {
    using d = new StoreDriver({ files, git: true });
    const before = d.tree();
    const s = d.session('S', agent);
    await s.turn(async (t) => {
      await t.edit('a.txt', 'A1');
      await t.shell('printf A2 > a.txt; printf B1 > b.txt; printf n > n.txt; rm c.txt');
      await t.edit('n.txt', 'n2');
      await t.shell('cat a.txt');
    });
    assert.deepEqual(await shown(d, 'S'), [
      ['a.txt edit', 'b.txt shell', 'c.txt shell', 'n.txt shell'],
    ]);
    const [turn] = await d.turns('S');
    assert.equal(turn?.uncapturedShell, false);
    const report = await d.rewind(1, { session: 'S' });
    assert.deepEqual([d.tree(), report.complete], [before, true]);
    assert.deepEqual(await d.problems(), []);
    assert.equal(d.hookLog(), '');
  });
}

test('a command that fails may have changed files all the same', async () => {
  using d = start();
  await d.main.prompt();
  const failed = sample('claude', 'PostToolUseFailure.Bash');
  const input = { tool_input: { command: 'printf A1 > a.txt; exit 3' } };
  await d.main.send(agentShapes.claude.shell('before', 'printf A1 > a.txt; exit 3'));
  d.put('a.txt', 'A1');
  await d.main.send({ ...failed, ...input });
  await d.main.stop();
  assert.deepEqual(await shown(d), [['a.txt shell']]);
});

test('a command that only reads takes no snapshot; several lines are not taken for their first', async () => {
  using d = start();
  await d.turn((s) => s.shell('cat a.txt'));
  assert.equal(fs.existsSync(path.join(d.home, 'roots')), false);
  await d.turn((s) => s.shell('cat a.txt\nprintf A1 > a.txt'));
  assert.deepEqual(await shown(d), [[], ['a.txt shell']]);
});

describe('at the same time', () => {
  it('commands of the agent and its subagent share what they changed, whichever ends first', async () => {
    for (const first of ['one', 'two']) {
      using d = start();
      const before = d.tree();
      const s = d.main;
      const send = (when: 'before' | 'after', callId: string) =>
        s.send(
          {
            ...agentShapes.claude.shell(when, `make ${callId}`),
            ...(callId === 'two' && { agent_id: 'subagent-1' }),
          },
          { callId },
        );
      await s.prompt();
      await send('before', 'one');
      d.put('a.txt', 'A1');
      await send('before', 'two');
      d.put('a.txt', 'A2');
      d.put('b.txt', 'B1');
      await send('after', first);
      d.put('c.txt', 'C1');
      await send('after', first === 'one' ? 'two' : 'one');
      await s.stop();
      assert.deepEqual(await shown(d), [['a.txt shell', 'b.txt shell', 'c.txt shell']]);
      const report = await d.rewind(1);
      assert.deepEqual([d.tree(), report.complete], [before, true]);
    }
  });

  it('an edit tool’s files stay its own', async () => {
    using d = start();
    const before = d.tree();
    await d.main.prompt();
    await command(d.main, 'make', async () => {
      await d.main.edit('a.txt', 'A1');
      d.put('b.txt', 'B1');
    });
    await d.main.stop();
    assert.deepEqual(await shown(d), [['a.txt edit', 'b.txt shell']]);
    const report = await d.rewind(1);
    assert.deepEqual([d.tree(), report.complete], [before, true]);
  });

  it('what the command had made of a file before an edit tool saved it is no pre-image', async () => {
    using d = start();
    const before = d.tree();
    await d.main.prompt();
    await command(d.main, 'make', async () => {
      d.put('a.txt', 'A1');
      d.put('new', 'N1');
      await d.main.edit('a.txt', 'A2');
      await d.main.edit('new', 'N2');
    });
    await d.main.stop();
    assert.deepEqual(await shown(d), [['a.txt edit', 'new edit']]);
    const report = await d.rewind(1);
    assert.deepEqual([d.tree(), report.complete], [before, true]);
    await d.redo();
    assert.deepEqual([d.read('a.txt'), d.read('new')], ['A2', 'N2']);
  });

  it('an edit that is announced and not yet done does not become the command’s', async () => {
    using d = start();
    await d.main.prompt();
    await command(d.main, 'make', async () => {
      await d.main.before('a.txt');
      d.put('a.txt', 'A1');
    });
    await d.main.after('a.txt');
    await d.main.stop();
    assert.deepEqual(await shown(d), [['a.txt edit']]);
    assert.equal((await d.rewind(1)).complete, true);
    assert.equal(d.read('a.txt'), 'A0');
  });

  it('what another session recorded is not this one’s', async () => {
    using d = start();
    const other = d.session('session-2', 'codex');
    await other.prompt('Other');
    await d.main.prompt('Mine');
    await command(d.main, 'make', async () => {
      d.put('a.txt', 'A1');
      await other.edit('b.txt', 'B1');
    });
    await d.main.stop();
    await other.stop();
    assert.deepEqual(
      [await shown(d), await shown(d, 'session-2')],
      [[['a.txt shell']], [['b.txt edit']]],
    );
    await d.rewind(1);
    assert.deepEqual([d.read('a.txt'), d.read('b.txt')], ['A0', 'B1']);
  });

  it('and what two sessions’ commands changed at once is taken back by neither unasked', async () => {
    using d = start();
    const other = d.session('session-2', 'codex');
    await other.prompt('Other');
    await d.main.prompt('Mine');
    await command(d.main, 'make', () =>
      command(other, 'make too', () => {
        d.put('a.txt', 'A1');
        d.put('b.txt', 'B1');
      }),
    );
    await d.main.stop();
    await other.stop();
    assert.deepEqual(
      [await shown(d), await shown(d, 'session-2')],
      [[['a.txt shell?', 'b.txt shell?']], [['a.txt shell?', 'b.txt shell?']]],
    );
    const report = await d.rewind(1, { session: 'session-2' });
    assert.deepEqual(
      [resultsOf(report), d.read('a.txt')],
      [{ 'a.txt': 'kept', 'b.txt': 'kept' }, 'A1'],
    );
    await d.rewind(1, { session: 'session-2', conflicts: 'take' });
    assert.deepEqual([d.read('a.txt'), d.read('b.txt')], ['A0', 'B0']);
  });
});

describe('what the user saves in an editor meanwhile', () => {
  const save = (d: StoreDriver, name: string, text: string) => {
    d.put(name, text);
    noteEditorSave(d.home, d.root, d.path(name), Date.now());
  };

  it('is the user’s', async () => {
    using d = start();
    await d.main.prompt();
    await command(d.main, 'make', () => {
      d.put('a.txt', 'A1');
      save(d, 'b.txt', 'mine');
      save(d, 'new.txt', 'mine too');
    });
    await d.main.stop();
    assert.deepEqual(await shown(d), [['a.txt shell']]);
    await d.rewind(1);
    assert.deepEqual(
      [d.read('a.txt'), d.read('b.txt'), d.read('new.txt')],
      ['A0', 'mine', 'mine too'],
    );
  });

  it('and changed by the command after that is a conflict', async () => {
    using d = start();
    await d.main.prompt();
    await command(d.main, 'make', () => {
      save(d, 'b.txt', 'mine');
      d.put('b.txt', 'mine and B1');
    });
    await d.main.stop();
    assert.deepEqual(resultsOf(await d.rewind(1)), { 'b.txt': 'kept' });
    assert.equal(d.read('b.txt'), 'mine and B1');
  });

  it('before the command is nobody’s business', async () => {
    using d = start();
    await d.turn((s) => s.shell('printf x > x.txt'));
    save(d, 'b.txt', 'mine');
    await d.turn((s) => s.shell('printf B1 > b.txt'));
    await d.rewind(2);
    assert.equal(d.read('b.txt'), 'mine');
  });

  it('takes little room, and nothing where no agent has been', () => {
    using d = start();
    save(d, 'a.txt', 'x');
    assert.equal(fs.existsSync(editorSavesFile(d.home, d.root)), false);
    fs.mkdirSync(path.dirname(editorSavesFile(d.home, d.root)), { recursive: true });
    for (let n = 0; n < 2_000; n++) save(d, 'a.txt', `${n}`);
    const { size, mode } = fs.statSync(editorSavesFile(d.home, d.root));
    assert.ok(size < 140_000);
    assert.equal(mode & 0o777, 0o600);
    assert.match(fs.readFileSync(editorSavesFile(d.home, d.root), 'utf8'), /^\{[^\n]*\}\n/);
  });
});

describe('what the user changed before the command', () => {
  it('in a file the turn had edited goes into what the command left: a conflict', async () => {
    using d = start();
    await d.turn(async (s) => {
      await s.edit('a.txt', 'A1');
      d.put('a.txt', 'A1 and mine');
      await s.shell('printf " and A2" >> a.txt');
    });
    assert.deepEqual(resultsOf(await d.rewind(1)), { 'a.txt': 'kept' });
    await d.rewind(1, { conflicts: 'take' });
    assert.equal(d.read('a.txt'), 'A0');
  });

  it('in any other file is what a rewind goes back to', async () => {
    using d = start();
    await d.turn(async (s) => {
      d.put('a.txt', 'mine');
      await s.shell('printf A1 > a.txt');
    });
    await d.rewind(1);
    assert.equal(d.read('a.txt'), 'mine');
  });
});

test('ignored files are not captured, never removed, and not claimed to be', async () => {
  using d = new StoreDriver({
    files: { ...files, '.gitignore': 'out/\n*.log\n', 'tracked.log': 'T0' },
    git: true,
    inProcess: true,
  });
  d.git('add', '-f', 'tracked.log');
  d.git('commit', '-qm', 'tracked');
  d.put('out/kept', 'O0');
  await d.turn((s) =>
    s.shell('printf O1 > out/kept; printf o > out/new; printf l > x.log; printf T1 > tracked.log'),
  );
  assert.deepEqual(await shown(d), [['tracked.log shell']]);
  await d.rewind(1);
  assert.deepEqual(
    [d.read('out/kept'), d.read('out/new'), d.read('x.log'), d.read('tracked.log')],
    ['O1', 'o', 'l', 'T0'],
  );
});

test('ignored files that a command removes are named as what cannot come back; what it made of them meanwhile is not', async () => {
  using d = new StoreDriver({
    files: { ...files, '.gitignore': '.env\nout/\n*.log\n', '.env': 'E0', 'out/o': 'O0' },
    inProcess: true,
  });
  d.put('x.log', 'L0');
  fs.mkdirSync(d.path('node_modules/m'), { recursive: true });
  await d.turn((s) => s.shell('rm -rf .env node_modules out x.log; mkdir out; printf A1 > a.txt'));
  const [turn] = await d.turns();
  assert.deepEqual(
    turn?.unprotected.map((u) => u.path),
    ['.env', 'node_modules', 'x.log'],
  );
  assert.match(turn?.unprotected[0]?.reason ?? '', /left out of the snapshots \(ignored\)/);
  const results = resultsOf(await d.rewind(1));
  assert.deepEqual(results, {
    'a.txt': 'restored',
    '.env': 'notRestorable',
    node_modules: 'notRestorable',
    'x.log': 'notRestorable',
  });
});

test('a rule that lets files in does not make them the command’s', async () => {
  using d = start();
  d.put('.gitignore', 'data/\n');
  d.put('data/old', 'D0');
  await d.turn((s) => s.shell('printf "" > .gitignore; printf new > data/new'));
  const [turn] = await d.turns();
  assert.deepEqual(
    turn?.files.map((f) => f.path),
    ['.gitignore'],
  );
  assert.deepEqual(
    turn?.unprotected.map((u) => u.path),
    ['data/new'],
  );
  await d.rewind(1);
  assert.deepEqual([d.read('data/old'), d.read('data/new')], ['D0', 'new']);
});

describe('where there are no snapshots', () => {
  it('the turn says so, and its own files are watched all the same', async () => {
    using d = new StoreDriver({ files, inProcess: true, snapshots: false });
    await d.turn(async (s) => {
      await s.edit('a.txt', 'A1');
      await s.shell('printf A2 > a.txt; printf B1 > b.txt');
    });
    const [turn] = await d.turns();
    assert.equal(turn?.uncapturedShell, true);
    await d.rewind(1);
    assert.deepEqual([d.read('a.txt'), d.read('b.txt')], ['A0', 'B1']);
  });

  it('because the folder is the user’s home, as well', async () => {
    using d = new StoreDriver({ files });
    const s = d.session('session-1', 'claude', d.folder);
    await s.turn((t) => t.shell('printf A1 > project/a.txt'));
    const [turn] = await d.turns();
    assert.match(turn?.uncapturedWhy ?? '', /home folder/);
  });

  it('after a command that began without one', async () => {
    using d = start();
    await d.main.prompt();
    await d.main.send(agentShapes.claude.shell('before', 'make'));
    const state = path.join(liveFolder(d.home, asSessionId('session-1')), 'state.json');
    const { shells: _, ...rest } = JSON.parse(fs.readFileSync(state, 'utf8'));
    fs.writeFileSync(state, JSON.stringify(rest));
    d.put('a.txt', 'A1');
    await d.main.send(agentShapes.claude.shell('after', 'make'));
    await d.main.stop();
    const [turn] = await d.turns();
    assert.deepEqual([turn?.files, turn?.uncapturedWhy], [[], 'Nothing was saved before it.']);
  });
});

test('a command that removes our own store: the turn goes on where it was', async () => {
  using d = new StoreDriver({ files, git: true });
  const before = d.tree();
  await d.turn(async (s) => {
    await s.edit('a.txt', 'A1');
    await s.shell('rm -rf .memcode; git clean -fdxq; printf B1 > b.txt');
    await s.edit('c.txt', 'C1');
  });
  assert.deepEqual(await shown(d), [['a.txt edit', 'b.txt shell', 'c.txt edit']]);
  const report = await d.rewind(1);
  assert.deepEqual([d.tree(), report.complete], [before, true]);
});
