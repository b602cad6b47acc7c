/** What keeps a store small, what a person may set about it, and what is found when it is checked behind the watcher. */
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { describe, it } from 'node:test';
import { openSnapshots, type Snapshots, type SnapshotsOptions } from '../../src/app/snapshots.ts';
import { keptFrom } from '../../src/app/snapshotsRetention.ts';
import {
  defaultRetention,
  readSnapshotSettings,
  writeSnapshotSettings,
} from '../../src/app/snapshotsSettings.ts';
import { snapshotRepository } from '../../src/base/home.ts';
import type { Root } from '../../src/core/ids.ts';
import type { Snapshot } from '../../src/snapshot/snapshotTypes.ts';
import { SnapshotWorld, shell } from '../helpers/snapshotWorld.ts';

const plenty = { count: 1000, age: 30, maxBytes: 1024 ** 3 };

class GrowthWorld extends SnapshotWorld {
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

  async grow(count: number, snapshots = this.snapshots): Promise<readonly string[]> {
    const ids: string[] = [];
    for (let i = 0; i < count; i++) {
      this.put('a', `${i} ${this.log.length}`);
      ids.push((await snapshots.create(shell)).snapshot.id);
    }
    return ids;
  }

  override async [Symbol.asyncDispose](): Promise<void> {
    await this.snapshots.close();
    await super[Symbol.asyncDispose]();
  }
}

describe('maintenance', () => {
  it('sweeps what crashes left, and nothing that somebody is writing', async () => {
    await using w = new GrowthWorld();
    await w.grow(1);
    const packs = path.join(snapshotRepository(w.options.home, w.options.root), 'objects', 'pack');
    const old = ['tmp_pack_1', 'tmp_pack_1.idx', 'pack-0.keep'];
    const fresh = ['tmp_pack_2', 'pack-1.keep'];
    for (const name of [...old, ...fresh]) fs.writeFileSync(path.join(packs, name), '');
    for (const name of old) fs.utimesSync(path.join(packs, name), 1, 1);
    await w.snapshots.maintain();
    const left = fs.readdirSync(packs);
    for (const name of old) assert.equal(left.includes(name), false);
    for (const name of fresh) assert.equal(left.includes(name), true);
  });

  it('joins packs when there are many, and every snapshot can still be read', async () => {
    await using w = new GrowthWorld();
    const ids = await w.grow(60);
    const packs = () =>
      fs
        .readdirSync(
          path.join(snapshotRepository(w.options.home, w.options.root), 'objects', 'pack'),
        )
        .filter((name) => name.endsWith('.pack')).length;
    assert.ok(packs() >= 60);
    await w.snapshots.maintain();
    assert.ok(packs() < 20);
    for (const [i, id] of ids.entries())
      assert.equal(String(await w.snapshots.read(id, 'a')).split(' ')[0], String(i));
  });

  it('frees the space of what it gives up, and leaves archived checkpoints alone', async () => {
    await using w = new GrowthWorld();
    const limited = openSnapshots({ ...w.options, retention: { ...plenty, count: 1 } });
    w.put('.memcode/checkpoints/s/1/manifest.json', '{}');
    await limited.archive('s/1', w.path('.memcode/checkpoints/s/1'));
    w.put(
      'large',
      Buffer.from(Array.from({ length: 300_000 }, (_, i) => ((i * 7919) % 251) ^ (i >> 7))),
    );
    const { bytes: before } = await limited.create(shell).then(() => limited.maintain());
    fs.rmSync(w.path('large'));
    await w.grow(3, limited);
    const { dropped, bytes } = await limited.maintain();
    assert.equal(dropped, 3);
    assert.ok(bytes < before);
    assert.equal((await limited.archives()).length, 1);
    await limited.unarchive('s/1', path.join(w.folder, 'back'));
    await limited.close();
    assert.equal(w.fsck(snapshotRepository(w.options.home, w.options.root)), '');
  });

  it('gives up the oldest until the store has its size, but never the newest', async () => {
    await using w = new GrowthWorld();
    const ids: string[] = [];
    for (let i = 0; i < 8; i++) {
      w.put('noise', randomBytes(100_000));
      ids.push((await w.snapshots.create(shell)).snapshot.id);
    }
    const limited = openSnapshots({ ...w.options, retention: { ...plenty, maxBytes: 450_000 } });
    const { dropped, bytes } = await limited.maintain();
    assert.ok(bytes <= 450_000, String(bytes));
    const left = (await limited.list()).map(({ id }) => id);
    assert.ok(left.length >= 2 && left.length === ids.length - dropped, String(left.length));
    assert.deepEqual(left, ids.slice(-left.length).reverse());
    assert.equal((await limited.read(ids.at(-1) ?? '', 'noise')).length, 100_000);
    await limited.close();
    const none = openSnapshots({ ...w.options, retention: { ...plenty, maxBytes: 1 } });
    await none.maintain();
    assert.deepEqual(
      (await none.list()).map(({ id }) => id),
      ids.slice(-1),
    );
    await none.close();
    assert.equal(w.fsck(snapshotRepository(w.options.home, w.options.root)), '');
  });

  it('waits until giving up is worth it, when it may', async () => {
    await using w = new GrowthWorld();
    await w.grow(21);
    const limited = openSnapshots({ ...w.options, retention: { ...plenty, count: 20 } });
    assert.equal((await limited.maintain({ lazily: true })).dropped, 0);
    await w.grow(4);
    assert.equal((await limited.maintain({ lazily: true })).dropped, 5);
    await limited.close();
  });
});

describe('the limits', () => {
  const day = 86_400_000;
  const all = [9, 8, 5, 2].map(
    (at): Snapshot => ({
      id: `id${at}`,
      shortId: `id${at}`,
      parent: undefined,
      at: at * day,
      tree: '',
      side: '',
      meta: shell,
    }),
  );
  const kept = (rule: Partial<Parameters<typeof keptFrom>[1]>) =>
    keptFrom(all, { count: 100, age: 100, keep: [], now: 10 * day, ...rule }).length;

  it('go by count, by age, and by what is referred to', () => {
    assert.equal(kept({}), 4);
    assert.equal(kept({ count: 2 }), 2);
    assert.equal(kept({ age: 3 }), 2);
    assert.equal(kept({ age: 3, keep: ['id5'] }), 3);
    assert.equal(kept({ count: 1, keep: ['none'] }), 1);
    assert.equal(kept({ age: 0, count: 0 }), 1);
    assert.deepEqual(keptFrom([], { count: 1, age: 1, keep: [], now: 0 }), []);
  });

  it('are what a person has set, for every process from the next snapshot on', async () => {
    await using w = new GrowthWorld({ a: '1', b: 'long', 'out/c': '1', 'dist/d': '1' });
    const names = async () => {
      const { snapshot } = await w.snapshots.create(shell);
      const listed = w.listedIn(snapshotRepository(w.options.home, w.options.root), snapshot.id);
      return Object.keys(listed).filter((name) => listed[name] !== '040000');
    };
    assert.deepEqual(await names(), ['a', 'b', 'out/c']);
    writeSnapshotSettings(w.home, {
      limits: { maxFileSize: 3, excludedFolders: ['out'] },
      retention: { count: 7, age: 3, maxBytes: 10_000_000 },
    });
    assert.deepEqual(await names(), ['a', 'dist/d']);
    assert.deepEqual(readSnapshotSettings(w.home).retention, {
      count: 7,
      age: 3,
      maxBytes: 10_000_000,
    });
    for (const text of ['', '{', '[]', '{"count":-1,"maxFileSize":"x","excludedFolders":[1]}']) {
      fs.writeFileSync(path.join(w.home, 'snapshot-settings.json'), text);
      assert.deepEqual(readSnapshotSettings(w.home), { limits: {}, retention: defaultRetention });
    }
    assert.deepEqual(await names(), ['a', 'b', 'out/c']);
  });
});

describe('a check of everything', () => {
  it('that finds what the watcher missed ends the trust in it', async () => {
    await using w = new GrowthWorld({ a: '1', b: '1' });
    const store = w.open({ cookieFolder: path.join(w.folder, 'cookies') });
    await store.create(shell);
    await store.create(shell);
    assert.equal((await store.create(shell)).checked, 'changes');
    // Other rules, or a snapshot that is wanted although nothing changed, are no such find.
    w.git('init', '-q');
    w.put('.git/info/exclude', 'a\n');
    const ruled = await store.create(shell, { everything: true });
    assert.equal(ruled.isNew, true);
    await store.create({ ...shell, label: 'mine', evenIfSame: true }, { everything: true });
    assert.equal((await store.create(shell)).checked, 'changes');
    // Nor is what changes while it looks.
    for (let i = 0; i < 20; i++) {
      const running = store.create(shell, { everything: true });
      await new Promise((resolve) => setImmediate(resolve));
      w.put('b', `meanwhile ${i}`);
      await running;
    }
    assert.equal((await store.create(shell)).checked, 'changes');
    // No watcher hears of a file that is changed by another name, outside.
    const outside = path.join(w.folder, 'outside');
    fs.linkSync(w.path('b'), outside);
    await store.create(shell);
    fs.writeFileSync(outside, 'not noticed');
    assert.equal((await store.create(shell)).isNew, false);
    const check = await store.create(shell, { everything: true });
    assert.equal(check.isNew, true);
    assert.equal((await store.create(shell)).checked, 'everything');
    assert.ok(w.log.some((line) => line.includes('missed a change')));
  });
});
