/** Scenarios in which other checkpoint tools lost somebody's work; the numbers are those of the reports they came from. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import { test } from 'node:test';
import { hashBytes } from '../../src/base/hash.ts';
import { asSessionId } from '../../src/core/ids.ts';
import { resultsOf, StoreDriver } from '../helpers/storeDriver.ts';
import { stampsOf, treeOf } from '../helpers/storeTree.ts';

const files = { 'a.txt': 'A0', 'b.txt': 'B0' };
const start = () => new StoreDriver({ files, git: true });

test('peers 1: what a person wrote over the agent stays, is reported, and comes back after a forced rewind', async () => {
  using d = start();
  await d.turn((s) => s.edit('a.txt', 'A1'));
  d.put('a.txt', 'A1+mine');
  const kept = await d.rewind(1);
  assert.deepEqual(
    [d.read('a.txt'), kept.complete, kept.operation, kept.turns, resultsOf(kept)],
    ['A1+mine', false, null, [], { 'a.txt': 'kept' }],
  );
  const taken = await d.rewind(1, { conflicts: 'take' });
  assert.deepEqual(
    [d.read('a.txt'), taken.complete, resultsOf(taken)],
    ['A0', true, { 'a.txt': 'restored' }],
  );
  await d.redo();
  assert.equal(d.read('a.txt'), 'A1+mine');
});

test('peers 1: what a person wrote between two turns is a conflict too', async () => {
  using d = start();
  await d.turn((s) => s.edit('a.txt', 'A1'));
  d.put('a.txt', 'A1+mine');
  await d.turn((s) => s.edit('a.txt', 'A1+mine+A2'));
  const last = await d.rewind(2);
  assert.deepEqual([d.read('a.txt'), last.complete], ['A1+mine', true]);
  await d.redo();
  const report = await d.rewind(1);
  assert.deepEqual([d.read('a.txt'), report.complete], ['A1+mine+A2', false]);
  await d.rewind(1, { conflicts: 'take' });
  assert.equal(d.read('a.txt'), 'A0');
  await d.redo();
  assert.equal(d.read('a.txt'), 'A1+mine+A2');
});

test('peers 1: nor is it lost after a turn that was cut short before its edit was told', async () => {
  using d = start();
  // The agent asks for permission; the person says no by stopping it, and does the work alone.
  await d.main.prompt('One');
  await d.main.before('a.txt');
  d.put('a.txt', 'mine');
  await d.turn((s) => s.edit('b.txt', 'B1'));
  const report = await d.rewind(1);
  assert.deepEqual(
    [d.read('a.txt'), d.read('b.txt'), resultsOf(report)],
    ['mine', 'B0', { 'a.txt': 'kept', 'b.txt': 'restored' }],
  );
  await d.rewind(1, { conflicts: 'take' });
  assert.equal(d.read('a.txt'), 'A0');
});

test('peers 3: commits made since stay; HEAD, index, refs and reflog are not touched', async () => {
  using d = start();
  await d.turn((s) => s.edit('a.txt', 'A1'));
  d.git('commit', '-q', '-a', '-m', 'c1');
  const git = treeOf(d.path('.git'), []);
  const stamps = stampsOf(d.path('.git'), []);
  const preview = await d.with((app) => app.preview(app.turns(asSessionId('session-1'))[0]!.id));
  assert.match(preview.warnings.join(), /1 commit was made since/);
  await d.rewind(1);
  assert.equal(d.read('a.txt'), 'A0');
  assert.deepEqual(treeOf(d.path('.git'), []), git);
  assert.deepEqual(stampsOf(d.path('.git'), []), stamps);
  assert.equal(d.git('status', '--porcelain'), ' M a.txt\n');
});

test('peers 4: files that an uncommitted .gitignore protects are not the rewind’s business', async () => {
  using d = start();
  d.put('.gitignore', 'data/\n');
  d.put('data/d', 'P');
  await d.turn((s) => s.edit('a.txt', 'A1'));
  await d.rewind(1);
  assert.deepEqual(
    [d.read('data/d'), d.read('a.txt'), d.read('.gitignore')],
    ['P', 'A0', 'data/\n'],
  );
});

test('peers 7: what is staged stays staged', async () => {
  using d = start();
  d.put('b.txt', 'B staged');
  d.git('add', 'b.txt');
  d.put('b.txt', 'B not staged');
  const index = hashBytes(fs.readFileSync(d.path('.git/index')));
  await d.turn((s) => s.edit('a.txt', 'A1'));
  await d.rewind(1);
  assert.equal(hashBytes(fs.readFileSync(d.path('.git/index'))), index);
  assert.deepEqual([d.read('a.txt'), d.read('b.txt')], ['A0', 'B not staged']);
});

test('peers 8: a rewind of one session leaves the other session’s work', async () => {
  using d = start();
  const [one, two] = [d.session('S1'), d.session('S2', 'codex')];
  await one.turn((s) => s.edit('a.txt', 'A1'));
  await two.turn((s) => s.edit('b.txt', 'B1'));
  const report = await d.rewind(1, { session: 'S1' });
  assert.deepEqual([d.read('a.txt'), d.read('b.txt')], ['A0', 'B1']);
  assert.deepEqual(resultsOf(report), { 'a.txt': 'restored' });
});

test('peers 8: two sessions on one file: the older one’s rewind is a conflict, also when it wrote last', async () => {
  using d = start();
  const [one, two] = [d.session('S1'), d.session('S2', 'gemini')];
  await one.turn((s) => s.edit('a.txt', 'A1'));
  await two.turn((s) => s.edit('a.txt', 'A2'));
  const first = await d.rewind(1, { session: 'S1' });
  assert.deepEqual([d.read('a.txt'), resultsOf(first)], ['A2', { 'a.txt': 'kept' }]);
  await one.turn((s) => s.edit('a.txt', 'A3'));
  const second = await d.rewind(1, { session: 'S1' });
  assert.deepEqual([d.read('a.txt'), resultsOf(second)], ['A3', { 'a.txt': 'kept' }]);
});

test('peers 10: a turn that changed nothing is rewound without a write', async () => {
  using d = start();
  d.put('b.txt', 'dirty');
  await d.turn((s) => s.shell('true'));
  const [before, stamps] = [d.tree(), stampsOf(d.root, [])];
  const report = await d.rewind(1);
  assert.deepEqual([report.paths, d.tree(), stampsOf(d.root, [])], [[], before, stamps]);
});

test('peers 16: a folder without git is restored all the same', async () => {
  using d = new StoreDriver({ files });
  await d.turn((s) => s.edit('a.txt', 'A1'));
  const report = await d.rewind(1);
  assert.deepEqual([d.read('a.txt'), resultsOf(report)], ['A0', { 'a.txt': 'restored' }]);
});

test('peers 20: saved without anybody’s approval and after every process has ended', async () => {
  using d = start();
  // No prompt, no stop, no session start: an agent that goes through its work on its own.
  await d.main.edit('a.txt', 'A1');
  const [turn] = await d.turns();
  assert.deepEqual([turn?.end, turn?.files.map((f) => f.path)], ['running', ['a.txt']]);
  await d.rewind(1, { force: true });
  assert.equal(d.read('a.txt'), 'A0');
});

test('peers 22: a file that is not in the plan keeps inode and time', async () => {
  using d = start();
  fs.utimesSync(d.path('b.txt'), new Date('2020-01-01'), new Date('2020-01-01'));
  const { 'b.txt': before } = stampsOf(d.root);
  await d.turn((s) => s.edit('a.txt', 'A1'));
  await d.rewind(1);
  assert.deepEqual([stampsOf(d.root)['b.txt'], d.read('a.txt')], [before, 'A0']);
});

for (const text of ['1\r\n2\r\n', '1\r\n2']) {
  test(`peers 24: line ends as they were, created files and folders gone (${JSON.stringify(text)})`, async () => {
    using d = start();
    d.put('w.txt', text);
    const before = d.tree();
    await d.turn(async (s) => {
      await s.edit('w.txt', '1\r\nX\r\n');
      await s.edit('new', 'n');
      await s.edit('x/y/z', 'n');
    });
    await d.rewind(1);
    assert.deepEqual(d.tree(), before);
  });
}

test('peers 26: one file under two spellings is saved once', async () => {
  using d = start();
  fs.symlinkSync('.', d.path('alias'));
  await d.turn(async (s) => {
    await s.edit('a.txt', 'A1');
    await s.edit('alias/a.txt', 'A2');
    await s.edit('./alias/../alias/./a.txt', 'A3');
  });
  assert.deepEqual(
    d.manifest(1).files.map((row) => row['path']),
    ['a.txt'],
  );
  await d.rewind(1);
  assert.equal(d.read('a.txt'), 'A0');
});

test('peers 28(i): a change of the same size with the old time is a change', async () => {
  using d = start();
  const old = new Date('2020-01-01');
  fs.utimesSync(d.path('a.txt'), old, old);
  d.put('g', 'A1');
  fs.utimesSync(d.path('g'), old, old);
  await d.turn((s) =>
    s.edit('a.txt', () => {
      spawnSync('cp', ['-p', 'g', 'a.txt'], { cwd: d.root });
    }),
  );
  assert.deepEqual([d.read('a.txt'), fs.statSync(d.path('a.txt')).mtimeMs], ['A1', old.getTime()]);
  const [turn] = await d.turns();
  assert.deepEqual(
    turn?.files.map((f) => [f.path, f.change]),
    [['a.txt', 'modified']],
  );
  await d.rewind(1);
  assert.equal(d.read('a.txt'), 'A0');
  // And the other way: what a person changed since, unnoticed by size and time.
  await d.redo();
  d.put('a.txt', 'ME');
  fs.utimesSync(d.path('a.txt'), old, old);
  const report = await d.rewind(1);
  assert.deepEqual([d.read('a.txt'), resultsOf(report)], ['ME', { 'a.txt': 'kept' }]);
});
