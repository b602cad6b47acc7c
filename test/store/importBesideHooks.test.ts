/** Imports of sessions that hooks recorded in part, and of conversations that forked. */
import assert from 'node:assert/strict';
import fs from 'node:fs';
import { describe, it } from 'node:test';
import { ClaudeTranscript, HistoryWorld, id } from '../helpers/historyWorld.ts';
import { counts, put, turnsOf } from '../helpers/importing.ts';

const codexPlace = '.codex/sessions/2026/11/30/rollout-2026-11-30-01a22d59.jsonl';

describe('beside hooks', () => {
  it('what hooks saw stays, what they missed is added before it', async () => {
    using world = new HistoryWorld();
    const transcript = new ClaudeTranscript(world, 'S');
    transcript.turn('old one', 'p1');
    transcript.turn('old two', 'p2');
    const live = world.begin('S', 'seen', 'p3');
    transcript.turn('seen', 'p3');
    world.finish('S', live, { tools: ['Read'], reply: 'Reply to seen' });
    world.now += 11_000;
    world.app.ingest();
    assert.deepEqual(
      world.app.history.nodes(live as never).map(({ name }) => name),
      [null, null, 'Read'],
    );
    assert.deepEqual(counts(await world.app.history.importSessions({})), [
      ['claude', 2, 0, false, null],
    ]);
    assert.deepEqual(turnsOf(world, 'S'), [
      [1, 'old one', 'Reply to old one', 'Read 1', 'stop'],
      [2, 'old two', 'Reply to old two', 'Read 1', 'stop'],
      [3, 'seen', 'Reply to seen', 'Read 1', 'stop'],
    ]);
    assert.equal(world.app.turn(live as never).number, 3);
    const next = world.turn('S', 'after');
    assert.equal(world.app.turn(next as never).number, 4);
    assert.deepEqual(world.app.history.branches(id('S')).length, 1);
    world.now += 11_000;
    const report = await world.app.history.syncMirrors({ check: true });
    assert.deepEqual([report.commits, report.failures], [4, []]);
    assert.deepEqual(
      (await world.app.doctor(world.root)).filter(({ severity }) => severity === 'problem'),
      [],
    );
  });

  it('what they miss afterwards comes after it, and hooks go on counting from there', async () => {
    using world = new HistoryWorld();
    const transcript = new ClaudeTranscript(world, 'S');
    const live = world.begin('S', 'seen', 'p1');
    transcript.turn('seen', 'p1');
    world.finish('S', live);
    world.app.ingest();
    transcript.turn('unseen', 'p2');
    await world.app.history.importSessions({});
    assert.deepEqual(
      world.app.turns(id('S')).map(({ seq, number, prompt }) => [seq, number, prompt]),
      [
        [1, 1, 'seen'],
        [2, 2, 'unseen'],
      ],
    );
    const recorder = world.app.recorder(world.root, id('S'), 'claude');
    assert.equal(recorder.begin('after').seq, 3);
    recorder.end();
    assert.deepEqual(
      world.app.turns(id('S')).map(({ number }) => number),
      [1, 2, 3],
    );
  });

  it('hooks that go on with an imported session give out numbers of their own', async () => {
    using world = new HistoryWorld();
    const transcript = new ClaudeTranscript(world, 'S');
    transcript.turn('one', 'p1');
    transcript.turn('two', 'p2');
    await world.app.history.importSessions({});
    const recorder = world.app.recorder(world.root, id('S'), 'claude');
    const { seq } = recorder.begin('three');
    recorder.end('Three.');
    assert.equal(seq, 1);
    assert.deepEqual(
      turnsOf(world, 'S').map(([number, prompt]) => [number, prompt]),
      [
        [1, 'one'],
        [2, 'two'],
        [3, 'three'],
      ],
    );
    assert.deepEqual(
      world.app.turns(id('S')).map(({ number }) => number),
      [1, 2, 3],
    );
    const imported = world.app.turns(id('S'))[0];
    await assert.rejects(world.app.rewind(imported?.id as never), /was imported|no turn/);
  });
});

describe('forks', () => {
  it('of Claude Code', async () => {
    using world = new HistoryWorld();
    const transcript = new ClaudeTranscript(world, 'S');
    const end = transcript.turn('one', 'p1');
    transcript.turn('two', 'p2');
    transcript.prompt('two again', 'p3', end);
    transcript.reply('Again.');
    await world.app.history.importSessions({});
    assert.deepEqual(
      world.app.history.branches(id('S')).map(({ turns, isCurrent }) => [turns, isCurrent]),
      [
        [2, false],
        [2, true],
      ],
    );
  });

  it('of Codex, rolled back', async () => {
    using world = new HistoryWorld();
    const file = put(world, 'codex.jsonl', codexPlace);
    const event = (payload: object) =>
      fs.appendFileSync(
        file,
        `${JSON.stringify({ timestamp: '2026-11-30T17:00:00Z', type: 'event_msg', payload })}\n`,
      );
    event({ type: 'thread_rolled_back', num_turns: 1 });
    event({ type: 'task_started', turn_id: 't3' });
    event({ type: 'user_message', message: 'otherwise' });
    event({ type: 'task_complete', turn_id: 't3', last_agent_message: 'So.' });
    await world.app.history.importSessions({});
    assert.deepEqual(
      turnsOf(world, '01a22d59-8909-7491-a8c7-488c6b1b35f8').map(([number, prompt]) => [
        number,
        prompt,
      ]),
      [
        [1, 'Make the greeting friendlier'],
        [2, 'second turn: say goodbye'],
        [2, 'otherwise'],
      ],
    );
  });
});
