/** Snapshots from end to end: made, listed, found, compared, planned back; git judges what was written. */
import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { describe, it } from 'node:test';
import { isUserError } from '../../src/core/errors.ts';
import { SnapshotWorld, shell, shortly, workerSource } from '../helpers/snapshotWorld.ts';

describe('a snapshot', () => {
  it('is a commit of the tree that git itself would write', async () => {
    await using w = new SnapshotWorld({ 'a.txt': 'A', 'b/c.txt': 'C', 'b.txt': 'B', 'b-c/d': 'D' });
    w.put('run.sh', '#!', 0o755);
    fs.symlinkSync('a.txt', w.path('link'));
    fs.symlinkSync('nowhere', w.path('b/dangling'));
    const store = w.open();
    const { snapshot, isNew, files } = await store.create(shell);
    assert.deepEqual([isNew, files], [true, 7]);
    w.git('init', '-q');
    w.git('add', '-A');
    assert.equal(snapshot.tree, w.git('write-tree').trim());
    assert.equal(w.storeGit('cat-file', 'blob', `${snapshot.id}:b/c.txt`), 'C');
    w.checkStore();
  });

  it('is in a bare repository outside the folder, with one fixed identity and one line of JSON', async () => {
    await using w = new SnapshotWorld({ a: 'A' });
    const store = w.open();
    const meta = {
      ...shell,
      session: 's',
      turnId: 't',
      label: 'do it',
      restoredFrom: 'f'.repeat(40),
    };
    await store.create(meta);
    assert.equal(w.storeGit('rev-parse', '--is-bare-repository').trim(), 'true');
    assert.equal(w.storeGit('symbolic-ref', 'HEAD').trim(), 'refs/heads/main');
    const [body = '', people] = w
      .storeGit('log', '--format=%B%x00%an %ae %cn %ce')
      .trim()
      .split('\0');
    assert.equal(people, 'Memcode Timeline timeline@memcode Memcode Timeline timeline@memcode');
    assert.equal(body.trim().split('\n').length, 1);
    assert.deepEqual(Object.keys(JSON.parse(body)), [
      'turn',
      'trigger_tool',
      'trigger_args',
      'pre_rollback',
      'session',
      'turn_id',
      'label',
      'restored_from',
      'side',
    ]);
    assert.deepEqual(store.list()[0]?.meta, meta);
  });

  it('goes to main from the start, whatever branch git would begin with', async () => {
    await using w = new SnapshotWorld({ a: 'A' });
    await w.open().warmUp();
    assert.equal(w.storeGit('symbolic-ref', 'HEAD').trim(), 'refs/heads/main');
    assert.equal(w.storeGit('for-each-ref').trim(), '');
  });

  it('is not made when nothing changed, whatever was touched', async () => {
    await using w = new SnapshotWorld({ a: 'A' });
    const store = w.open();
    const first = await store.create(shell);
    fs.utimesSync(w.path('a'), 1, 1);
    const second = await store.create(shell);
    assert.deepEqual([second.isNew, second.snapshot.id], [false, first.snapshot.id]);
    assert.equal(store.list().length, 1);
  });

  it('of an empty folder has the empty tree', async () => {
    await using w = new SnapshotWorld();
    const { snapshot } = await w.open().create(shell);
    assert.equal(snapshot.tree, '4b825dc642cb6eb9a060e54bf8d69288fbee4904');
    w.checkStore();
  });

  it('masks and cuts what the tool was called with', async () => {
    await using w = new SnapshotWorld({ a: 'A' });
    const secret = `sk-${'x'.repeat(30)}`;
    const args = `curl -H ${secret} ${'word '.repeat(500)}`;
    await w.open().create({ ...shell, triggerArgs: args });
    const body = w.storeGit('log', '--format=%B');
    assert.ok(!body.includes(secret) && body.length < 900, body);
  });
});

describe('the list', () => {
  it('is empty before the first snapshot', async () => {
    await using w = new SnapshotWorld();
    assert.deepEqual(w.open().list(), []);
  });

  it('is newest first within one second and after reopening', async () => {
    await using w = new SnapshotWorld({ a: '0' });
    const store = w.open({ now: () => 1_700_000_000_000 });
    const ids: string[] = [];
    for (let i = 1; i <= 5; i++) {
      w.put('a', `${i}`.repeat(i));
      ids.unshift((await store.create(shell)).snapshot.id);
    }
    const list = (s = store) => s.list().map((snapshot) => snapshot.id);
    assert.deepEqual(list(), ids);
    assert.deepEqual(list(w.open()), ids);
    assert.equal(w.storeGit('log', '--format=%H').trim(), ids.join('\n'));
  });

  it('leaves out commits of others and goes on', async () => {
    await using w = new SnapshotWorld({ a: '0' });
    const store = w.open();
    const first = await store.create(shell);
    const tree = first.snapshot.tree;
    const id = w.storeGit('commit-tree', '-p', first.snapshot.id, '-m', 'mine', tree).trim();
    w.storeGit('update-ref', 'refs/heads/main', id);
    w.put('a', 'changed');
    const third = await store.create(shell);
    assert.deepEqual(
      store.list().map((s) => s.id),
      [third.snapshot.id, first.snapshot.id],
    );
    assert.match(w.log.join('\n'), new RegExp(`commit ${id} is not a snapshot`));
  });
});

describe('looking up', () => {
  it('takes full ids and unique prefixes in either case, and refuses the rest', async () => {
    await using w = new SnapshotWorld({ a: '0' });
    const store = w.open();
    const ids: string[] = [];
    const byFour = new Map<string, number>();
    let clash: string | undefined;
    for (let i = 0; clash === undefined && i < 2000; i++) {
      w.put('a', `${i}`);
      const { snapshot } = await store.create(shell, { changed: ['a'] });
      ids.push(snapshot.id);
      const four = snapshot.id.slice(0, 4);
      byFour.set(four, (byFour.get(four) ?? 0) + 1);
      if ((byFour.get(four) ?? 0) > 1) clash = four;
    }
    const id = ids[0] ?? '';
    assert.equal(store.lookup(id).id, id);
    assert.equal(store.lookup(id.slice(0, 12).toUpperCase()).id, id);
    const refusal = (prefix: string) => {
      try {
        return store.lookup(prefix).id;
      } catch (error) {
        return isUserError(error) ? error.code : error;
      }
    };
    assert.deepEqual(['', 'abc', 'xyzw', `${id}0`, 'HEAD'].map(refusal), Array(5).fill('usage'));
    assert.equal(refusal('0'.repeat(40)), 'notFound');
    assert.ok(clash);
    assert.throws(
      () => store.lookup(clash ?? ''),
      (error) => {
        assert.ok(isUserError(error, 'usage'));
        const matches = ids.filter((one) => one.startsWith(clash ?? ''));
        assert.deepEqual([...(error.data['matches'] as string[])].sort(), matches.sort());
        return true;
      },
    );
  });
});

describe('a difference', () => {
  for (const worker of [undefined, workerSource])
    it(`names every kind of change, ${worker ? 'with' : 'without'} threads`, async () => {
      await using w = new SnapshotWorld({
        same: 's',
        edited: 'e',
        gone: 'g',
        'old/x': 'x',
        'k/y': 'y',
      });
      w.put('mode', 'm', 0o644);
      w.put('secret', 's', 0o600);
      fs.symlinkSync('same', w.path('link'));
      const store = w.open(worker ? { worker } : {});
      const a = (await store.create(shell)).snapshot;
      w.put('edited', 'E');
      fs.rmSync(w.path('gone'));
      fs.renameSync(w.path('old'), w.path('new'));
      fs.rmSync(w.path('k'), { recursive: true });
      w.put('k', 'now a file');
      fs.chmodSync(w.path('mode'), 0o755);
      fs.chmodSync(w.path('secret'), 0o640);
      fs.rmSync(w.path('link'));
      fs.symlinkSync('edited', w.path('link'));
      fs.mkdirSync(w.path('empty'));
      const b = (await store.create(shell)).snapshot;
      const expected = [
        'edited: 644 => 644',
        'empty: absent => directory',
        'gone: 644 => absent',
        'k: directory => 644',
        'k/y: 644 => absent',
        'link: -> same => -> edited',
        'mode: 644 => 755',
        'new: absent => directory',
        'new/x: absent => 644',
        'old: directory => absent',
        'old/x: 644 => absent',
        'secret: 600 => 640',
      ];
      assert.deepEqual(shortly(store.diff(a, b)), expected);
      assert.deepEqual(store.diff(b, b), []);
      const back = expected.map((line) => line.replace(/: (.*) => (.*)$/, ': $2 => $1'));
      assert.deepEqual(shortly(store.diff(b, a)), back);
      w.checkStore();
    });
});

describe('blobs', () => {
  it('are read and copied as they were', async () => {
    await using w = new SnapshotWorld();
    const bytes = Buffer.from(Array.from({ length: 70_000 }, (_, i) => (i * i) % 256));
    w.put('bin', bytes);
    const store = w.open();
    const { snapshot } = await store.create(shell);
    const state = store.stateAt(snapshot, 'bin');
    assert.ok(state.kind === 'file' && state.size === 70_000);
    assert.ok(store.read(state.blob).equals(bytes));
    const copy = path.join(w.folder, 'copy');
    store.copyTo(state.blob, copy);
    assert.ok(fs.readFileSync(copy).equals(bytes));
  });
});

describe('named paths', () => {
  it('are all that is looked at, and enough for every kind of change', async () => {
    await using w = new SnapshotWorld({
      a: '1',
      'd/b': '1',
      'd/e/c': '1',
      '.gitignore': '*.log\n',
    });
    const store = w.open();
    await store.create(shell);
    const treeNow = () => {
      fs.rmSync(path.join(w.folder, 'judge'), { recursive: true, force: true });
      const judge = ['-c', 'core.bare=false', `--git-dir=${path.join(w.folder, 'judge')}`];
      w.git('init', '-q', '--bare', path.join(w.folder, 'judge'));
      w.git(...judge, `--work-tree=${w.root}`, 'add', '-A');
      return w.git(...judge, 'write-tree').trim();
    };
    const check = async (change: () => void, changed: readonly string[]) => {
      change();
      assert.equal((await store.create(shell, { changed })).snapshot.tree, treeNow());
    };
    await check(() => w.put('a', '22'), ['a']);
    await check(() => w.put('new/deep/er/f', 'f'), ['new', 'new/deep/er/f']);
    await check(() => w.put('new/deep/er/g', 'g'), ['new/deep/er/g']);
    await check(() => fs.rmSync(w.path('d/e'), { recursive: true }), ['d/e/c']);
    await check(
      () => fs.rmSync(w.path('new'), { recursive: true }),
      ['new/deep/er/f', 'new/deep/er/g'],
    );
    await check(() => w.put('x.log', 'ignored'), ['x.log', 'node_modules/m', '.git/index']);
    await check(() => w.put('.gitignore', ''), ['.gitignore']);
    await check(() => fs.renameSync(w.path('d'), w.path('moved')), ['d', 'moved']);
    await check(() => {
      fs.rmSync(w.path('a'));
      w.put('a/inside', 'now a folder');
    }, ['a']);
    await check(() => w.put('d/.gitignore', 'b\n'), ['d', 'd/.gitignore']);
    w.checkStore();
  });

  it('do not hide what an earlier process left unseen', async () => {
    await using w = new SnapshotWorld({ a: '1', b: '1' });
    const first = w.open();
    await first.create(shell);
    await first.close();
    w.put('a', 'changed while nobody looked');
    const { snapshot } = await w.open().create(shell, { changed: ['b'] });
    assert.equal(w.storeGit('cat-file', 'blob', `${snapshot.id}:a`), 'changed while nobody looked');
  });
});

describe('a root', () => {
  it('that holds everything, or the store, is refused', async () => {
    await using w = new SnapshotWorld({ a: '1' });
    const refusals = [
      { root: path.parse(w.root).root },
      { environment: { HOME: w.root } },
      { folder: w.path('store.git') },
    ];
    for (const options of refusals)
      await assert.rejects(w.open(options).create(shell), (e) => isUserError(e, 'unsupported'));
  });
});

describe('the index beside the store', () => {
  it('spares a new process the reading, and is left aside when it is damaged', async () => {
    await using w = new SnapshotWorld({ 'd/a': '1', b: '2', 'node_modules/x': 'x' });
    for (const name of ['d/a', 'b']) fs.utimesSync(w.path(name), 1, 1);
    const later = () => Date.now() + 60_000;
    const first = w.open({ now: later });
    const { snapshot } = await first.create(shell);
    await first.close();
    const index = path.join(path.dirname(w.storeFolder), 'snapshot.index');
    const reads = async () => {
      const store = w.open({ now: later });
      const result = await store.create(shell);
      await store.close();
      assert.equal(result.snapshot.id, snapshot.id);
      assert.deepEqual(result.skipped.counts, { excluded: 1 });
      return result.read;
    };
    assert.equal(await reads(), 0);
    const bytes = fs.readFileSync(index);
    for (const damaged of [
      bytes.subarray(0, bytes.length / 2),
      Buffer.alloc(bytes.length),
      Buffer.of(),
    ]) {
      fs.writeFileSync(index, damaged);
      assert.equal(await reads(), 2);
    }
  });
});
