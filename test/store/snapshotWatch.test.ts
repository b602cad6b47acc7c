/** Changes known from a watcher: a snapshot that looks only at them equals one that looks at everything. */
import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { describe, it } from 'node:test';
import type { SnapshotStore } from '../../src/snapshot/snapshotStore.ts';
import { SnapshotWorld, shell } from '../helpers/snapshotWorld.ts';

class WatchedWorld extends SnapshotWorld {
  readonly watched: SnapshotStore = this.open({ cookieFolder: path.join(this.folder, 'cookies') });
  readonly #judge: SnapshotStore = this.open({
    folder: path.join(this.folder, 'judge', 'store.git'),
  });

  /** Takes a snapshot; its tree, and what trees cannot hold, must be those of one that looked at everything. */
  async check(how: 'changes' | 'everything' = 'changes'): Promise<number> {
    const result = await this.watched.create(shell);
    assert.equal(result.checked, how);
    const wanted = await this.#judge.create(shell);
    const { tree, side } = result.snapshot;
    assert.deepEqual([tree, side], [wanted.snapshot.tree, wanted.snapshot.side]);
    return result.read;
  }

  /** The first snapshot sets up the watches, so that the second one must look at everything again. */
  async start(): Promise<void> {
    await this.check('everything');
    await this.check('everything');
    await this.check();
  }
}

const files = { a: '1', 'd/b': '1', 'd/e/c': '1', '.gitignore': 'ignored/\n*.log\n' };

describe('a watched work tree', () => {
  it('is looked at only where something changed', async () => {
    await using w = new WatchedWorld(files);
    await w.start();
    assert.equal(await w.check(), 0);
    w.put('d/e/c', '2');
    assert.equal(await w.check(), 1);
    w.put('x.log', 'no');
    w.put('ignored/y', 'no');
    assert.equal(await w.check(), 0);
  });

  it('may change in every way', async () => {
    await using w = new WatchedWorld(files);
    await w.start();
    const steps: readonly (() => void)[] = [
      () => w.put('new/deep/er/f', '1'),
      () => w.put('new/deep/er/f', '2'),
      () => w.put('new/deep/er/g', '1'),
      () => fs.renameSync(w.path('new'), w.path('moved')),
      () => w.put('moved/deep/er/g', '3'),
      () => fs.rmSync(w.path('moved/deep'), { recursive: true }),
      () => w.put('moved/deep/er/h', 'again'),
      () => w.put('moved/deep/er/h', 'and again'),
      () => fs.chmodSync(w.path('a'), 0o755),
      () => fs.chmodSync(w.path('d'), 0o700),
      () => {
        fs.rmSync(w.path('a'));
        fs.symlinkSync('d/b', w.path('a'));
      },
      () => {
        fs.rmSync(w.path('a'));
        w.put('a/now/a/folder', '1');
      },
      () => w.put('a/now/a/folder', '2'),
      () => {
        fs.rmSync(w.path('a'), { recursive: true });
        w.put('a', 'a file');
      },
      () => {
        fs.renameSync(w.path('d'), path.join(w.folder, 'away'));
        fs.writeFileSync(path.join(w.folder, 'away/e/c'), 'elsewhere');
        fs.renameSync(path.join(w.folder, 'away'), w.path('d'));
      },
      () => w.put('d/e/c', 'at home'),
      () => w.put('.gitignore', 'ignored/\nd/e/\n'),
      () => w.put('d/e/z', 'ignored'),
      () => w.put('.gitignore', ''),
      () => w.put('d/e/z', 'not ignored any more'),
      () => fs.mkdirSync(w.path('empty')),
      () => fs.rmdirSync(w.path('empty')),
      () => {
        const before = fs.statSync(w.path('d/b'));
        fs.writeFileSync(w.path('d/b'), 'X');
        fs.utimesSync(w.path('d/b'), before.atime, before.mtime);
      },
      () => {
        w.git('init', '-q');
        w.put('.git/info/exclude', 'd/b\n');
      },
    ];
    for (const step of steps) {
      step();
      await w.check();
    }
  });

  it('may change while it is looked at', async () => {
    await using w = new WatchedWorld(files);
    await w.start();
    for (let i = 0; i < 40; i++) {
      const running = w.watched.create(shell);
      w.put(`d/e/n${i}/f`, String(i));
      await running;
      w.put(`d/e/n${i}/f`, `${i} more`);
      if (i % 3 === 0) await w.check();
    }
    await w.check();
  });

  it('is checked whole after more events than the kernel keeps', async () => {
    await using w = new WatchedWorld(files);
    await w.start();
    for (let i = 0; i < 5000; i++) w.put(`many/f${i % 100}`, String(i));
    w.put('many/late', '1');
    await w.check();
    for (let i = 0; i < 12_000; i++) fs.utimesSync(w.path(i % 2 ? 'a' : 'd/b'), i, i);
    await w.check('everything');
    await w.watched.create(shell);
    await w.check();
  });

  it('is checked whole after a snapshot that came to nothing, or when asked', async () => {
    await using w = new WatchedWorld(files);
    await w.start();
    w.put('a', '2');
    const stop = new AbortController();
    const cancelled = w.watched.create(shell, { signal: stop.signal });
    stop.abort(new Error('enough'));
    await assert.rejects(cancelled, /enough/);
    const { checked } = await w.watched.create(shell, { everything: true });
    assert.equal(checked, 'everything');
    await w.check();
  });

  it('is checked whole when its store was removed', async () => {
    await using w = new WatchedWorld(files);
    await w.start();
    fs.rmSync(w.storeFolder, { recursive: true });
    await w.check('everything');
    assert.equal(w.storeGit('cat-file', 'blob', 'main:d/b'), '1');
    w.put('a', '2');
    await w.check();
  });

  it('is checked each time where watching is impossible', async () => {
    await using w = new WatchedWorld(files);
    const blocked = path.join(w.folder, 'a file');
    fs.writeFileSync(blocked, '');
    const store = w.open({ cookieFolder: blocked, folder: path.join(w.folder, 'third.git') });
    for (let i = 0; i < 3; i++) assert.equal((await store.create(shell)).checked, 'everything');
    assert.equal(w.log.filter((line) => line.includes('cannot be watched')).length, 1);
  });
});
