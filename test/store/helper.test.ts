/** The helper process of a root, as its clients see it. Each test has a helper of its own. */
import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { describe, it } from 'node:test';
import { readRecord, recordFile } from '../../src/app/helper/helperRecord.ts';
import { openSnapshots } from '../../src/app/snapshots.ts';
import { snapshotRepository } from '../../src/base/home.ts';
import { isUserError } from '../../src/core/errors.ts';
import { HelperWorld, isAlive, kill, until } from '../helpers/helperWorld.ts';
import { shell, shortly } from '../helpers/snapshotWorld.ts';

const files = { a: '1', 'd/b': '1' };

describe('a helper process', () => {
  it('does all that the contract names', async () => {
    await using w = new HelperWorld(files);
    const client = w.client();
    const { snapshot: first } = await client.create(shell);
    assert.notEqual(w.record?.pid, process.pid);
    w.put('a', '2', 0o640);
    fs.symlinkSync('a', w.path('l'));
    const { snapshot: second } = await client.create(shell);
    assert.deepEqual(shortly(await client.diff(first.id, second.id)), [
      'a: 644 => 640',
      'l: absent => -> a',
    ]);
    assert.deepEqual(
      (await client.list()).map(({ id }) => id),
      [second.id, first.id],
    );
    assert.equal((await client.lookup(first.shortId)).id, first.id);
    assert.equal((await client.stateAt(second.id, 'l')).kind, 'symlink');
    const state = await client.plainStateAt(first.id, 'a');
    assert.equal(state.kind === 'file' && state.sha256?.length, 64);
    assert.equal(String(await client.read(first.id, 'a')), '1');
    const copy = path.join(w.folder, 'copy');
    assert.equal((await client.copyTo(first.id, 'a', copy)).kind, 'file');
    assert.equal(fs.readFileSync(copy, 'utf8'), '1');
    await assert.rejects(client.copyTo(first.id, 'a', copy), { code: 'EEXIST' });
    const { steps } = await client.restorePlan(first.id, { turn: 3 });
    const [made] = await client.materialise(steps, path.join(w.folder, 'bytes'));
    assert.equal(fs.readFileSync(made?.source ?? '', 'utf8'), '1');
    w.put('.memcode/checkpoints/s/1/manifest.json', '{}');
    const checkpoint = w.path('.memcode/checkpoints/s/1');
    await client.archive('s/1', checkpoint);
    fs.rmSync(checkpoint, { recursive: true });
    await client.unarchive('s/1', checkpoint);
    assert.equal(fs.readFileSync(path.join(checkpoint, 'manifest.json'), 'utf8'), '{}');
    assert.equal((await client.archives()).length, 1);
    await client.dropArchive('s/1');
    await client.settle();
    assert.ok((await client.maintain()).bytes > 0);
    assert.equal(w.fsck(snapshotRepository(w.place.home, w.place.root)), '');
  });

  it('looks only at what changed, and tells the same as one that looks at everything', async () => {
    await using w = new HelperWorld(files);
    const client = w.client();
    await client.create(shell);
    let result = await client.create(shell);
    for (let i = 0; result.checked !== 'changes'; i++) {
      w.put('a', `until it is warm ${i}`);
      result = await client.create(shell);
    }
    w.put('d/new/f', '1');
    const { snapshot, read } = await client.create(shell);
    assert.equal(read, 1);
    const { snapshot: wanted } = await w.open().create(shell);
    assert.equal(snapshot.tree, wanted.tree);
  });

  it('passes errors on as they are', async () => {
    await using w = new HelperWorld(files);
    const client = w.client();
    const { snapshot } = await client.create(shell);
    await assert.rejects(client.lookup('x'), (e) => isUserError(e, 'usage'));
    await assert.rejects(
      client.lookup('ffff'),
      (e) => isUserError(e, 'notFound') && e.data['prefix'] === 'ffff',
    );
    await assert.rejects(client.read(snapshot.id, 'none'), (e) => isUserError(e, 'notFound'));
    await assert.rejects(client.materialise([], w.path('a/b')), { code: 'ENOTDIR' });
  });

  it('is one for all its clients', async () => {
    await using w = new HelperWorld(files);
    const clients = Array.from({ length: 6 }, () => w.client());
    const results = await Promise.all(clients.map((client) => client.create(shell)));
    assert.equal(new Set(results.map(({ snapshot }) => snapshot.id)).size, 1);
    const pid = w.record?.pid;
    await Promise.all(
      clients.map(async (client, i) => {
        w.put(`f${i}`, '1');
        await client.create(shell);
      }),
    );
    assert.equal(w.record?.pid, pid);
    const { snapshot } = await clients[0]!.create(shell);
    assert.equal(
      Object.keys(w.listedIn(snapshotRepository(w.place.home, w.place.root), snapshot.id)).length,
      9,
    );
    assert.equal(w.log.length, 0);
  });

  it('killed in the middle of a request is replaced', async () => {
    await using w = new HelperWorld(files);
    const client = w.client();
    await client.create(shell);
    const pid = w.record?.pid ?? 0;
    process.kill(pid, 'SIGSTOP');
    w.put('a', '2');
    const running = client.create(shell);
    await kill(pid);
    const { snapshot } = await running;
    assert.equal(String(await client.read(snapshot.id, 'a')), '2');
    assert.notEqual(w.record?.pid, pid);
    assert.equal(w.fsck(snapshotRepository(w.place.home, w.place.root)), '');
  });

  it('is not needed: without one the process does it itself', async () => {
    await using w = new HelperWorld(files);
    const program = { runtime: process.execPath, isElectron: false, bundle: '/none' };
    for (const helper of [{ version: '1.0.0' }, { version: '1.0.0', program }]) {
      const client = w.client({ helper });
      w.put('a', JSON.stringify(helper));
      assert.equal((await client.create(shell)).isNew, true);
    }
    assert.equal(w.record, undefined);
  });

  it('stops what is cancelled or takes too long, and goes on with the rest', async () => {
    await using w = new HelperWorld(files);
    const client = w.client();
    await client.create(shell);
    w.put('a', '2');
    const pid = w.record?.pid ?? 0;
    process.kill(pid, 'SIGSTOP');
    const stop = new AbortController();
    const reason = new Error('enough');
    const cancelled = client.create(shell, { signal: stop.signal });
    const late = client.create(shell, { within: 1 });
    stop.abort(reason);
    await assert.rejects(cancelled, reason);
    await assert.rejects(late, (e) => isUserError(e, 'late') && e.data['within'] === 1);
    process.kill(pid, 'SIGCONT');
    const { snapshot } = await client.create(shell);
    assert.equal(String(await client.read(snapshot.id, 'a')), '2');
    assert.equal(w.record?.pid, pid);
  });

  it('goes when nobody needs it, and when its home is removed', async () => {
    await using w = new HelperWorld(files);
    const environment = { ...process.env, MEMCODE_TIMELINE_HELPER_IDLE: '300' };
    const client = w.client({ environment });
    await client.create(shell);
    const first = w.record?.pid ?? 0;
    const address = w.record?.address ?? '';
    await until(() => !isAlive(first));
    assert.equal(fs.existsSync(recordFile(w.home, w.place.root)), false);
    assert.equal(fs.existsSync(address), false);
    w.put('a', '2');
    // Its first look may have taken the snapshot already.
    const { snapshot } = await client.create(shell);
    assert.equal(String(await client.read(snapshot.id, 'a')), '2');
    // A slow machine takes longer than its idle time, and it is gone already.
    const second = readRecord(w.home, w.place.root)?.pid ?? 0;
    assert.notEqual(second, first);
    // The helper may be writing there.
    fs.rmSync(w.home, { recursive: true, force: true, maxRetries: 20, retryDelay: 20 });
    await until(() => !isAlive(second));
    const last = w.client({ environment });
    const anew = await last.create(shell);
    assert.equal(String(await last.read(anew.snapshot.id, 'a')), '2');
  });

  it('goes when its folder is gone', async () => {
    await using w = new HelperWorld(files);
    const client = w.client();
    await client.create(shell);
    const pid = w.record?.pid ?? 0;
    fs.rmSync(w.root, { recursive: true });
    await assert.rejects(client.create(shell), (e) => isUserError(e, 'notFound'));
    await until(() => !isAlive(pid));
  });

  it('starts anew when its store was removed', async () => {
    await using w = new HelperWorld(files);
    const client = w.client();
    await client.create(shell);
    fs.rmSync(snapshotRepository(w.place.home, w.place.root), { recursive: true });
    const { snapshot } = await client.create(shell);
    assert.equal(String(await client.read(snapshot.id, 'd/b')), '1');
    assert.equal(w.fsck(snapshotRepository(w.place.home, w.place.root)), '');
  });

  it('shares the store with processes that do without it', async () => {
    await using w = new HelperWorld(files);
    const client = w.client();
    const alone = openSnapshots({
      ...w.place,
      now: Date.now,
      log: () => undefined,
      environment: process.env,
      userHome: path.join(w.folder, 'user'),
    });
    for (let i = 0; i < 6; i++) {
      w.put('a', String(i));
      await Promise.all([client.create(shell), alone.create(shell)]);
    }
    const all = await alone.list();
    assert.deepEqual(
      all.map(({ id }) => id),
      (await client.list()).map(({ id }) => id),
    );
    assert.ok(all.length >= 6);
    await alone.close();
    assert.equal(w.fsck(snapshotRepository(w.place.home, w.place.root)), '');
  });
});
