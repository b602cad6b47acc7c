/** Commands that change very much: their pre-images stay in the snapshot store, and everything else is as with few. */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import { describe, it, test } from 'node:test';
import { openSnapshots } from '../../src/app/snapshots.ts';
import { snapshotRepository } from '../../src/base/home.ts';
import { asSessionId } from '../../src/core/ids.ts';
import { type DriverOptions, resultsOf, StoreDriver } from '../helpers/storeDriver.ts';

/** A few more than are copied. */
const count = 310;
const many = Object.fromEntries(
  Array.from({ length: count }, (_, n) => [`d${n % 10}/f${n}`, `old ${n}`]),
);
const start = (more: DriverOptions = {}) =>
  new StoreDriver({ files: { ...many, 'a.txt': 'A0' }, inProcess: true, ...more });
const change = 'for f in d?/*; do printf new > $f; done; rm -r d0; mkdir -p z && cp -r d1 z';
const storeOf = (d: StoreDriver) => snapshotRepository(d.home, d.root);

test('go back and forth, by hooks of their own; nothing but the manifest is written for them', async () => {
  using d = start({ inProcess: false });
  const before = d.tree();
  await d.turn((s) => s.shell(change));
  const after = d.tree();
  const [turn] = await d.turns();
  assert.deepEqual([turn?.files.length, turn?.uncapturedShell], [count + count / 10, false]);
  assert.deepEqual(fs.readdirSync(d.stored('1')), ['manifest.json']);
  const content = await d.with((app) => app.content(turn!.id, 'd3/f3', 'before'));
  assert.equal(content.kind === 'bytes' && Buffer.from(content.bytes).toString(), 'old 3');
  const preview = await d.with((app) => app.preview(turn!.id));
  assert.deepEqual([preview.conflicts, preview.notRestorable, preview.warnings], [[], [], []]);
  assert.equal((await d.rewind(1)).complete, true);
  assert.deepEqual(d.tree(), before);
  await d.redo();
  assert.deepEqual(d.tree(), after);
  assert.deepEqual(await d.problems(), []);
});

describe('in a turn with other work', () => {
  it('the first pre-image of a path counts, whoever saved it', async () => {
    using d = start();
    const before = d.tree();
    await d.turn(async (s) => {
      await s.edit('d1/f1', 'edited');
      await s.shell(change);
      await s.edit('d1/f1', 'edited again');
      await s.edit('d2/f2', 'edited');
      await s.shell('rm -r d2');
    });
    await d.rewind(1);
    assert.deepEqual(d.tree(), before);
  });

  it('also where an edit tool saved what the command had made of it', async () => {
    using d = start();
    const before = d.tree();
    const { agentShapes } = await import('../helpers/storeAgents.ts');
    await d.turn(async (s) => {
      await s.send(agentShapes.claude.shell('before', change), { callId: 'c' });
      for (const name of Object.keys(many)) d.put(name, 'new');
      await s.edit('d1/f1', 'edited');
      await s.send(agentShapes.claude.shell('after', change), { callId: 'c' });
    });
    await d.rewind(1);
    assert.deepEqual(d.tree(), before);
  });

  it('somebody else’s change since is a conflict, which merges', async () => {
    using d = start({ files: { ...many, 'a.txt': '1\n2\n3\n4\n5\n' } });
    await d.turn((s) => s.shell(`${change}; sed -i s/1/one/ a.txt`));
    d.put('a.txt', 'one\n2\n3\n4\nfive\n');
    const report = await d.rewind(1);
    assert.equal(resultsOf(report)['a.txt'], 'kept');
    assert.deepEqual([d.read('a.txt'), d.read('d3/f3')], ['one\n2\n3\n4\nfive\n', 'old 3']);
    await d.rewind(1, { conflicts: 'merge' });
    assert.equal(d.read('a.txt'), '1\n2\n3\n4\nfive\n');
  });
});

test('one turn of three can be reverted, and that undone', async () => {
  using d = start();
  await d.turn((s) => s.edit('a.txt', 'A1'));
  const before = d.tree();
  await d.turn((s) => s.shell(change));
  const after = d.tree();
  await d.turn((s) => s.edit('a.txt', 'A2'));
  const [, second] = await d.turns();
  const { operation } = await d.with((app) => app.revertTurn(second!.id));
  assert.deepEqual({ ...d.tree(), 'a.txt': '' }, { ...before, 'a.txt': '' });
  await d.with((app) => app.redo(operation!));
  assert.deepEqual({ ...d.tree(), 'a.txt': '' }, { ...after, 'a.txt': '' });
});

describe('the bytes in the store', () => {
  it('stay when the snapshots go, as long as the checkpoint does', async () => {
    using d = start();
    const before = d.tree();
    await d.turn((s) => s.shell(change));
    const git = (...args: string[]) => execFileSync('git', ['-C', storeOf(d), ...args]).toString();
    git('update-ref', '-d', 'refs/heads/main');
    git('gc', '-q', '--prune=now');
    assert.equal(git('fsck', '--strict', '--no-dangling', '--no-progress'), '');
    await d.rewind(1);
    assert.deepEqual(d.tree(), before);
  });

  it('are found again after a command has removed the checkpoint', async () => {
    using d = start();
    const before = d.tree();
    await d.turn(async (s) => {
      await s.shell(change);
      await s.shell('rm -rf .memcode; printf A1 > a.txt');
    });
    await d.rewind(1);
    assert.deepEqual(d.tree(), before);
  });

  it('are named where they are gone; the rest goes back if one says so', async () => {
    using d = start();
    await d.turn(async (s) => {
      await s.shell(change);
      await s.edit('a.txt', 'A1');
    });
    const after = d.tree();
    fs.rmSync(storeOf(d), { recursive: true });
    assert.match(
      (await d.problems()).join(' '),
      /f3: Its saved bytes are not in the snapshot store/,
    );
    await assert.rejects(
      d.rewind(1),
      /not every file can be put back.*d1\/f1: Its saved.* and 260 more$/,
    );
    assert.deepEqual(d.tree(), after);
    const report = await d.rewind(1, { partial: true });
    assert.deepEqual([d.read('a.txt'), resultsOf(report)['d3/f3']], ['A0', 'notRestorable']);
    assert.equal(d.read('d3/f3'), 'new');
  });
});

test('more than anybody could look through is left to the snapshots, which is said', async () => {
  const paths = Array.from({ length: 50_001 }, (_, n) => ({
    path: `p${n}`,
    before: { kind: 'absent' as const },
    after: { kind: 'directory' as const, mode: 0o755 },
  }));
  using d = start({
    snapshots: (options) => ({ ...openSnapshots(options), diff: async () => paths }),
  });
  await d.turn((s) => s.shell('printf A1 > a.txt'));
  const [turn] = await d.turns(asSessionId('session-1'));
  assert.deepEqual([turn?.files, turn?.uncapturedShell], [[], true]);
  assert.match(turn?.uncapturedWhy ?? '', /50001 paths.*snapshot [0-9a-f]{8}/);
  await d.rewind(1);
  assert.equal(d.read('a.txt'), 'A1');
});
