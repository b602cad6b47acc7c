/** The message DAG: recorded live, completed from transcripts, forked, searched, checked. */
import assert from 'node:assert/strict';
import fs from 'node:fs';
import { describe, it, test } from 'node:test';
import { ClaudeTranscript, HistoryWorld, id } from '../helpers/historyWorld.ts';

const shape = (world: HistoryWorld, turn: string) =>
  world.app.history
    .nodes(turn as never)
    .map((node) => [node.role, node.name, node.content, node.seq]);

test('a prompt is a message at once, its reply a placeholder until the turn ends', () => {
  using world = new HistoryWorld();
  const turn = world.begin('S', 'Make it so');
  world.app.ingest();
  assert.deepEqual(shape(world, turn), [
    ['user', null, 'Make it so', 1],
    ['assistant', null, '', 2],
  ]);
  world.finish('S', turn, { tools: ['Edit', 'Bash'], reply: 'Made.' });
  world.app.ingest();
  assert.deepEqual(shape(world, turn), [
    ['user', null, 'Make it so', 1],
    ['assistant', null, 'Made.', 2],
    ['tool', 'Edit', '', 3],
    ['tool', 'Bash', '', 4],
  ]);
  const nodes = world.app.history.nodes(turn as never);
  assert.deepEqual(
    nodes.map(({ predecessor, caller }) => [predecessor, caller]),
    [
      [null, null],
      [nodes[0]?.id, null],
      [null, nodes[1]?.id],
      [null, nodes[1]?.id],
    ],
  );
});

test('a turn goes on from the one before it, and taking in again changes nothing', () => {
  using world = new HistoryWorld();
  const first = world.turn('S', 'one');
  const second = world.turn('S', 'two');
  const all = world.sql('SELECT * FROM nodes ORDER BY key');
  assert.equal(all[2]?.['predecessor'], all[1]?.['id']);
  world.close();
  world.app.ingest();
  assert.deepEqual(world.sql('SELECT * FROM nodes ORDER BY key'), all);
  assert.deepEqual(
    world.app.history.turns(id('S')).map((turn) => [turn.id, turn.parent, turn.number]),
    [
      [first, null, 1],
      [second, first, 2],
    ],
  );
});

test('events that come late or out of order make the same messages', () => {
  using world = new HistoryWorld();
  const turn = 'S#1';
  const tool = (name: string) =>
    world.event('S', {
      kind: 'tool',
      turn,
      tool: name,
      toolClass: 'other',
      callId: name,
      saved: [],
      unprotected: [],
    });
  world.event('S', { kind: 'end', turn, end: 'stop', reply: 'Made.' });
  world.now += 11_000;
  world.app.ingest();
  assert.deepEqual(shape(world, turn), [
    ['user', null, '', 1],
    ['assistant', null, 'Made.', 2],
  ]);
  tool('Edit');
  world.app.ingest();
  world.event('S', { kind: 'turn', turn, seq: 1, number: 1, prompt: 'Make it so' });
  world.app.ingest();
  tool('Bash');
  world.app.ingest();
  assert.deepEqual(shape(world, turn), [
    ['user', null, 'Make it so', 1],
    ['assistant', null, 'Made.', 2],
    ['tool', 'Edit', '', 3],
    ['tool', 'Bash', '', 4],
  ]);
  assert.equal(world.app.history.search({ text: 'make' }).length, 1);
});

test('a database from before has its turns recorded', () => {
  using world = new HistoryWorld();
  world.turn('S', 'one', { tools: ['Edit'] });
  world.turn('S', 'two');
  const before = world.sql('SELECT id, content, predecessor, caller FROM nodes ORDER BY key');
  world.close();
  world.run(
    'DELETE FROM node_words; DELETE FROM nodes; DELETE FROM outbox; UPDATE turns SET recorded = 0',
  );
  world.app.ingest();
  assert.deepEqual(
    world.sql('SELECT id, content, predecessor, caller FROM nodes ORDER BY key'),
    before,
  );
});

describe('completed from the transcript', () => {
  const open = (world: HistoryWorld) => {
    const transcript = new ClaudeTranscript(world, 'S');
    world.event('S', { kind: 'session', transcript: transcript.file });
    return transcript;
  };

  it('reply, tools and results, model, tokens, duration', () => {
    using world = new HistoryWorld();
    const transcript = open(world);
    const turn = world.begin('S', 'Fix the bug', 'p1');
    transcript.prompt('Fix the bug', 'p1');
    transcript.tool('Read', { file_path: 'a.js' }, 'old text');
    transcript.tool('Edit', { file_path: 'a.js' }, 'updated');
    transcript.reply('Fixed.');
    world.finish('S', turn, { tools: ['Edit'], reply: 'Fixed.' });
    world.app.ingest();
    assert.deepEqual(shape(world, turn), [
      ['user', null, 'Fix the bug', 1],
      ['assistant', null, 'Fixed.', 2],
      ['tool', 'Read', 'old text', 3],
      ['tool', 'Edit', 'updated', 4],
    ]);
    const reply = world.app.history.nodes(turn as never)[1];
    assert.deepEqual([reply?.model, reply?.inputTokens, reply?.outputTokens], ['model-x', 30, 15]);
    assert.equal(reply?.duration, 5000);
    assert.equal(world.app.turn(turn as never).model, 'model-x');
  });

  it('what comes after the hook is waited for, but not for ever', () => {
    using world = new HistoryWorld();
    const transcript = open(world);
    const turn = world.begin('S', 'Fix', 'p1');
    transcript.prompt('Fix', 'p1');
    transcript.tool('Read', {}, 'text');
    world.finish('S', turn, { reply: 'Fixed.' });
    world.app.ingest();
    assert.equal(world.sql('SELECT recorded FROM turns')[0]?.['recorded'], 1);
    assert.equal(world.app.history.complete(), true);
    transcript.reply('Fixed.');
    assert.equal(world.app.history.complete(), false);
    assert.equal(world.sql('SELECT recorded FROM turns')[0]?.['recorded'], 2);

    const next = world.begin('S', 'More', 'p2');
    transcript.prompt('More', 'p2');
    world.finish('S', next, { reply: 'All.', tools: ['Edit'] });
    world.app.ingest();
    assert.equal(world.app.history.complete(), true);
    world.now += 11_000;
    assert.equal(world.app.history.complete(), false);
    transcript.tool('Edit', { file_path: 'b' }, 'late');
    transcript.reply('All, late.');
    const after = world.begin('S', 'Once more', 'p3');
    transcript.turn('Once more', 'p3');
    world.finish('S', after);
    world.app.ingest();
    assert.deepEqual(shape(world, next).slice(1), [
      ['assistant', null, 'All, late.', 5],
      ['tool', 'Edit', 'late', 9],
    ]);
  });

  it('one that is missing, a folder, or nonsense costs only its details', () => {
    for (const damage of [
      (file: string) => fs.rmSync(file, { force: true }),
      (file: string) => fs.mkdirSync(file),
      (file: string) => fs.writeFileSync(file, '{"type":"user"}\n[1]\nnonsense\n{}\n"x"\nnull\n'),
      (file: string) => fs.writeFileSync(file, Buffer.alloc(100_000, 0xff)),
    ]) {
      using world = new HistoryWorld();
      const transcript = open(world);
      damage(transcript.file);
      const turn = world.begin('S', 'Fix', 'p1');
      world.finish('S', turn, { tools: ['Edit'], reply: 'Fixed.' });
      world.now += 11_000;
      world.app.ingest();
      assert.deepEqual(shape(world, turn).slice(1), [
        ['assistant', null, 'Fixed.', 2],
        ['tool', 'Edit', '', 3],
      ]);
    }
  });

  it('found by its name, where hooks were connected later and never named it', () => {
    using world = new HistoryWorld();
    const transcript = new ClaudeTranscript(world, 'S');
    const turn = world.begin('S', 'Fix', 'p1');
    transcript.turn('Fix', 'p1', 'Fixed.');
    world.finish('S', turn, { reply: 'Fixed.' });
    world.app.ingest();
    assert.deepEqual(shape(world, turn).slice(1), [
      ['assistant', null, 'Fixed.', 2],
      ['tool', 'Read', 'bytes for Fix', 3],
    ]);
  });

  it('records of unknown kinds are kept', () => {
    using world = new HistoryWorld();
    const transcript = open(world);
    const turn = world.begin('S', 'Fix', 'p1');
    transcript.prompt('Fix', 'p1');
    transcript.line({ type: 'something-new', payload: { a: 1 } });
    transcript.reply('Fixed.');
    world.finish('S', turn);
    world.app.ingest();
    const [kept] = world.sql('SELECT kind, record FROM kept_records');
    assert.equal(kept?.['kind'], 'something-new');
    assert.deepEqual(JSON.parse(String(kept?.['record'])).payload, { a: 1 });
  });

  it('a prompt whose parent is an older record is a branch, also when only the end is read', () => {
    using world = new HistoryWorld();
    const transcript = open(world);
    const say = (text: string, promptId: string, parent?: string | null) => {
      const turn = world.begin('S', text, promptId);
      if (parent === undefined) transcript.prompt(text, promptId);
      else transcript.prompt(text, promptId, parent);
      const end = transcript.reply(`Reply to ${text}`);
      world.finish('S', turn, { reply: `Reply to ${text}` });
      world.app.ingest();
      return { turn, end };
    };
    const one = say('one', 'p1');
    const two = say('two', 'p2');
    say('three', 'p3');
    const retry = say('two again', 'p4', one.end);
    const on = say('and on', 'p5');
    const turns = world.app.history.turns(id('S'));
    const parentOf = (turn: string) => turns.find((each) => each.id === turn)?.parent;
    assert.equal(parentOf(two.turn), one.turn);
    assert.equal(parentOf(retry.turn), one.turn);
    assert.equal(parentOf(on.turn), retry.turn);
    assert.deepEqual(
      world.app.history
        .branches(id('S'))
        .map(({ name, turns: n, forkedFrom, isCurrent }) => [
          name === 'main' ? name : name.replace(/-.*-/, '-'),
          n,
          forkedFrom,
          isCurrent,
        ]),
      [
        ['main', 3, null, false],
        ['retry-a', 3, one.turn, true],
      ],
    );
    assert.deepEqual(
      world.app.history.branch(id('S')).map(({ prompt, number }) => [number, prompt]),
      [
        [1, 'one'],
        [2, 'two again'],
        [3, 'and on'],
      ],
    );
    assert.equal(world.app.turn(on.turn as never).number, 3);
  });
});

describe('looking', () => {
  const five = (world: HistoryWorld) =>
    ['one', 'two', 'three', 'four', 'five'].map((prompt) => world.turn('S', prompt));

  it('prev and next are each other’s way back, and change no message', () => {
    using world = new HistoryWorld();
    const turns = five(world);
    const { history } = world.app;
    const before = world.sql('SELECT * FROM nodes, turns WHERE turns.id = nodes.turn ORDER BY key');
    const at = (position: { index: number; count: number; isLatest: boolean }) =>
      `${position.index}/${position.count}${position.isLatest ? ' latest' : ''}`;
    assert.equal(at(history.position(id('S'))), '5/5 latest');
    assert.equal(at(history.step(id('S'), 'next')), '5/5 latest');
    for (const expected of ['4/5', '3/5', '2/5', '1/5', '0/5', '0/5'])
      assert.equal(at(history.step(id('S'), 'prev')), expected);
    assert.equal(history.position(id('S')).turn, null);
    assert.equal(at(history.step(id('S'), 'next')), '1/5');
    assert.equal(at(history.goTo(id('S'), turns[3] as never)), '4/5');
    world.close();
    assert.equal(at(world.app.history.position(id('S'))), '4/5');
    assert.equal(at(world.app.history.step(id('S'), 'next')), '5/5 latest');
    assert.equal(at(world.app.history.step(id('S'), 'latest')), '5/5 latest');
    assert.deepEqual(
      world.sql('SELECT * FROM nodes, turns WHERE turns.id = nodes.turn ORDER BY key'),
      before,
    );
  });

  it('a prompt after going back forks there; the old branch stays as it was', () => {
    using world = new HistoryWorld();
    const turns = five(world);
    const old = world.app.history.branch(id('S'));
    world.app.history.goTo(id('S'), turns[1] as never);
    const retry = world.turn('S', 'three, otherwise');
    assert.equal(world.app.history.position(id('S')).turn, retry);
    const branches = world.app.history.branches(id('S'));
    assert.deepEqual(
      branches.map((branch) => branch.turns),
      [5, 3],
    );
    assert.deepEqual(
      world.app.history.branch(id('S'), 'main').map(({ id: turn, prompt }) => [turn, prompt]),
      old.map(({ id: turn, prompt }) => [turn, prompt]),
    );
    assert.equal(world.app.turn(retry as never).number, 3);
    const name = branches[1]?.name ?? '';
    assert.match(name, /^retry-[0-9a-f]{12}-6-a$/);
    // Back on the old branch, at its end: a prompt there forks nothing.
    assert.equal(world.app.history.switchTo(id('S'), 'main').index, 5);
    const six = world.turn('S', 'six');
    assert.equal(world.app.turn(six as never).number, 6);
    assert.deepEqual(
      world.app.history.branches(id('S')).map((branch) => branch.turns),
      [6, 3],
    );
  });

  it('before the first turn: the conversation begins anew beside the old one', () => {
    using world = new HistoryWorld();
    five(world);
    world.app.history.goTo(id('S'), null);
    world.turn('S', 'anew');
    assert.deepEqual(
      world.app.history.branches(id('S')).map((branch) => branch.turns),
      [5, 1],
    );
  });

  it('unknown sessions, turns and branches are told', () => {
    using world = new HistoryWorld();
    five(world);
    world.turn('T', 'other');
    const { history } = world.app;
    const notFound = { name: 'UserError', code: 'notFound' };
    assert.throws(() => history.turns(id('X')), notFound);
    assert.throws(() => history.goTo(id('S'), 'T#1' as never), notFound);
    assert.throws(() => history.switchTo(id('S'), 'retry-x'), notFound);
    assert.throws(() => history.branch(id('S'), 'nothing'), notFound);
  });
});

describe('search', () => {
  const texts = (world: HistoryWorld, query: object) =>
    world.app.history.search(query).map(({ node }) => [node.session, node.role]);

  it('by words, in any order, the last as a beginning; newest first', () => {
    using world = new HistoryWorld();
    world.turn('S', 'Explain the tokenizer', { reply: 'It splits words.' });
    world.turn('T', 'Change the Tökenizer’s cache', { tools: ['Edit'] });
    assert.deepEqual(texts(world, { text: 'tokeni' }), [
      ['T', 'user'],
      ['S', 'user'],
    ]);
    assert.deepEqual(texts(world, { text: 'cache token' }), [['T', 'user']]);
    assert.deepEqual(texts(world, { text: '"splits words"' }), [['S', 'assistant']]);
    assert.deepEqual(texts(world, { text: '"words splits"' }), []);
    assert.deepEqual(texts(world, { text: 'tokenizer', session: 'S' }), [['S', 'user']]);
    assert.deepEqual(texts(world, { text: 'given' }), [['T', 'tool']]);
    assert.deepEqual(texts(world, { text: 'to' }), []);
    assert.deepEqual(texts(world, { text: 'it' }), [['S', 'assistant']]);
    assert.deepEqual(texts(world, { text: 'tokenizer', agent: 'codex' }), []);
    assert.deepEqual(texts(world, { text: 'tokenizer', since: world.now }), []);
    assert.deepEqual(texts(world, { text: 'tokenizer', root: '/elsewhere' }), []);
    assert.throws(() => texts(world, {}), { code: 'usage' });
    assert.throws(() => texts(world, { text: '*"(' }), { code: 'usage' });
    for (const hostile of ["x' OR 1", 'a NEAR b', 'col:x', '-x', '^x', 'NOT', 'a"b'])
      assert.ok(Array.isArray(texts(world, { text: hostile })), hostile);
  });

  it('scripts without spaces', () => {
    using world = new HistoryWorld();
    world.turn('S', '请修复登录错误', { reply: '完成' });
    assert.deepEqual(texts(world, { text: '登录' }), [['S', 'user']]);
    assert.deepEqual(texts(world, { text: '录登' }), []);
  });

  it('a word at the beginning of a line that a tool was given', () => {
    using world = new HistoryWorld();
    const turn = world.begin('S', 'Go');
    const summary = JSON.stringify({ file_path: 'a.ts', content: 'first\nnumbers = 1' });
    world.event('S', {
      ...{ kind: 'tool', turn, tool: 'Write', toolClass: 'other', callId: 'c', summary },
      ...{ saved: [], unprotected: [] },
    });
    world.finish('S', turn);
    world.app.ingest();
    const [hit] = world.app.history.search({ text: 'numbers' });
    assert.equal(hit?.excerpt, 'file_path: a.ts content: first numbers = 1');
  });

  it('finds what a message became, not what it was', () => {
    using world = new HistoryWorld();
    const turn = world.begin('S', 'Go');
    world.app.ingest();
    world.finish('S', turn, { reply: 'Zebra.' });
    world.app.ingest();
    assert.deepEqual(texts(world, { text: 'zebra' }), [['S', 'assistant']]);
  });
});

describe('what is broken is told by name', () => {
  const broken: readonly (readonly [string, string, RegExp])[] = [
    [
      'a prompt that follows nothing',
      "UPDATE nodes SET predecessor = NULL WHERE role = 'user'",
      /-2-u/,
    ],
    [
      'a prompt that follows a stranger',
      "UPDATE nodes SET predecessor = 'x' WHERE seq = 3",
      /-2-u/,
    ],
    ['a reply without its prompt', "UPDATE nodes SET predecessor = 'x' WHERE seq = 4", /-2-a/],
    ['a tool of nobody', "UPDATE nodes SET caller = NULL WHERE role = 'tool'", /-2-t1/],
    ['a tool in the chain', "UPDATE nodes SET predecessor = 'x' WHERE role = 'tool'", /-2-t1/],
    ['a reply that is gone', 'DELETE FROM nodes WHERE seq = 4', /S#2/],
  ];
  for (const [name, sql, subject] of broken)
    it(name, async () => {
      using world = new HistoryWorld();
      world.turn('S', 'one');
      world.turn('S', 'two', { tools: ['Edit'] });
      assert.deepEqual(
        (await world.app.doctor(world.root)).filter(({ severity }) => severity === 'problem'),
        [],
      );
      world.run(sql);
      const findings = await world.app.doctor(world.root);
      assert.ok(
        findings.some((finding) => subject.test(finding.subject)),
        JSON.stringify(findings),
      );
    });

  it('a turn that would hang in the air is refused, the other sessions go on', () => {
    using world = new HistoryWorld();
    world.turn('S', 'one');
    world.run('DELETE FROM nodes');
    const lost = world.turn('S', 'two');
    const other = world.turn('T', 'fine');
    assert.deepEqual(shape(world, lost), []);
    assert.equal(shape(world, other).length, 2);
    assert.ok(
      world.log.some((line) =>
        /Session S: The conversation is broken at message \w+-2-u/.test(line),
      ),
    );
  });
});

test('erased with their project', async () => {
  using world = new HistoryWorld();
  world.turn('S', 'a secret word', { tools: ['Edit'] });
  await world.app.history.syncMirrors();
  assert.ok(fs.existsSync(world.mirror('S')));
  await world.app.erase(world.root);
  for (const table of ['nodes', 'turns', 'outbox', 'mirror_commits', 'mirrors', 'transcripts'])
    assert.deepEqual(world.sql(`SELECT * FROM ${table}`), [], table);
  assert.deepEqual(world.app.history.search({ text: 'secret' }), []);
  assert.equal(fs.existsSync(world.mirror('S')), false);
  world.close();
  for (const name of fs.readdirSync(world.home))
    if (name.startsWith('timeline.db'))
      assert.equal(fs.readFileSync(`${world.home}/${name}`).includes('secret'), false, name);
});

test('export tells every branch, and text cannot break out of its fence', () => {
  using world = new HistoryWorld();
  const one = world.turn('S', 'one\n# no heading', { reply: '```js\nx\n```' });
  world.turn('S', 'two');
  world.app.history.goTo(id('S'), one as never);
  world.turn('S', 'two again', { tools: ['`````'] });
  const text = world.app.history.export(id('S'), 'markdown');
  assert.match(text, /> one\n> # no heading/);
  assert.match(text, /## Turn 2 \(retry-/);
  const whole = JSON.parse(world.app.history.export(id('S'), 'json'));
  assert.equal(whole.turns.length, 3);
  assert.equal(whole.turns[0].messages.length, 2);
});
