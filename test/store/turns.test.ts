/** Which turn an edit belongs to, however the agents announce, repeat, overlap or forget their events. */
import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { describe, it, test } from 'node:test';
import { asSessionId } from '../../src/core/ids.ts';
import { type AgentName, agentShapes, sample } from '../helpers/storeAgents.ts';
import { resultsOf, StoreDriver } from '../helpers/storeDriver.ts';
import { treeOf } from '../helpers/storeTree.ts';

const files = { 'a.txt': 'A0', 'b.txt': 'B0', 'c.txt': 'C0' };

async function shown(d: StoreDriver, session = 'session-1'): Promise<unknown> {
  return (await d.turns(session)).map((t) => [t.number, t.end, t.files.map((f) => f.path)]);
}

for (const agent of ['claude', 'codex', 'gemini'] as const satisfies readonly AgentName[]) {
  test(`${agent}: two turns, from session start to session end`, async () => {
    using d = new StoreDriver({ files });
    const s = d.session('S', agent);
    await s.start();
    await s.turn((t) => t.edit('a.txt', 'A1'), 'First');
    await s.turn(async (t) => {
      await t.edit('a.txt', 'A2');
      await t.edit('new/b', 'N');
      await t.shell('cat a.txt');
    }, 'Second');
    await s.end();
    const turns = await d.turns('S');
    assert.deepEqual(
      turns.map((t) => [t.number, t.seq, t.agent, t.prompt, t.end, t.reply, t.uncapturedShell]),
      [
        [1, 1, agent, 'First', 'stop', 'All three changes are done.', false],
        [2, 2, agent, 'Second', 'stop', 'All three changes are done.', false],
      ],
    );
    assert.deepEqual(
      turns[1]?.files.map((f) => [f.path, f.change, f.added, f.removed]),
      [
        ['a.txt', 'modified', 1, 1],
        ['new/b', 'added', 1, 0],
      ],
    );
    assert.deepEqual(
      turns[1]?.tools.map((tool) => tool.count),
      [2, 1],
    );
    assert.equal(turns[1]?.files.length, 2);
    await d.rewind(1, { session: 'S' });
    assert.deepEqual(Object.keys(d.tree()), ['a.txt', 'b.txt', 'c.txt']);
    assert.equal(d.read('a.txt'), 'A0');
  });
}

describe('turns without edits', () => {
  it('leave nothing in the work tree', async () => {
    using d = new StoreDriver({ files });
    await d.turn((s) => s.shell('ls'));
    assert.equal(fs.existsSync(d.path('.memcode')), false);
    assert.deepEqual(await shown(d), [[1, 'stop', []]]);
  });

  it('and turns whose edits were refused, failed or changed nothing have no checkpoint (W7)', async () => {
    using d = new StoreDriver({ files });
    await d.turn((s) => s.edit('a.txt', 'A1'));
    const before = treeOf(d.path('.memcode'));
    await d.turn(async (s) => {
      await s.before('b.txt');
      await s.edit('a.txt', 'A1');
      await s.edit('c.txt', (file) => {
        fs.writeFileSync(file, 'C1');
        fs.writeFileSync(file, 'C0');
      });
      await s.before('never/made');
    });
    assert.deepEqual(treeOf(d.path('.memcode')), before);
    assert.deepEqual(await shown(d), [
      [1, 'stop', ['a.txt']],
      [2, 'stop', []],
    ]);
  });

  it('have numbers that others never get', async () => {
    using d = new StoreDriver({ files });
    const seqs = async () => (await d.turns()).map((t) => t.seq);
    await d.turn((s) => s.edit('a.txt', 'A1'));
    await d.turn(() => undefined);
    await d.rewind(1);
    await d.turn((s) => s.edit('a.txt', 'A2'));
    assert.deepEqual(await seqs(), [1, 2, 3]);
    fs.rmSync(d.path('.memcode'), { recursive: true });
    await d.turn((s) => s.edit('a.txt', 'A3'));
    assert.deepEqual(await seqs(), [1, 2, 3, 4]);
    fs.rmSync(path.join(d.home, 'live'), { recursive: true });
    await d.turn((s) => s.edit('a.txt', 'A4'));
    assert.deepEqual(await seqs(), [1, 2, 3, 4, 5]);
    await d.rewind(5);
    fs.rmSync(path.join(d.home, 'live'), { recursive: true });
    await d.turn((s) => s.edit('a.txt', 'A5'));
    assert.deepEqual(await seqs(), [1, 2, 3, 4, 5, 6]);
  });
});

describe('work in the background', () => {
  const notice = sample('claude', 'UserPromptSubmit.task-notification');
  const subagent = (when: 'before' | 'after') => ({
    ...sample(
      'claude',
      when === 'before' ? 'PreToolUse.Edit.subagent' : 'PostToolUse.Edit.subagent',
    ),
  });

  it('of a subagent after the stop belongs to the turn that began it, with the turn its notice makes', async () => {
    using d = new StoreDriver({ files });
    const s = d.main;
    const edit = async (name: string, text: string, promptId: string) => {
      const named = { tool_input: { file_path: d.path(name) } };
      await s.send({ ...subagent('before'), ...named }, { promptId });
      d.put(name, text);
      await s.send({ ...subagent('after'), ...named }, { promptId });
    };
    await s.prompt('First');
    await s.edit('a.txt', 'A1');
    await s.send(sample('claude', 'Stop.background-agent'));
    await edit('b.txt', 'B1', 'prompt-1');
    await s.send(notice, { promptId: 'notice-1' });
    await s.send(agentShapes.claude.write('before', d.path('c.txt')), { promptId: 'notice-1' });
    d.put('c.txt', 'C1');
    await s.send(agentShapes.claude.write('after', d.path('c.txt')), { promptId: 'notice-1' });
    await s.send(agentShapes.claude.stop, { promptId: 'notice-1' });
    await s.turn((t) => t.edit('b.txt', 'B2'), 'Second');
    assert.deepEqual(await shown(d), [
      [1, 'stop', ['a.txt', 'b.txt', 'c.txt']],
      [2, 'stop', ['b.txt']],
    ]);
    await d.rewind(2);
    assert.equal(d.read('b.txt'), 'B1');
    const report = await d.rewind(1);
    assert.equal(report.complete, true);
    assert.deepEqual([d.read('a.txt'), d.read('b.txt'), d.read('c.txt')], ['A0', 'B0', 'C0']);
  });

  it('that goes on during the next turn is taken back with that one, and earlier states are not mixed up', async () => {
    using d = new StoreDriver({ files });
    const s = d.main;
    const named = { tool_input: { file_path: d.path('b.txt') } };
    await s.turn((t) => t.edit('a.txt', 'A1'), 'First');
    await s.prompt('Second');
    await s.send({ ...subagent('before'), ...named }, { promptId: 'prompt-1' });
    d.put('b.txt', 'B1');
    await s.send({ ...subagent('after'), ...named }, { promptId: 'prompt-1' });
    await s.edit('a.txt', 'A2');
    await s.stop();
    await d.rewind(2);
    assert.deepEqual([d.read('a.txt'), d.read('b.txt')], ['A1', 'B0']);
    await d.redo();
    await d.rewind(1);
    assert.deepEqual([d.read('a.txt'), d.read('b.txt')], ['A0', 'B0']);
  });

  it('that was announced before the end and is done after it is not lost', async () => {
    using d = new StoreDriver({ files });
    const s = d.main;
    const named = { tool_input: { file_path: d.path('b.txt') } };
    await s.prompt('First');
    // The agent itself looks at the file first, and does nothing to it.
    await s.before('b.txt');
    await s.send({ ...subagent('before'), ...named }, { promptId: 'prompt-1' });
    await s.stop();
    assert.deepEqual(await shown(d), [[1, 'stop', []]]);
    d.put('b.txt', 'B1');
    await s.send({ ...subagent('after'), ...named }, { promptId: 'prompt-1' });
    assert.deepEqual(await shown(d), [[1, 'stop', ['b.txt']]]);
    const report = await d.rewind(1);
    assert.deepEqual([d.read('b.txt'), report.complete], ['B0', true]);
  });

  it('that ended with a shell command of its own is no turn of its own', async () => {
    using d = new StoreDriver({ files });
    await d.turn((t) => t.edit('a.txt', 'A1'));
    await d.main.send(
      { ...subagent('before'), tool_name: 'Bash', tool_input: { command: 'make' } },
      { promptId: 'prompt-1' },
    );
    assert.deepEqual(await shown(d), [[1, 'stop', ['a.txt']]]);
  });
});

describe('turns whose end nobody told', () => {
  it('end with the next prompt', async () => {
    using d = new StoreDriver({ files });
    await d.main.prompt('First');
    await d.main.edit('a.txt', 'A1');
    await d.turn((s) => s.edit('a.txt', 'A2'), 'Second');
    assert.deepEqual(await shown(d), [
      [1, 'nextPrompt', ['a.txt']],
      [2, 'stop', ['a.txt']],
    ]);
    await d.rewind(1);
    assert.equal(d.read('a.txt'), 'A0');
  });

  it('end with the session', async () => {
    using d = new StoreDriver({ files });
    await d.main.prompt();
    await d.main.edit('a.txt', 'A1');
    await d.main.end();
    assert.deepEqual(await shown(d), [[1, 'sessionEnd', ['a.txt']]]);
    const [session] = await d.with((app) => app.sessions(d.root));
    assert.notEqual(session?.endedAt, null);
  });

  it('end with an interrupt', async () => {
    using d = new StoreDriver({ files });
    const s = d.session('S', 'codex');
    await s.prompt();
    await s.edit('a.txt', 'A1');
    await s.send(sample('codex', 'Interrupt'));
    await s.end();
    assert.deepEqual(await shown(d, 'S'), [[1, 'interrupt', ['a.txt']]]);
  });

  it('are stale after half an hour of silence, and run again when they go on', async () => {
    using d = new StoreDriver({ files });
    await d.main.prompt();
    await d.main.edit('a.txt', 'A1');
    assert.deepEqual(await shown(d), [[1, 'running', ['a.txt']]]);
    const later = { now: () => Date.now() + 31 * 60_000 };
    await d.with(() => undefined, later);
    assert.deepEqual(await shown(d), [[1, 'stale', ['a.txt']]]);
    await d.main.edit('b.txt', 'B1');
    assert.deepEqual(await shown(d), [[1, 'running', ['a.txt', 'b.txt']]]);
    await d.main.stop();
    assert.deepEqual(await shown(d), [[1, 'stop', ['a.txt', 'b.txt']]]);
    await d.rewind(1);
    assert.deepEqual([d.read('a.txt'), d.read('b.txt')], ['A0', 'B0']);
  });

  it('and become stale although their session’s live state or their saved bytes are gone', async () => {
    using d = new StoreDriver({ files });
    await d.main.prompt();
    await d.main.edit('a.txt', 'A1');
    await d.main.before('b.txt');
    await d.with(() => undefined);
    fs.rmSync(path.join(d.home, 'live'), { recursive: true });
    fs.rmSync(d.stored('1', 'files', 'a.txt'));
    await d.with(() => undefined, { now: () => Date.now() + 31 * 60_000 });
    assert.deepEqual(((await shown(d)) as unknown[][])[0]?.slice(0, 2), [1, 'stale']);
  });
});

describe('events that come twice', () => {
  it('one prompt from two settings files is one turn, one call one call', async () => {
    for (const agent of ['claude', 'gemini'] as const) {
      using d = new StoreDriver({ files });
      const s = d.session('S', agent);
      const twice = (body: object) =>
        Promise.all([1, 2].map(() => d.hookInBackground(s.payload({ ...body }), agent)));
      const shape = agentShapes[agent];
      await s.prompt('Same');
      await s.send(shape.prompt('Same'));
      await twice(shape.write('before', d.path('a.txt')));
      d.put('a.txt', 'A1');
      await twice(shape.write('after', d.path('a.txt')));
      await twice(shape.stop);
      const turns = await d.turns('S');
      assert.deepEqual(
        turns.map((t) => [t.prompt, t.end, t.tools.map((tool) => tool.count)]),
        [['Same', 'stop', [1]]],
        agent,
      );
    }
  });

  it('eight at once open one turn', async () => {
    using d = new StoreDriver({ files });
    const payload = d.main.payload(agentShapes.claude.prompt('Same'), { promptId: 'p' });
    const results = await Promise.all(Array.from({ length: 8 }, () => d.hookInBackground(payload)));
    assert.deepEqual(
      results.map((r) => [r.status, r.stdout, r.stderr]),
      Array(8).fill([0, '', '']),
    );
    assert.deepEqual(await shown(d), [[1, 'running', []]]);
  });

  it('the same words twice, one after the other, are two turns', async () => {
    using d = new StoreDriver({ files });
    const s = d.session('S', 'gemini');
    await s.turn((t) => t.edit('a.txt', 'A1'), 'continue');
    await s.turn((t) => t.edit('a.txt', 'A2'), 'continue');
    assert.equal((await d.turns('S')).length, 2);
  });

  it('an empty prompt in an open turn is none', async () => {
    using d = new StoreDriver({ files });
    await d.main.prompt('First');
    await d.main.prompt('');
    await d.main.edit('a.txt', 'A1');
    await d.main.stop();
    assert.deepEqual(await shown(d), [[1, 'stop', ['a.txt']]]);
  });
});

describe('several hooks at once', () => {
  it('eight files of one turn, then eight of the next: all are saved', async () => {
    const names = Array.from({ length: 8 }, (_, n) => `f${n}`);
    using d = new StoreDriver({
      files: Object.fromEntries(names.map((name) => [name, `${name} 0`])),
    });
    const all = (when: 'before' | 'after') =>
      Promise.all(
        names.map((name) =>
          d.hookInBackground(
            d.main.payload(agentShapes.claude.write(when, d.path(name)), { callId: name }),
          ),
        ),
      );
    for (const turn of [1, 2]) {
      await d.main.prompt(`Turn ${turn}`);
      const results = await all('before');
      for (const name of names) d.put(name, `${name} ${turn}`);
      results.push(...(await all('after')));
      assert.deepEqual(new Set(results.map((r) => JSON.stringify(r))).size, 1);
      await d.main.stop();
    }
    const turns = await d.turns();
    assert.deepEqual(
      turns.map((t) => [t.files.length, t.unprotected.length, t.tools[0]?.count]),
      [
        [8, 0, 8],
        [8, 0, 8],
      ],
    );
    await d.rewind(2);
    assert.deepEqual(
      names.map((name) => d.read(name)),
      names.map((name) => `${name} 1`),
    );
    await d.rewind(1);
    assert.deepEqual(
      names.map((name) => d.read(name)),
      names.map((name) => `${name} 0`),
    );
    assert.deepEqual(await d.problems(), []);
  });

  it('one file, eight times: one row, and the state before any of them', async () => {
    using d = new StoreDriver({ files });
    await d.main.prompt();
    const payload = d.main.payload(agentShapes.claude.write('before', d.path('a.txt')));
    await Promise.all(Array.from({ length: 8 }, () => d.hookInBackground(payload)));
    d.put('a.txt', 'A1');
    await Promise.all(Array.from({ length: 8 }, () => d.hookInBackground(payload)));
    await d.main.after('a.txt');
    await d.main.stop();
    assert.equal(d.manifest(1).files.length, 1);
    assert.deepEqual(fs.readdirSync(d.stored('1')).sort(), ['files', 'manifest.json']);
    await d.rewind(1);
    assert.equal(d.read('a.txt'), 'A0');
  });

  it('without a prompt: one turn', async () => {
    using d = new StoreDriver({ files });
    await Promise.all(
      ['a.txt', 'b.txt', 'c.txt', 'x/1', 'x/2', 'x/3'].map((name) =>
        d.hookInBackground(
          d.main.payload(agentShapes.claude.write('before', d.path(name)), { callId: name }),
        ),
      ),
    );
    for (const name of ['a.txt', 'b.txt', 'c.txt', 'x/1', 'x/2', 'x/3']) d.put(name, 'new');
    await d.main.stop();
    assert.deepEqual(await shown(d), [
      [1, 'stop', ['a.txt', 'b.txt', 'c.txt', 'x/1', 'x/2', 'x/3']],
    ]);
    await d.rewind(1);
    assert.deepEqual(Object.keys(d.tree()), ['a.txt', 'b.txt', 'c.txt']);
  });

  it('the end of a turn, and an edit of a subagent at the same moment', async () => {
    using d = new StoreDriver({ files });
    for (let round = 0; round < 5; round++) {
      await d.main.prompt();
      await d.main.before('b.txt');
      await Promise.all([
        d.hookInBackground(d.main.payload(agentShapes.claude.stop)),
        d.hookInBackground(
          d.main.payload({
            ...agentShapes.claude.write('before', d.path('a.txt')),
            agent_id: 'sub',
          }),
        ),
      ]);
      const before = d.read('a.txt');
      d.put('a.txt', `A ${round}`);
      await d.main.after('a.txt');
      await d.main.stop();
      const turns = await d.turns();
      assert.deepEqual(
        turns.at(-1)?.files.map((f) => f.path),
        ['a.txt'],
      );
      await d.rewind(turns.at(-1)!.number);
      assert.equal(d.read('a.txt'), before);
    }
  });
});

test('a shell command’s change of a file the turn had edited is the agent’s; a person’s is not', async () => {
  using d = new StoreDriver({ files });
  await d.turn(async (s) => {
    await s.edit('a.txt', 'A1\n');
    await s.shell('echo more >> a.txt');
    await s.edit('b.txt', 'B1\n');
    d.put('b.txt', 'B1 and mine\n');
    await s.shell('echo more >> b.txt');
  });
  const report = await d.rewind(1);
  assert.deepEqual(resultsOf(report), { 'a.txt': 'restored', 'b.txt': 'kept' });
  assert.deepEqual([d.read('a.txt'), d.read('b.txt')], ['A0', 'B1 and mine\nmore\n']);
});

test('a patch that Codex gives to its shell has no event after it', async () => {
  using d = new StoreDriver({ files });
  const s = d.session('S', 'codex');
  await s.prompt();
  const patch =
    '*** Begin Patch\n*** Update File: a.txt\n@@\n-x\n+y\n*** Delete File: b.txt\n*** Add File: n/new\n+n\n*** End Patch';
  await s.send(agentShapes.codex.shell('before', `apply_patch <<'EOF'\n${patch}\nEOF`));
  d.put('a.txt', 'A1');
  fs.rmSync(d.path('b.txt'));
  d.put('n/new', 'n\n');
  await s.stop();
  assert.deepEqual(await shown(d, 'S'), [[1, 'stop', ['a.txt', 'b.txt', 'n/new']]]);
  await d.rewind(1, { session: 'S' });
  assert.deepEqual(
    [d.read('a.txt'), d.read('b.txt'), Object.keys(d.tree())],
    ['A0', 'B0', ['a.txt', 'b.txt', 'c.txt']],
  );
});

test('the prompt after a rewind tells the agent which files went back, once', async () => {
  using d = new StoreDriver({ files });
  await d.turn((s) => s.edit('a.txt', 'A1'));
  await d.rewind(1);
  const told = await d.main.prompt('Next');
  assert.match(told, /a\.txt/);
  assert.equal(await d.main.prompt('And next'), '');
  const [session] = await d.with((app) => app.sessions(d.root));
  assert.equal(session?.id, asSessionId('session-1'));
});
