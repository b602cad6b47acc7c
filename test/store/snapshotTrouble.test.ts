/** Crashes, several processes, a store that goes away, git's own maintenance, cancelling. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { describe, it } from 'node:test';
import { isUserError } from '../../src/core/errors.ts';
import { SnapshotWorld, shell, shortly, workerSource } from '../helpers/snapshotWorld.ts';

describe('a crash', () => {
  it('at any step leaves the store whole, and the next snapshot makes up for it', async () => {
    const steps = ['pack', 'index', 'rename pack', 'rename index', 'side', 'ref'];
    for (const crash of steps)
      for (const isReopened of [false, true]) {
        await using w = new SnapshotWorld({ a: '1', 'd/b': '1' });
        let isArmed = false;
        const probe = (at: string) => {
          if (isArmed && at === crash) throw new Error('crash');
        };
        const store = w.open({ probe });
        const first = (await store.create(shell)).snapshot;
        w.put('a', '2');
        w.put('d/n', 'new', 0o600);
        isArmed = true;
        await assert.rejects(store.create(shell), /crash/);
        w.checkStore();
        assert.deepEqual(
          store.list().map(({ id }) => id),
          [first.id],
        );
        isArmed = false;
        const next = isReopened ? w.open() : store;
        const { snapshot } = await next.create(shell);
        assert.deepEqual(shortly(next.diff(first, snapshot)), [
          'a: 644 => 644',
          'd/n: absent => 600',
        ]);
        assert.equal(w.storeGit('cat-file', 'blob', `${snapshot.id}:a`), '2');
        w.checkStore();
        const left = fs.readdirSync(path.join(w.storeFolder, 'objects/pack'));
        assert.deepEqual(
          left.filter((name) => name.startsWith('tmp_')),
          [],
        );
      }
  });

  it('that left a ref lock does not stop snapshots for good', async () => {
    await using w = new SnapshotWorld({ a: '1' });
    const store = w.open();
    await store.create(shell);
    const lock = path.join(w.storeFolder, 'refs/heads/main.lock');
    fs.writeFileSync(lock, '');
    fs.utimesSync(lock, 1, 1);
    fs.writeFileSync(path.join(w.storeFolder, 'index.lock'), '');
    w.put('a', '2');
    assert.equal((await store.create(shell)).isNew, true);
    w.checkStore();
  });
});

describe('the store', () => {
  it('removed under us starts anew and holds everything', async () => {
    await using w = new SnapshotWorld({ a: '1', b: '2' });
    const store = w.open();
    await store.create(shell);
    fs.rmSync(w.storeFolder, { recursive: true });
    const { snapshot, isNew } = await store.create(shell);
    assert.equal(isNew, true);
    assert.deepEqual(
      store.list().map(({ id }) => id),
      [snapshot.id],
    );
    assert.equal(w.storeGit('cat-file', 'blob', `${snapshot.id}:b`), '2');
    w.checkStore();
    await store.close();
    fs.rmSync(w.storeFolder, { recursive: true });
    const again = await w.open().create(shell);
    assert.equal(w.storeGit('cat-file', 'blob', `${again.snapshot.id}:b`), '2');
    w.checkStore();
  });

  it('with its packs gone is damaged, not empty', async () => {
    await using w = new SnapshotWorld({ a: '1' });
    const store = w.open();
    await store.create(shell);
    await store.close();
    fs.rmSync(path.join(w.storeFolder, 'objects/pack'), { recursive: true });
    const late = w.open();
    assert.throws(
      () => late.list(),
      (e) => isUserError(e, 'damaged'),
    );
    w.put('a', '2');
    await assert.rejects(late.create(shell), (e) => isUserError(e, 'damaged'));
  });

  it('may be repacked by git at any time', async () => {
    await using w = new SnapshotWorld();
    const text = Array.from({ length: 400 }, (_, i) => `line ${i} ${i * 7919}\n`);
    const store = w.open();
    const wanted = new Map<string, string>();
    for (let i = 0; i < 30; i++) {
      text[i * 3] = `changed ${i}\n`;
      w.put('big.txt', text.join(''));
      const { snapshot } = await store.create(shell);
      wanted.set(snapshot.id, text.join(''));
      if (i % 10 === 5) w.storeGit('gc', '-q', '--prune=now');
    }
    w.storeGit('gc', '-q', '--aggressive', '--prune=now');
    w.checkStore();
    for (const reader of [store, w.open()])
      for (const [id, content] of wanted) {
        const state = reader.stateAt(reader.lookup(id), 'big.txt');
        assert.ok(state.kind === 'file');
        assert.equal(state.size, content.length);
        assert.equal(reader.read(state.blob).toString(), content);
      }
    assert.equal((await store.create(shell)).isNew, false);
  });

  it('is readable when git unpacked it into loose objects', async () => {
    await using w = new SnapshotWorld({ a: 'loose' });
    const { snapshot } = await w.open().create(shell);
    const packs = path.join(w.storeFolder, 'objects/pack');
    const aside = path.join(w.folder, 'aside');
    fs.renameSync(packs, aside);
    fs.mkdirSync(packs);
    const { execFileSync } = await import('node:child_process');
    for (const name of fs.readdirSync(aside).filter((n) => n.endsWith('.pack')))
      execFileSync('git', ['unpack-objects', '-q'], {
        cwd: w.storeFolder,
        input: fs.readFileSync(path.join(aside, name)),
      });
    const reader = w.open();
    const state = reader.stateAt(reader.lookup(snapshot.id), 'a');
    assert.ok(state.kind === 'file');
    assert.equal(reader.read(state.blob).toString(), 'loose');
  });

  it('gives no bytes that are not what their id says', async () => {
    await using w = new SnapshotWorld({ a: 'some text that is compressed'.repeat(9) });
    const store = w.open();
    const { snapshot } = await store.create(shell);
    await store.settle();
    const packs = path.join(w.storeFolder, 'objects/pack');
    for (const name of fs.readdirSync(packs).filter((n) => n.endsWith('.pack'))) {
      const file = path.join(packs, name);
      fs.chmodSync(file, 0o600);
      const bytes = fs.readFileSync(file);
      for (let i = 14; i < bytes.length - 20; i += 8) bytes[i] = (bytes[i] ?? 0) ^ 0x55;
      fs.writeFileSync(file, bytes);
    }
    const reader = w.open();
    assert.throws(
      () => reader.lookup(snapshot.id),
      (e) => isUserError(e, 'damaged'),
    );
  });
});

describe('several at once', () => {
  it('in one process go one after the other', async () => {
    await using w = new SnapshotWorld({ a: '1' });
    const store = w.open();
    const results = await Promise.all([
      store.create(shell),
      store.create(shell),
      store.create(shell),
    ]);
    assert.deepEqual(
      results.map(({ isNew }) => isNew),
      [true, false, false],
    );
  });

  it('in two processes lose no snapshot', async () => {
    await using w = new SnapshotWorld({ 'x/start': '1', 'y/start': '1' });
    await w.open().create(shell);
    const script = path.join(import.meta.dirname, '..', 'helpers', 'snapshotWriter.ts');
    const run = (name: string) =>
      new Promise<readonly string[]>((resolve, reject) => {
        const child = spawn(process.execPath, [script, w.root, w.storeFolder, name, '25'], {
          stdio: ['ignore', 'pipe', 'inherit'],
        });
        let out = '';
        child.stdout.on('data', (part) => {
          out += part;
        });
        child.on('exit', (code) =>
          code === 0 ? resolve(out.trim().split('\n')) : reject(new Error(`exit ${code}`)),
        );
      });
    const made = (await Promise.all([run('x'), run('y')])).flat();
    const store = w.open();
    const ids = new Set(store.list().map(({ id }) => id));
    assert.deepEqual(
      made.filter((id) => !ids.has(id)),
      [],
    );
    w.checkStore();
    const { snapshot } = await store.create(shell);
    w.git('init', '-q');
    w.git('add', '-A');
    assert.equal(snapshot.tree, w.git('write-tree').trim());
  });
});

describe('cancelling', () => {
  it('makes no snapshot and forgets nothing', async () => {
    for (const worker of [undefined, workerSource]) {
      await using w = new SnapshotWorld();
      for (let i = 0; i < 400; i++) w.put(`d${i % 7}/f${i}`, `${i}`.repeat(50));
      const abort = new AbortController();
      const store = w.open({
        ...(worker && { worker }),
        onProgress: () => abort.abort(new Error('stop')),
      });
      await assert.rejects(store.create(shell, { signal: abort.signal }), /stop/);
      assert.deepEqual(store.list(), []);
      const { snapshot } = await store.create(shell);
      w.git('init', '-q');
      w.git('add', '-A');
      assert.equal(snapshot.tree, w.git('write-tree').trim());
      w.checkStore();
    }
  });
});

describe('maintenance', () => {
  it('joins packs, drops what was given up, and keeps the rest', async () => {
    await using w = new SnapshotWorld({ a: '0' });
    const store = w.open();
    for (let i = 0; i < 50; i++) {
      w.put('a', `${i}`);
      await store.create(shell, { changed: ['a'] });
    }
    const packs = () =>
      fs.readdirSync(path.join(w.storeFolder, 'objects/pack')).filter((n) => n.endsWith('.pack'));
    assert.equal(packs().length, 50);
    assert.equal(await store.maintain('roll'), true);
    assert.ok(packs().length < 10);
    assert.equal(await store.maintain('roll'), false);
    const all = store.list();
    assert.equal(all.length, 50);
    const [, , third] = all;
    assert.ok(third);
    store.dropOlderThan(third);
    assert.equal(await store.maintain('full'), true);
    assert.equal(packs().length, 1);
    const kept = all.slice(0, 3).map(({ id }) => id);
    assert.deepEqual(
      store.list().map(({ id }) => id),
      kept,
    );
    assert.equal(w.storeGit('rev-list', 'main').trim(), kept.join('\n'));
    const state = store.stateAt(third, 'a');
    assert.ok(state.kind === 'file');
    assert.equal(store.read(state.blob).toString(), '47');
    w.put('a', 'after');
    assert.equal((await store.create(shell)).isNew, true);
    w.checkStore();
  });

  it('leaves a pack that no ref reaches yet', async () => {
    await using w = new SnapshotWorld({ a: '0' });
    const other = w.open();
    await other.create(shell);
    const store = w.open({
      probe: (at) => {
        if (at === 'ref') w.storeGit('repack', '-q', '-a', '-d');
      },
    });
    w.put('a', '1');
    const { snapshot } = await store.create(shell);
    assert.equal(w.storeGit('cat-file', 'blob', `${snapshot.id}:a`), '1');
    w.checkStore();
  });
});

describe('a power cut', () => {
  const tearNewest = (w: SnapshotWorld) => {
    const packs = path.join(w.storeFolder, 'objects/pack');
    const [newest] = fs
      .readdirSync(packs)
      .filter((name) => name.endsWith('.pack'))
      .map((name) => path.join(packs, name))
      .sort((a, b) =>
        Number(fs.statSync(b, { bigint: true }).mtimeNs - fs.statSync(a, { bigint: true }).mtimeNs),
      );
    assert.ok(newest);
    fs.chmodSync(newest, 0o600);
    fs.writeFileSync(newest, Buffer.alloc(fs.statSync(newest).size));
  };

  it('after snapshots that were not flushed goes back to the newest safe one', async () => {
    await using w = new SnapshotWorld({ a: '1' });
    const store = w.open();
    const safe = (await store.create(shell)).snapshot;
    await store.settle();
    w.put('a', '2');
    await store.create(shell);
    w.put('b', '3');
    await store.create(shell);
    tearNewest(w);
    const next = w.open();
    assert.match(w.log.join('\n'), /1 torn packs/);
    assert.deepEqual(
      next.list().map(({ id }) => id),
      [safe.id],
    );
    const { snapshot } = await next.create(shell);
    assert.deepEqual(shortly(next.diff(safe, snapshot)), ['a: 644 => 644', 'b: absent => 644']);
    w.checkStore();
  });

  it('before anything was flushed starts anew', async () => {
    await using w = new SnapshotWorld({ a: '1' });
    await w.open().create(shell);
    tearNewest(w);
    const next = w.open();
    assert.deepEqual(next.list(), []);
    const { snapshot } = await next.create(shell);
    assert.equal(w.storeGit('cat-file', 'blob', `${snapshot.id}:a`), '1');
    w.checkStore();
  });

  it('after a flush, or a mere crash, takes nothing', async () => {
    await using w = new SnapshotWorld({ a: '1' });
    await w.open().create(shell);
    assert.equal(w.open().list().length, 1);
    const store = w.open();
    await store.settle();
    assert.equal(fs.existsSync(path.join(w.storeFolder, 'unsettled')), false);
  });
});
