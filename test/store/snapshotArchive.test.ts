/** The contract over a store in this process: archived checkpoints, refused roots, deadlines, limits. */
import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { describe, it } from 'node:test';
import { openSnapshots, type Snapshots, type SnapshotsOptions } from '../../src/app/snapshots.ts';
import { snapshotRepository } from '../../src/base/home.ts';
import { isUserError } from '../../src/core/errors.ts';
import type { Root } from '../../src/core/ids.ts';
import { SnapshotWorld, shell } from '../helpers/snapshotWorld.ts';

class ContractWorld extends SnapshotWorld {
  readonly home = path.join(this.folder, 'home');
  readonly options: SnapshotsOptions = {
    home: this.home,
    root: this.root as Root,
    now: Date.now,
    log: (_, text) => this.log.push(text),
    environment: process.env,
    userHome: path.join(this.folder, 'user'),
  };
  readonly snapshots: Snapshots = openSnapshots(this.options);

  /** A file below the checkpoint folder `name`. */
  putCheckpoint(name: string, file: string, text: string): string {
    const folder = this.path(`.memcode/checkpoints/${name}`);
    this.put(`.memcode/checkpoints/${name}/${file}`, text);
    return folder;
  }

  override async [Symbol.asyncDispose](): Promise<void> {
    await this.snapshots.close();
    await super[Symbol.asyncDispose]();
  }
}

describe('an archived checkpoint', () => {
  it('comes back as it was after its folder is removed', async () => {
    await using w = new ContractWorld({ a: '1' });
    const folder = w.putCheckpoint('s1/3', 'manifest.json', '{}');
    w.putCheckpoint('s1/3', 'files/src/a b.ts', 'old');
    w.putCheckpoint('s1/3', 'files/empty', '');
    const first = await w.snapshots.archive('s1/3', folder);
    assert.equal(first.isNew, true);
    assert.deepEqual(await w.snapshots.archive('s1/3', folder), { ...first, isNew: false });
    fs.rmSync(w.path('.memcode'), { recursive: true });
    assert.deepEqual(
      (await w.snapshots.archives()).map(({ name, id }) => ({ name, id })),
      [{ name: 's1/3', id: first.id }],
    );
    await w.snapshots.unarchive('s1/3', folder);
    assert.equal(fs.readFileSync(path.join(folder, 'files/src/a b.ts'), 'utf8'), 'old');
    assert.equal(fs.readFileSync(path.join(folder, 'files/empty'), 'utf8'), '');
    assert.equal(fs.statSync(path.join(folder, 'manifest.json')).mode & 0o777, 0o600);
    await assert.rejects(w.snapshots.unarchive('s1/3', folder), { code: 'EEXIST' });
    const store = snapshotRepository(w.options.home, w.options.root);
    assert.equal(w.fsck(store), '');
  });

  it('is replaced by its newer state, survives git gc, and goes when dropped', async () => {
    await using w = new ContractWorld({ a: '1' });
    const names = ['~00ff/1', 's.lock/2', 'a..b/10', '_x/2'];
    for (const name of names) {
      w.putCheckpoint(name, 'manifest.json', '1');
      await w.snapshots.archive(name, w.putCheckpoint(name, 'manifest.json', '2'));
    }
    const store = snapshotRepository(w.options.home, w.options.root);
    w.gitIn(store, 'gc', '-q', '--prune=now');
    assert.deepEqual((await w.snapshots.archives()).map(({ name }) => name).sort(), names.sort());
    for (const name of names) {
      const target = path.join(w.folder, 'back', name);
      await w.snapshots.unarchive(name, target);
      assert.equal(fs.readFileSync(path.join(target, 'manifest.json'), 'utf8'), '2');
      await w.snapshots.dropArchive(name);
    }
    assert.deepEqual(await w.snapshots.archives(), []);
    await assert.rejects(w.snapshots.archive('../x/1', w.root), (e) => isUserError(e, 'usage'));
    await assert.rejects(w.snapshots.unarchive('s/9', path.join(w.folder, 'n')), (e) =>
      isUserError(e, 'notFound'),
    );
  });

  it('that lacks bytes is damaged, and nothing is written', async () => {
    await using w = new ContractWorld({ a: '1' });
    await w.snapshots.archive('s/1', w.putCheckpoint('s/1', 'manifest.json', '{}'));
    const pack = path.join(snapshotRepository(w.options.home, w.options.root), 'objects', 'pack');
    const reader = openSnapshots(w.options);
    for (const name of fs.readdirSync(pack)) fs.rmSync(path.join(pack, name));
    const target = path.join(w.folder, 'back');
    await assert.rejects(reader.unarchive('s/1', target), (e) => isUserError(e, 'damaged'));
    assert.equal(fs.existsSync(target), false);
    await reader.close();
  });
});

describe('opening snapshots', () => {
  it('is refused for the disk, the home folder and what holds our store', () => {
    const w = new SnapshotWorld();
    const options = { home: path.join(w.folder, 'home'), userHome: w.root, environment: {} };
    const rest = { now: Date.now, log: () => undefined };
    for (const root of [path.parse(w.root).root, w.root, w.folder])
      assert.throws(
        () => openSnapshots({ ...options, ...rest, root: root as Root }),
        (e) => isUserError(e, 'unsupported'),
      );
    fs.rmSync(w.folder, { recursive: true });
  });
});

describe('a snapshot', () => {
  it('that takes too long, or is cancelled, does not exist; the next one has everything', async () => {
    await using w = new ContractWorld({ a: '1' });
    await assert.rejects(w.snapshots.create(shell, { within: 0 }), (e) => isUserError(e, 'late'));
    const reason = new Error('enough');
    const stop = new AbortController();
    const cancelled = w.snapshots.create(shell, { signal: stop.signal });
    stop.abort(reason);
    await assert.rejects(cancelled, reason);
    assert.deepEqual(await w.snapshots.list(), []);
    const { snapshot } = await w.snapshots.create(shell, { within: 60_000 });
    assert.equal(String(await w.snapshots.read(snapshot.id, 'a')), '1');
  });

  it('beyond the limits is given up, unless something refers to it', async () => {
    await using w = new ContractWorld({ a: '1' });
    const limited = openSnapshots({
      ...w.options,
      retention: { count: 2, age: 30, maxBytes: 1024 ** 3 },
    });
    const ids: string[] = [];
    for (let i = 0; i < 5; i++) {
      w.put('a', String(i));
      ids.push((await limited.create(shell)).snapshot.id);
    }
    assert.equal((await limited.maintain({ keep: [ids[1] ?? ''] })).dropped, 1);
    assert.equal((await limited.maintain()).dropped, 2);
    assert.deepEqual(
      (await limited.list()).map(({ id }) => id),
      ids.slice(3).reverse(),
    );
    assert.equal(w.fsck(snapshotRepository(w.options.home, w.options.root)), '');
    await limited.close();
  });
});
