/** Scenarios of other tools, continued: lost stores, nested repositories, large files, failures in the middle. */
import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { describe, it, mock, test } from 'node:test';
import { asSessionId } from '../../src/core/ids.ts';
import { cliRun } from '../helpers/cliRun.ts';
import { resultsOf, StoreDriver, turnNumbered } from '../helpers/storeDriver.ts';
import { stampsOf, treeOf } from '../helpers/storeTree.ts';

const files = { 'a.txt': 'A0', 'b.txt': 'B0' };
const start = () => new StoreDriver({ files, git: true, inProcess: true });
const session = asSessionId('session-1');

describe('peers 2: a prompt that is sent again, and looking about, write nothing', () => {
  const edited = async (): Promise<StoreDriver> => {
    const d = start();
    await d.turn((s) => s.edit('a.txt', 'A1'), 'Change a.');
    d.put('a.txt', 'X');
    return d;
  };

  it('the same prompt again, in the same session and in one that was resumed', async () => {
    using d = await edited();
    const stamps = stampsOf(d.root);
    await d.turn(() => undefined, 'Change a.');
    await d.main.start();
    await d.turn(() => undefined, 'Change a.');
    assert.equal((await d.turns()).length, 3);
    assert.deepEqual(stampsOf(d.root), stamps);
    assert.equal(d.read('a.txt'), 'X');
  });

  it('a rewind that is not confirmed', async () => {
    using d = await edited();
    const stamps = stampsOf(d.root);
    for (const [typed, interactive] of [
      ['n\n', true],
      ['\n', true],
      ['', true],
      ['', false],
    ] as const) {
      const { status } = await cliRun(['rewind', '1', '--conflicts', 'take'], {
        typed,
        interactive,
        cwd: d.root,
        home: d.home,
        userHome: d.folder,
        openApp: async () => {
          const app = d.open();
          app.ingest();
          return app;
        },
      });
      assert.notEqual(status, 0);
      assert.deepEqual(stampsOf(d.root), stamps);
    }
    assert.deepEqual(await d.with((app) => app.operations(d.root)), []);
  });
});

test('peers 8: another session’s turn in between is named, also where this one wrote last', async () => {
  using d = start();
  const [one, two] = [d.session('S1'), d.session('S2', 'codex')];
  await one.turn((s) => s.edit('a.txt', 'A1'));
  await two.turn((s) => s.edit('a.txt', 'A1 two'), 'The other work');
  await one.turn((s) => s.edit('a.txt', 'A1 two one'));
  const report = await d.rewind(1, { session: 'S1' });
  assert.deepEqual(resultsOf(report), { 'a.txt': 'kept' });
  assert.match(report.paths[0]?.why ?? '', /Turn 1 of “The other work” \(Codex\) wrote it since/);
  await d.rewind(2, { session: 'S1' });
  await d.rewind(1, { session: 'S2' });
  await d.rewind(1, { session: 'S1' });
  assert.equal(d.read('a.txt'), 'A0');
});

test('peers 11: an empty repository inside costs no turn its checkpoint', async () => {
  using d = start();
  fs.mkdirSync(d.path('n'));
  d.git('init', '-q', 'n');
  await d.turn((s) => s.edit('a.txt', 'A1'));
  await d.turn((s) => s.edit('b.txt', 'B1'));
  const nested = treeOf(d.path('n'), []);
  await d.rewind(2);
  assert.deepEqual([d.read('a.txt'), d.read('b.txt')], ['A1', 'B0']);
  await d.rewind(1);
  assert.equal(d.read('a.txt'), 'A0');
  assert.deepEqual(treeOf(d.path('n'), []), nested);
});

describe('peers 13: a store that is gone deletes nothing', () => {
  const scene = async (): Promise<StoreDriver> => {
    const d = start();
    await d.turn(async (s) => {
      await s.edit('a.txt', 'A1');
      await s.edit('new.txt', 'N1');
    });
    await d.with(() => undefined);
    return d;
  };
  const refuse = (what: string, remove: (d: StoreDriver) => void) =>
    it(`${what}: refused, nothing changes`, async () => {
      using d = await scene();
      remove(d);
      const before = d.tree();
      await assert.rejects(d.rewind(1, { conflicts: 'take' }));
      await assert.rejects(d.rewind(1, { conflicts: 'take', partial: true }));
      assert.deepEqual(d.tree(), before);
      assert.notDeepEqual(await d.problems(), []);
    });
  const all = (folder: string) => fs.rmSync(folder, { recursive: true });
  refuse('all checkpoints', (d) => all(d.path('.memcode')));
  refuse('the turn’s checkpoint', (d) => all(d.stored('1')));
  refuse('its manifest', (d) => fs.rmSync(d.stored('1', 'manifest.json')));

  it('the saved bytes of one file: refused; what is whole can be chosen', async () => {
    using d = await scene();
    all(d.stored('1', 'files'));
    const before = d.tree();
    await assert.rejects(d.rewind(1), /a\.txt: Its saved bytes are missing/);
    assert.deepEqual(d.tree(), before);
    const report = await d.rewind(1, { partial: true });
    assert.deepEqual(resultsOf(report), { 'a.txt': 'notRestorable', 'new.txt': 'deleted' });
    assert.equal(d.read('a.txt'), 'A1');
  });

  it('our home store: the turn is found again in the project, and goes back', async () => {
    using d = await scene();
    all(d.home);
    await d.with(async (app) => {
      assert.equal(app.sessions(d.root).length, 1);
      const [turn] = app.turns(session);
      assert.ok(turn);
      await app.rewind(turn.id);
    });
    assert.deepEqual([d.read('a.txt'), d.read('new.txt')], ['A0', undefined]);
  });
});

test('peers 15: a file of 12 MB that nobody tracks is saved whole by the edit tool', async () => {
  using d = start();
  const bytes = Buffer.alloc(12 * 1024 * 1024, 'ab\0');
  d.put('big.bin', bytes, 0o640);
  await d.turn((s) => s.edit('big.bin', (file) => fs.appendFileSync(file, 'x\n')));
  await d.turn((s) => s.edit('big.bin', fs.unlinkSync));
  const after = d.tree();
  const report = await d.rewind(1);
  assert.deepEqual(resultsOf(report), { 'big.bin': 'recreated' });
  assert.ok(fs.readFileSync(d.path('big.bin')).equals(bytes));
  assert.equal(fs.statSync(d.path('big.bin')).mode & 0o777, 0o640);
  await d.redo();
  assert.deepEqual(d.tree(), after);
});

test('peers 17 (edit part): changed, made, deleted and moved by edit tools', async () => {
  using d = start();
  const before = d.tree();
  await d.turn(async (s) => {
    await s.edit('a.txt', 'A1');
    await s.edit('n.txt', 'n');
    await s.edit('b.txt', fs.unlinkSync);
    // A move is told as one file that goes and one that comes.
    for (const name of ['a.txt', 'c.txt']) await s.before(name);
    fs.renameSync(d.path('a.txt'), d.path('c.txt'));
    for (const name of ['a.txt', 'c.txt']) await s.after(name);
  });
  const after = d.tree();
  const [turn] = await d.turns();
  assert.deepEqual(
    turn?.files.map((file) => [file.path, file.change]),
    [
      ['a.txt', 'deleted'],
      ['b.txt', 'deleted'],
      ['c.txt', 'added'],
      ['n.txt', 'added'],
    ],
  );
  await d.rewind(1);
  assert.deepEqual(d.tree(), before);
  await d.redo();
  assert.deepEqual(d.tree(), after);
});

describe('peers 21: one file that cannot be written leaves all as they were, and is named', () => {
  const scene = async (): Promise<StoreDriver> => {
    const d = new StoreDriver({ files: { ...files, 'k/k.txt': 'K0' }, inProcess: true });
    await d.turn(async (s) => {
      for (const name of ['a.txt', 'b.txt', 'k/k.txt']) await s.edit(name, 'new');
    });
    return d;
  };
  for (const code of ['EBUSY', 'EACCES', 'EIO', 'ENOSPC', 'EROFS']) {
    it(code, async () => {
      using d = await scene();
      const before = d.tree();
      const rename = fs.renameSync;
      const held = mock.method(fs, 'renameSync', (from: string, to: string) => {
        if (String(to) === d.path('k/k.txt')) throw Object.assign(new Error(code), { code });
        rename(from, to);
      });
      try {
        await assert.rejects(d.rewind(1), /k\/k\.txt could not be changed/);
      } finally {
        held.mock.restore();
      }
      assert.deepEqual(d.tree(), before);
      assert.deepEqual(await d.with((app) => app.pending(d.root)), []);
      assert.deepEqual(await d.problems(), []);
      await d.rewind(1);
      assert.deepEqual(
        ['a.txt', 'b.txt', 'k/k.txt'].map((name) => d.read(name)),
        ['A0', 'B0', 'K0'],
      );
    });
  }
});

test('peers 25: unsaved text in an editor is a conflict; keeping it leaves the disk alone', async () => {
  using d = start();
  await d.turn(async (s) => {
    await s.edit('a.txt', 'A1');
    await s.edit('b.txt', 'B1');
  });
  const unsaved = new Set(['a.txt']);
  const stamps = stampsOf(d.root);
  const preview = await d.with((app) =>
    app.preview(turnNumbered(app, 'session-1', 1).id, { unsaved }),
  );
  assert.deepEqual(
    preview.conflicts.map(({ path: name, reason }) => [name, reason]),
    [['a.txt', 'It has unsaved changes in an editor.']],
  );
  assert.deepEqual(stampsOf(d.root), stamps);
  const report = await d.rewind(1, { unsaved });
  assert.deepEqual(resultsOf(report), { 'a.txt': 'kept', 'b.txt': 'restored' });
  assert.equal(stampsOf(d.root)['a.txt'], stamps['a.txt']);
  // Merging would take the text from the disk for what the person has.
  const merged = await d.rewind(1, { unsaved, conflicts: 'merge' });
  assert.deepEqual([resultsOf(merged)['a.txt'], d.read('a.txt')], ['kept', 'A1']);
});

describe('peers 26: records that cannot be trusted, and ways out of the project', () => {
  it('one byte of the saved text is another: refused, nothing is written', async () => {
    using d = start();
    await d.turn(async (s) => {
      await s.edit('a.txt', 'A1');
      await s.edit('b.txt', 'B1');
    });
    fs.writeFileSync(d.stored('1', 'files', 'a.txt'), 'B0');
    const stamps = stampsOf(d.root);
    await assert.rejects(d.rewind(1), /a\.txt: Its saved bytes are not the ones that were saved/);
    assert.deepEqual(stampsOf(d.root), stamps);
  });

  it('an unreadable checkpoint is never passed over for a later one', async () => {
    using d = start();
    for (const n of [1, 2, 3]) await d.turn((s) => s.edit('a.txt', `A${n}`));
    fs.writeFileSync(d.stored('2', 'manifest.json'), '{');
    const stamps = stampsOf(d.root);
    for (const number of [1, 2]) await assert.rejects(d.rewind(number), /damaged/);
    assert.deepEqual(stampsOf(d.root), stamps);
    await d.rewind(3);
    assert.equal(d.read('a.txt'), 'A2');
  });

  it('a folder that is a link to outside: the file there is never written', async () => {
    using d = start();
    const outside = path.join(d.folder, 'outside');
    fs.mkdirSync(outside);
    fs.writeFileSync(path.join(outside, 'f'), 'F0');
    fs.symlinkSync(outside, d.path('dir'));
    await d.turn(async (s) => {
      await s.edit('dir/f', 'F1');
      await s.edit('a.txt', 'A1');
    });
    const stamps = stampsOf(outside);
    const [turn] = await d.turns();
    assert.deepEqual(
      turn?.unprotected.map((one) => one.path),
      [d.path('dir/f')],
    );
    await d.rewind(1);
    assert.deepEqual([d.read('a.txt'), stampsOf(outside)], ['A0', stamps]);
    assert.equal(fs.readFileSync(path.join(outside, 'f'), 'utf8'), 'F1');
  });

  it('a folder becomes such a link between the turn and the rewind: refused for its file', async () => {
    using d = new StoreDriver({ files: { 'dir/f': 'F0', 'a.txt': 'A0' }, inProcess: true });
    await d.turn(async (s) => {
      await s.edit('dir/f', 'F1');
      await s.edit('a.txt', 'A1');
    });
    const outside = path.join(d.folder, 'outside');
    fs.renameSync(d.path('dir'), outside);
    fs.symlinkSync(outside, d.path('dir'));
    const stamps = stampsOf(outside);
    for (const conflicts of ['keep', 'take', 'merge'] as const)
      await assert.rejects(d.rewind(1, { conflicts }), /dir\/f: dir on the way there is a link/);
    await d.rewind(1, { partial: true });
    assert.deepEqual([d.read('a.txt'), stampsOf(outside)], ['A0', stamps]);
  });
});

test('peers 28(ii): what the user told git to overlook is a change all the same', async () => {
  using d = start();
  d.git('config', 'core.ignorestat', 'true');
  d.git('update-index', '--assume-unchanged', 'a.txt');
  d.git('config', 'core.trustctime', 'false');
  await d.turn((s) => s.edit('a.txt', 'A1'));
  const config = fs.readFileSync(d.path('.git/config'));
  assert.equal(d.git('status', '--porcelain'), '');
  await d.rewind(1);
  assert.equal(d.read('a.txt'), 'A0');
  assert.ok(fs.readFileSync(d.path('.git/config')).equals(config));
});

test('peers 30 (edit part): files of a repository inside come back, its .git is not touched', async () => {
  using d = start();
  d.put('n/f', 'N0');
  d.git('init', '-q', 'n');
  d.git('-C', 'n', 'add', 'f');
  d.git('-C', 'n', 'commit', '-q', '-m', 'f');
  const git = treeOf(d.path('n/.git'), []);
  const stamps = stampsOf(d.path('n/.git'), []);
  await d.turn(async (s) => {
    await s.edit('n/f', 'N1');
    await s.edit('n/g', '2');
    await s.edit('a.txt', 'A1');
  });
  await d.rewind(1);
  assert.deepEqual([d.read('n/f'), d.read('n/g'), d.read('a.txt')], ['N0', undefined, 'A0']);
  await d.redo();
  assert.deepEqual([d.read('n/f'), d.read('n/g'), d.read('a.txt')], ['N1', '2', 'A1']);
  assert.deepEqual(treeOf(d.path('n/.git'), []), git);
  assert.deepEqual(stampsOf(d.path('n/.git'), []), stamps);
});

test('peers 30 (edit part): a session that works inside the repository inside', async () => {
  using d = start();
  d.put('n/f', 'N0');
  d.git('init', '-q', 'n');
  const inner = d.session('inner', 'claude', d.path('n'));
  await inner.turn((s) => s.edit('f', 'N1'));
  await d.turn((s) => s.edit('n/f', 'N2'));
  await d.rewind(1);
  assert.equal(d.read('n/f'), 'N1');
});
