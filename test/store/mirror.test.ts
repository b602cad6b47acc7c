/** The git repository of a session: what is in it, who may disturb it, and how it is mended. */
import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { describe, it, test } from 'node:test';
import { ClaudeTranscript, HistoryWorld, id } from '../helpers/historyWorld.ts';
import { assertSound, git, subjects, sync } from '../helpers/mirrorGit.ts';

test('three turns are three commits with one file a message', async () => {
  using world = new HistoryWorld();
  world.turn('S', 'First thing\nand more', { tools: ['read', 'grep', 'grep', 'grep'], took: 3 });
  world.turn('S', 'Second 文字 👩‍👩‍👧', { reply: 'Ready.\n\tNow.' });
  world.turn('S', '', { reply: '', end: 'interrupt' });
  const report = await sync(world);
  assert.deepEqual([report.commits, report.failures, report.repairs], [3, [], []]);
  assert.deepEqual(subjects(world), [
    'turn 3: (no prompt)',
    'turn 2: Second 文字 👩‍👩‍👧',
    'turn 1: First thing and more',
    'session begins',
  ]);
  const nodes = world.app.history.nodes('S#1' as never);
  assert.equal(
    git(world, 'S', 'log', '-1', '--format=%B', 'main~2'),
    [
      'turn 1: First thing and more',
      '',
      'assistant: Done.',
      'tools: read, grep × 3',
      '[meta: turn took 3.0s, 4 tools]',
      '',
      `Turn-Id: ${nodes[1]?.id}`,
      'Nodes: 6',
      'Max-Seq: 6',
    ].join('\n'),
  );
  assert.match(
    git(world, 'S', 'log', '-1', '--format=%B'),
    /assistant: \(no reply\)\n\[meta: .*0 tools\]\n\n[\s\S]*Status: interrupt$/,
  );
  const names = fs.readdirSync(path.join(world.mirror('S'), 'messages')).sort();
  assert.deepEqual(
    names.map((name) => name.replace(/-[0-9a-f]{12}-/, '-')),
    '000001-u-1-u 000002-a-1-a 000003-t-1-t1 000004-t-1-t2 000005-t-1-t3 000006-t-1-t4 000007-u-2-u 000008-a-2-a 000009-u-3-u 000010-a-3-a'
      .split(' ')
      .map((name) => `${name}.json`),
  );
  const tool = JSON.parse(
    fs.readFileSync(path.join(world.mirror('S'), 'messages', names[2] ?? ''), 'utf8'),
  );
  assert.deepEqual(
    [tool.role, tool.predecessor, tool.caller, tool.metadata.name],
    ['tool', null, nodes[1]?.id, 'read'],
  );
  assert.equal(typeof tool.created_at, 'number');
  const second = fs.readFileSync(path.join(world.mirror('S'), 'messages', names[6] ?? ''), 'utf8');
  assert.match(second, /"content": "Second 文字/);
  const meta = JSON.parse(fs.readFileSync(path.join(world.mirror('S'), 'meta.json'), 'utf8'));
  assert.deepEqual([meta.id, meta.agent, meta.turns, meta.root], ['S', 'claude', 3, world.root]);
  assert.equal(fs.statSync(world.mirror('S')).mode & 0o077, 0);
  assert.equal(fs.statSync(path.join(world.mirror('S'), 'meta.json')).mode & 0o077, 0);
  assertSound(world);
  assert.equal((await sync(world)).commits, 0);
});

test('two sessions are two repositories; a running turn waits', async () => {
  using world = new HistoryWorld();
  world.turn('S', 'one');
  world.turn('a strange/../name', 'two');
  world.begin('S', 'still running');
  world.app.ingest();
  const report = await world.app.history.syncMirrors();
  assert.equal(report.commits, 2);
  assert.deepEqual(subjects(world), ['turn 1: one', 'session begins']);
  assert.match(path.basename(world.mirror('a strange/../name')), /^~[0-9a-f]{16}$/);
  assertSound(world, 'a strange/../name');
});

test('a retry is a branch from its fork; main does not move, and the folder follows', async () => {
  using world = new HistoryWorld();
  for (const prompt of ['one', 'two', 'three']) world.turn('S', prompt);
  await sync(world);
  const main = git(world, 'S', 'rev-parse', 'main');
  world.app.history.goTo(id('S'), 'S#1' as never);
  await sync(world);
  assert.equal(git(world, 'S', 'log', '-1', '--format=%s'), 'turn 1: one');
  assert.equal(fs.readdirSync(path.join(world.mirror('S'), 'messages')).length, 2);
  assertSound(world);
  const retry = world.turn('S', 'two again');
  await sync(world);
  const reply = world.app.history.nodes(retry as never)[1]?.id;
  assert.equal(git(world, 'S', 'symbolic-ref', 'HEAD'), `refs/heads/retry-${reply}`);
  assert.equal(git(world, 'S', 'rev-parse', 'main'), main);
  assert.equal(
    git(world, 'S', 'rev-parse', `retry-${reply}~1`),
    git(world, 'S', 'rev-parse', 'main~2'),
  );
  assert.deepEqual(subjects(world, `retry-${reply}`), [
    'turn 2: two again',
    'turn 1: one',
    'session begins',
  ]);
  assertSound(world);
  for (const turn of world.app.history.turns(id('S')))
    assert.match(
      git(world, 'S', 'log', '-1', '--format=%B', turn.commit ?? ''),
      new RegExp(`Turn-Id: ${turn.node}`),
    );
});

test('the same turns make the same commits', async () => {
  using world = new HistoryWorld();
  for (let i = 0; i < 7; i++) world.turn('S', `prompt ${i}`, { tools: ['Edit'] });
  await sync(world);
  const before = git(world, 'S', 'rev-parse', 'main');
  fs.rmSync(world.mirror('S'), { recursive: true });
  const report = await sync(world);
  assert.equal(report.commits, 7);
  assert.equal(git(world, 'S', 'rev-parse', 'main'), before);
  assertSound(world);
});

test('200 turns in one go and one by one are the same', async () => {
  using world = new HistoryWorld();
  for (let i = 0; i < 130; i++) {
    const turn = world.begin('S', `prompt ${i}`);
    world.finish('S', turn, { tools: ['Edit', 'Bash'] });
  }
  world.app.ingest();
  await sync(world);
  const whole = git(world, 'S', 'rev-parse', 'main');
  assert.equal(git(world, 'S', 'rev-list', '--count', 'main'), '131');
  assertSound(world);
  const size = Number(git(world, 'S', 'count-objects', '-v').match(/size-pack: (\d+)/)?.[1]);
  assert.ok(size < 600, `the packs take ${size} KiB`);
  fs.rmSync(world.mirror('S'), { recursive: true });
  world.run('DELETE FROM mirror_commits; DELETE FROM outbox');
  for (let i = 1; i <= 130; i += 13) {
    world.run(
      `INSERT INTO outbox SELECT id, session, 0 FROM turns WHERE seq >= ${i} AND seq < ${i + 13}`,
    );
    await sync(world);
  }
  assert.equal(git(world, 'S', 'rev-parse', 'main'), whole);
});

test('the user’s configuration, hooks and ignore rules have no effect', async () => {
  using world = new HistoryWorld();
  const hooks = path.join(world.userHome, 'hooks');
  fs.mkdirSync(path.join(world.userHome, 'templates', 'hooks'), { recursive: true });
  fs.mkdirSync(hooks);
  for (const name of ['pre-commit', 'commit-msg', 'reference-transaction', 'post-commit'])
    fs.writeFileSync(path.join(hooks, name), '#!/bin/sh\nexit 1\n', { mode: 0o755 });
  fs.writeFileSync(path.join(world.userHome, 'ignore'), '*.json\n');
  fs.writeFileSync(
    path.join(world.userHome, '.gitconfig'),
    `[commit]\n\tgpgSign = true\n[core]\n\thooksPath = ${hooks}\n\texcludesFile = ${path.join(world.userHome, 'ignore')}\n\tautocrlf = true\n[init]\n\ttemplateDir = ${path.join(world.userHome, 'templates')}\n\tdefaultBranch = trunk\n`,
  );
  world.close();
  using app = {
    value: world.open({ environment: { PATH: process.env['PATH'], HOME: world.userHome } }),
    [Symbol.dispose]() {
      this.value.dispose();
    },
  };
  world.turn('S', 'one\r\ntwo');
  const report = await app.value.history.syncMirrors();
  assert.deepEqual([report.commits, report.failures], [1, []]);
  assertSound(world);
  assert.equal(git(world, 'S', 'ls-files').split('\n').length, 3);
});

describe('what a person does in it', () => {
  it('looking at an old commit does not break the next turn, and stays', async () => {
    using world = new HistoryWorld();
    world.turn('S', 'one');
    world.turn('S', 'two');
    await sync(world);
    git(world, 'S', 'checkout', '-q', 'main~1');
    world.turn('S', 'three');
    assert.deepEqual([(await sync(world)).repairs, subjects(world)[0]], [[], 'turn 3: three']);
    assert.equal(git(world, 'S', 'log', '-1', '--format=%s'), 'turn 1: one');
    git(world, 'S', 'checkout', '-q', 'main');
    assertSound(world);
    world.turn('S', 'four');
    await sync(world);
    assert.equal(git(world, 'S', 'log', '-1', '--format=%s'), 'turn 4: four');
    assertSound(world);
  });

  it('a commit of theirs on main is set aside, not lost', async () => {
    using world = new HistoryWorld();
    world.turn('S', 'one');
    await sync(world);
    const before = git(world, 'S', 'rev-parse', 'main');
    git(
      world,
      'S',
      '-c',
      'user.name=me',
      '-c',
      'user.email=me@x',
      'commit',
      '-q',
      '--allow-empty',
      '-m',
      'mine',
    );
    const mine = git(world, 'S', 'rev-parse', 'main');
    world.turn('S', 'two');
    const report = await sync(world);
    assert.match(report.repairs.join(), new RegExp(`kept as refs/quarantine/${mine}`));
    assert.equal(git(world, 'S', 'rev-parse', 'main~1'), before);
    assert.equal(git(world, 'S', 'rev-parse', `refs/quarantine/${mine}`), mine);
    assertSound(world);
  });

  it('turns taken off are made again once; a branch that is gone comes back', async () => {
    using world = new HistoryWorld();
    for (const prompt of ['one', 'two', 'three']) world.turn('S', prompt);
    await sync(world);
    const whole = git(world, 'S', 'rev-parse', 'main');
    git(world, 'S', 'reset', '-q', '--hard', 'main~2');
    assert.equal((await sync(world)).commits, 2);
    assert.equal(git(world, 'S', 'rev-parse', 'main'), whole);
    git(world, 'S', 'checkout', '-q', '--detach');
    git(world, 'S', 'branch', '-q', '-D', 'main');
    await sync(world);
    assert.equal(git(world, 'S', 'rev-parse', 'main'), whole);
    assert.equal((await sync(world)).commits, 0);
  });

  it('a file they changed stays as they have it', async () => {
    using world = new HistoryWorld();
    world.turn('S', 'one');
    await sync(world);
    const file = path.join(world.mirror('S'), 'meta.json');
    fs.writeFileSync(file, 'mine');
    world.turn('S', 'two');
    await sync(world);
    assert.equal(fs.readFileSync(file, 'utf8'), 'mine');
    assert.equal(git(world, 'S', 'status', '--porcelain'), ' M meta.json');
  });

  it('gc and repack of theirs', async () => {
    using world = new HistoryWorld();
    for (let i = 0; i < 5; i++) world.turn('S', `n ${i}`, { tools: ['Edit'] });
    await sync(world);
    git(world, 'S', 'gc', '-q', '--aggressive', '--prune=now');
    world.turn('S', 'after');
    assert.deepEqual((await sync(world)).repairs, []);
    assertSound(world);
  });

  it('messages that lead elsewhere are not followed', {
    skip: process.platform === 'win32',
  }, async () => {
    using world = new HistoryWorld();
    world.turn('S', 'one');
    await sync(world);
    const outside = path.join(world.folder, 'outside');
    fs.mkdirSync(outside);
    fs.rmSync(path.join(world.mirror('S'), 'messages'), { recursive: true });
    fs.symlinkSync(outside, path.join(world.mirror('S'), 'messages'));
    world.turn('S', 'two');
    await sync(world);
    assert.deepEqual(fs.readdirSync(outside), []);
    assert.equal(subjects(world)[0], 'turn 2: two');
  });
});

test('what a transcript tells late rides along with the next commit', async () => {
  using world = new HistoryWorld();
  const transcript = new ClaudeTranscript(world, 'S');
  world.event('S', { kind: 'session', transcript: transcript.file });
  const one = world.begin('S', 'one', 'p1');
  transcript.prompt('one', 'p1');
  world.finish('S', one, { reply: 'Short.' });
  world.now += 11_000;
  world.app.ingest();
  await sync(world);
  transcript.tool('Edit', { file_path: 'a' }, 'late');
  transcript.reply('Long.');
  const two = world.begin('S', 'two', 'p2');
  transcript.turn('two', 'p2');
  world.finish('S', two);
  world.app.ingest();
  assert.equal((await sync(world)).commits, 1);
  const files = fs.readdirSync(path.join(world.mirror('S'), 'messages'));
  assert.equal(files.length, 6);
  assert.deepEqual((await world.app.history.syncMirrors({ check: true })).repairs, []);
  assert.equal(world.sql('SELECT * FROM outbox').length, 0);
  assertSound(world);
});

test('of a session of long ago the messages stay in the repository until somebody wants them', async () => {
  using world = new HistoryWorld();
  for (const prompt of ['one', 'two', 'three']) world.turn('S', prompt);
  const day = 24 * 3_600_000;
  world.now += 40 * day;
  await world.app.history.syncMirrors();
  const listed = () => fs.readdirSync(world.mirror('S')).sort();
  assert.deepEqual(listed(), ['.git', 'meta.json']);
  assertSound(world);
  assert.equal(git(world, 'S', 'ls-files').split('\n').length, 7);
  // A person's git makes them appear, and ours goes on from there.
  git(world, 'S', 'sparse-checkout', 'disable');
  assert.equal(fs.readdirSync(path.join(world.mirror('S'), 'messages')).length, 6);
  assertSound(world);
  fs.rmSync(world.mirror('S'), { recursive: true });
  await world.app.history.syncMirrors();
  assert.deepEqual(listed(), ['.git', 'meta.json']);
  await sync(world);
  assert.deepEqual(listed(), ['.git', 'messages', 'meta.json']);
  assertSound(world);
  fs.rmSync(world.mirror('S'), { recursive: true });
  await world.app.history.syncMirrors();
  world.turn('S', 'goes on');
  await world.app.history.syncMirrors();
  assert.equal(fs.readdirSync(path.join(world.mirror('S'), 'messages')).length, 8);
  assertSound(world);
});

test('two apps at once: every turn once, in order', async () => {
  using world = new HistoryWorld();
  const other = world.open();
  for (let i = 0; i < 20; i++) {
    world.turn('S', `prompt ${i}`);
    const reports = await Promise.all([sync(world), other.history.syncMirrors()]);
    assert.deepEqual(
      reports.flatMap(({ failures }) => failures),
      [],
    );
  }
  other.dispose();
  assert.equal(git(world, 'S', 'rev-list', '--count', 'main'), '21');
  assertSound(world);
});

test('while a host watches, the mirror follows by itself', async () => {
  using world = new HistoryWorld();
  const changed = Promise.withResolvers<void>();
  const subscription = world.app.onDidChange(() => {
    if (world.app.history.turns(id('S'))[0]?.commit) changed.resolve();
  });
  world.turn('S', 'one');
  await changed.promise;
  subscription.dispose();
  assert.deepEqual(subjects(world), ['turn 1: one', 'session begins']);
});
