/** Copies of checkpoints outside the folder they protect: made by hooks, brought back by the doctor, given up with them. */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { describe, it, test } from 'node:test';
import { rootFolder } from '../../src/base/home.ts';
import { asSessionId } from '../../src/core/ids.ts';
import { protectedTurns } from '../../src/core/retention.ts';
import { StoreDriver } from '../helpers/storeDriver.ts';
import { treeOf } from '../helpers/storeTree.ts';

const files = { 'a.txt': 'A0', 'b.txt': 'B0' };
const start = () => new StoreDriver({ files, git: true });
const storeOf = (d: StoreDriver) => path.join(rootFolder(d.home, d.root), 'store.git');

function git(d: StoreDriver, ...args: readonly string[]): string {
  return execFileSync('git', ['--git-dir', storeOf(d), ...args], { encoding: 'utf8' }).trim();
}

const refs = (d: StoreDriver) => git(d, 'for-each-ref', '--format=%(refname)', 'refs/checkpoints');

async function twoTurns(d: StoreDriver): Promise<void> {
  await d.turn((s) => s.edit('a.txt', 'A1'));
  await d.turn(async (s) => {
    await s.edit('a.txt', 'A2');
    await s.shell('printf B1 > b.txt; printf n > n.txt');
  });
}

test('each ended checkpoint is a commit of its files in the store, which git finds nothing wrong with', async () => {
  using d = start();
  await twoTurns(d);
  await d.turn((s) => s.shell('true > /dev/null'));
  assert.deepEqual(refs(d).split('\n'), [
    'refs/checkpoints/session-1/1',
    'refs/checkpoints/session-1/2',
  ]);
  assert.equal(git(d, 'fsck', '--strict', '--no-progress', '--no-dangling'), '');
  assert.deepEqual(
    git(d, 'ls-tree', '-r', '--name-only', 'refs/checkpoints/session-1/2').split('\n'),
    ['files/a.txt', 'files/b.txt', 'manifest.json'],
  );
  assert.equal(git(d, 'show', 'refs/checkpoints/session-1/1:files/a.txt'), 'A0');
});

test('a session whose name git would not have as a ref has copies too', async () => {
  using d = start();
  const ids = ['a..b.lock', 'x/../y', '.hidden', 'ends.'];
  for (const id of ids) await d.session(id).turn((s) => s.edit('a.txt', `by ${id}`));
  assert.equal(refs(d).split('\n').length, ids.length);
  fs.rmSync(d.path('.memcode'), { recursive: true });
  await d.with((app) => app.repair(d.root));
  for (const id of ids.toReversed()) await d.rewind(1, { session: id });
  assert.equal(d.read('a.txt'), 'A0');
});

describe('after git clean -fdx', () => {
  it('the doctor says what is gone, brings it back byte for byte, and everything can be rewound', async () => {
    using d = start();
    const before = d.tree();
    await twoTurns(d);
    const stored = treeOf(d.path('.memcode'));
    d.git('clean', '-fdxq');
    assert.equal(fs.existsSync(d.path('.memcode')), false);
    const problems = await d.problems();
    assert.equal(problems.filter((text) => /doctor --repair/.test(text)).length, 2);
    await assert.rejects(d.rewind(1), /doctor --repair/);
    const done = await d.with((app) => app.repair(d.root));
    assert.deepEqual(
      done.map(({ severity, text }) => [severity, /was brought back/.test(text)]),
      [
        ['note', true],
        ['note', true],
      ],
    );
    assert.deepEqual(treeOf(d.path('.memcode')), stored);
    assert.deepEqual(await d.problems(), []);
    await d.rewind(1, { conflicts: 'take' });
    assert.deepEqual(d.tree(), before);
  });

  it('what a rewind had taken aside comes back to where it was, and can be redone', async () => {
    using d = start();
    await twoTurns(d);
    const after = d.tree();
    await d.rewind(2);
    const stored = treeOf(d.path('.memcode'));
    fs.rmSync(d.path('.memcode'), { recursive: true });
    await d.with((app) => app.repair(d.root));
    assert.deepEqual(treeOf(d.path('.memcode')), stored);
    assert.deepEqual(await d.problems(), []);
    await d.redo();
    assert.deepEqual(d.tree(), after);
    await d.rewind(1);
    assert.equal(d.read('a.txt'), 'A0');
  });

  it('in the middle of a turn: what had a copy comes back by itself', async () => {
    using d = start();
    const before = d.tree();
    await d.main.prompt();
    await d.main.edit('a.txt', 'A1');
    await d.main.shell('printf B1 > b.txt');
    await d.main.shell('true > /dev/null');
    fs.rmSync(d.path('.memcode'), { recursive: true });
    await d.main.shell('printf n > n.txt');
    fs.rmSync(d.path('.memcode'), { recursive: true });
    await d.main.stop();
    assert.deepEqual(
      (await d.turns())[0]?.files.map((f) => f.path),
      ['a.txt', 'b.txt'],
    );
    await d.rewind(1);
    assert.deepEqual([d.read('a.txt'), d.read('b.txt')], ['A0', 'B0']);
    fs.rmSync(d.path('n.txt'));
    assert.deepEqual(d.tree(), before);
  });

  it('a turn that is recorded meanwhile keeps its own checkpoint', async () => {
    using d = start();
    await twoTurns(d);
    fs.rmSync(d.path('.memcode'), { recursive: true });
    await d.turn((s) => s.edit('b.txt', 'B2'));
    const newest = treeOf(d.stored('3'));
    await d.with((app) => app.repair(d.root));
    assert.deepEqual(treeOf(d.stored('3')), newest);
    await d.rewind(1);
    assert.deepEqual([d.read('a.txt'), d.read('b.txt'), d.read('n.txt')], ['A0', 'B0', undefined]);
  });

  it('and with the database lost as well, the copies tell the turns', async () => {
    using d = start();
    await twoTurns(d);
    fs.rmSync(d.path('.memcode'), { recursive: true });
    for (const name of fs.readdirSync(d.home))
      if (name.startsWith('timeline.db')) fs.rmSync(path.join(d.home, name));
    await d.with((app) => app.repair(d.root));
    const turns = await d.with((app) => {
      app.sessions(d.root);
      return app.turns(asSessionId('session-1'));
    });
    assert.deepEqual(
      turns.map((turn) => turn.files.length),
      [1, 3],
    );
  });

  it('a copy that is damaged itself is named, and nothing half is brought back', async () => {
    using d = start();
    await twoTurns(d);
    const packs = path.join(storeOf(d), 'objects', 'pack');
    fs.rmSync(d.path('.memcode'), { recursive: true });
    const blob = git(d, 'rev-parse', 'refs/checkpoints/session-1/1:files/a.txt');
    for (const name of fs.readdirSync(packs)) {
      if (!name.endsWith('.idx')) continue;
      const held = execFileSync('git', ['show-index'], {
        input: fs.readFileSync(path.join(packs, name)),
        encoding: 'utf8',
      });
      const at = held.split('\n').find((line) => line.includes(blob));
      if (at === undefined) continue;
      const pack = path.join(packs, name.replace('.idx', '.pack'));
      fs.chmodSync(pack, 0o600);
      const bytes = fs.readFileSync(pack);
      const offset = Number(at.split(' ')[0]) + 4;
      bytes[offset] = (bytes[offset] ?? 0) ^ 0xff;
      fs.writeFileSync(pack, bytes);
    }
    const done = await d.with((app) => app.repair(d.root));
    assert.equal(done.filter(({ text }) => /could not be mended/.test(text)).length, 1);
    assert.equal(fs.existsSync(d.stored('1')), false);
    assert.equal(fs.existsSync(d.stored('2')), true);
  });
});

test('copies go with what the limits remove, and do not come back', async () => {
  using d = new StoreDriver({ files, inProcess: true });
  for (let n = 1; n <= 14; n++) await d.turn((s) => s.edit('a.txt', `A${n}`));
  assert.equal(refs(d).split('\n').length, 14);
  await d.with(() => undefined, { retention: () => ({ maxBytes: 1, maxAgeDays: 0 }) });
  assert.equal(refs(d).split('\n').length, protectedTurns);
  fs.rmSync(d.path('.memcode'), { recursive: true });
  await d.with((app) => app.repair(d.root));
  const kept = fs.readdirSync(d.stored()).filter((name) => /^\d+$/.test(name));
  assert.equal(kept.length, protectedTurns);
});

test('erasing a project takes the copies along', async () => {
  using d = start();
  await twoTurns(d);
  await d.with((app) => app.erase(d.root));
  assert.equal(fs.existsSync(rootFolder(d.home, d.root)), false);
  assert.deepEqual(await d.problems(), []);
  assert.equal(fs.existsSync(d.path('.memcode')), false);
});
