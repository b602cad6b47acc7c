/** Permission bits of folders: what commands and restores make of them, and folders whose owner may not write in them. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { describe, it, test } from 'node:test';
import { resultsOf, StoreDriver } from '../helpers/storeDriver.ts';

const files = { 'a.txt': 'A0', 'd/x': 'X0', 'd/e/y': 'Y0' };
const start = () => new StoreDriver({ files, inProcess: true });
const modeOf = (d: StoreDriver, name: string) => fs.statSync(d.path(name)).mode & 0o7777;
const windows = process.platform === 'win32';

test('a command’s chmod of folders is the turn’s, and goes back and forth', {
  skip: windows,
}, async () => {
  using d = start();
  const before = d.tree();
  await d.turn((s) => s.shell('chmod 700 d; chmod 1777 d/e; printf X1 > d/x; mkdir -m 711 n'));
  const after = d.tree();
  const [turn] = await d.turns();
  assert.deepEqual(
    turn?.files.map((f) => `${f.change} ${f.path}`),
    ['mode d', 'mode d/e', 'modified d/x', 'added n'],
  );
  assert.deepEqual(resultsOf(await d.rewind(1)), {
    d: 'restored',
    'd/e': 'restored',
    'd/x': 'restored',
    n: 'deleted',
  });
  assert.deepEqual(d.tree(), before);
  await d.redo();
  assert.deepEqual(d.tree(), after);
  assert.deepEqual(await d.problems(), []);
});

describe('a folder’s mode that a person set since', { skip: windows }, () => {
  it('is kept and reported, and gives way when told to', async () => {
    using d = start();
    await d.turn((s) => s.shell('chmod 700 d; printf A1 > a.txt'));
    fs.chmodSync(d.path('d'), 0o750);
    const report = await d.rewind(1);
    assert.deepEqual([modeOf(d, 'd'), d.read('a.txt')], [0o750, 'A0']);
    const [kept] = report.paths.filter((one) => one.path === 'd');
    assert.deepEqual([kept?.result, kept?.why], ['kept', kept?.why]);
    assert.match(kept?.why ?? '', /permissions were changed after the agent left it/);
    await d.rewind(1, { conflicts: 'take' });
    assert.equal(modeOf(d, 'd'), 0o755);
  });

  it('is nobody’s business where the turn only changed what is in it', async () => {
    using d = start();
    await d.turn((s) => s.shell('printf X1 > d/x; rm -r d/e'));
    fs.chmodSync(d.path('d'), 0o750);
    const report = await d.rewind(1);
    assert.deepEqual([report.complete, modeOf(d, 'd'), d.read('d/e/y')], [true, 0o750, 'Y0']);
  });
});

test('restoring a snapshot gives folders the modes they had', { skip: windows }, async () => {
  using d = start();
  await d.with(async (app) => {
    const use = await app.snapshots(d.root);
    const { snapshot } = await use.take('before');
    const before = d.tree();
    fs.chmodSync(d.path('d/e'), 0o700);
    const after = d.tree();
    const preview = await use.previewRestore(snapshot.id);
    assert.deepEqual(
      preview.paths.map(({ path: at }) => at),
      ['d/e'],
    );
    const { operation } = await use.restore(snapshot.id);
    assert.ok(operation);
    assert.deepEqual(d.tree(), before);
    await app.redo(operation);
    assert.deepEqual(d.tree(), after);
  });
});

test('failing anywhere, closed folders end as they began or as they shall be', {
  skip: windows,
}, async () => {
  for (let n = 1; ; n++) {
    using d = start();
    fs.chmodSync(d.path('d/e'), 0o550);
    await d.turn((s) => s.shell('chmod 750 d/e; rm d/e/y; chmod 505 d/e; mkdir -m 500 n'));
    const after = d.tree();
    let count = 0;
    const probe = (at: string) => {
      if (at.startsWith('change') && ++count === n) throw new Error('a fault');
    };
    const isDone = await d.rewind(1, { probe }).then(
      () => true,
      (error: unknown) => {
        assert.match(String(error), /a fault/);
        return false;
      },
    );
    if (isDone) {
      assert.ok(n > 4);
      assert.deepEqual([modeOf(d, 'd/e'), d.read('d/e/y')], [0o550, 'Y0']);
      return;
    }
    assert.deepEqual(d.tree(), after);
    assert.deepEqual(await d.problems(), []);
  }
});

test('a user without rights gets files back into folders that nobody may write in', {
  skip: windows || process.getuid?.() !== 0,
}, async () => {
  using d = start();
  const uid = 65534;
  const own = () => spawnSync('chown', ['-R', `${uid}:${uid}`, d.folder]);
  fs.chmodSync(d.folder, 0o755);
  fs.chmodSync(d.path('d/e'), 0o555);
  const before = d.tree();
  await d.turn((s) =>
    s.shell('chmod 755 d/e; rm -r d/e; mkdir -p m/n; printf 1 > m/n/f; chmod 555 m/n'),
  );
  own();
  const helper = path.join(import.meta.dirname, '..', 'helpers', 'storeUnprivileged.ts');
  const { stdout, stderr } = spawnSync(process.execPath, [helper, d.home, d.root, String(uid)], {
    encoding: 'utf8',
  });
  assert.equal(stdout, 'done\n', stderr);
  assert.deepEqual(d.tree(), before);
});

describe('to a user without rights', { skip: windows }, () => {
  const helper = path.join(import.meta.dirname, '..', 'helpers', 'storeClosed.ts');
  const outcome = (command: string) => {
    const { status, stdout, stderr } = spawnSync(process.execPath, [helper, '65534', command], {
      encoding: 'utf8',
    });
    assert.equal(status, 0, stderr);
    return JSON.parse(stdout);
  };

  it('a folder that a command closed has not lost what is in it', () => {
    const found = outcome('chmod 000 d; printf A1 > a.txt');
    assert.deepEqual(found, {
      changed: ['modified a.txt', 'mode d'],
      unprotected: ['d'],
      // Nothing is known to have changed in it: its permissions are all that goes back.
      results: { 'a.txt': 'restored', d: 'restored' },
      isBack: true,
    });
  });
});
