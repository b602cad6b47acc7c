/** What people do with snapshots: through the app, on real files, with undo, conflicts and crashes. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { describe, it } from 'node:test';
import type { TimelineApp } from '../../src/app/timelineApp.ts';
import { operationsFolder } from '../../src/base/home.ts';
import { helperProgram, StoreDriver } from '../helpers/storeDriver.ts';

const files = { 'a.txt': 'A0\n', 'd/b': 'B0\n', '.gitignore': 'ignored\n', ignored: 'I0' };

/** A snapshot, then changes of every kind by nobody in particular. */
async function changed(d: StoreDriver, app: TimelineApp): Promise<string> {
  fs.symlinkSync('a.txt', d.path('link'));
  const { snapshot } = await app.snapshots(d.root).take('start');
  d.put('a.txt', 'A1\n');
  fs.chmodSync(d.path('a.txt'), 0o755);
  fs.rmSync(d.path('d'), { recursive: true });
  d.put('d', 'a file now');
  d.put('new/deep/file', 'N');
  d.put('ignored', 'I1');
  fs.rmSync(d.path('link'));
  fs.symlinkSync('elsewhere', d.path('link'));
  return snapshot.id;
}

describe('snapshots by hand', () => {
  it('are listed newest first; without a name none is taken when nothing changed', async () => {
    using d = new StoreDriver({ files, git: true });
    await d.with(async (app) => {
      const use = app.snapshots(d.root);
      assert.deepEqual(await use.list(), []);
      const first = await use.take('first');
      assert.deepEqual([first.isNew, first.files], [true, 3]);
      assert.equal((await use.take()).isNew, false);
      assert.equal((await use.take('named')).isNew, true);
      d.put('a.txt', 'A1\n');
      await use.take('second');
      assert.deepEqual(
        (await use.list()).map(({ label, reason }) => [label, reason]),
        [
          ['second', 'person'],
          ['named', 'person'],
          ['first', 'person'],
        ],
      );
    });
  });

  it('going back to what is there already changes and records nothing', async () => {
    using d = new StoreDriver({ files, git: true });
    await d.with(async (app) => {
      const use = app.snapshots(d.root);
      const { snapshot } = await use.take('same');
      const report = await use.restore(snapshot.id);
      assert.deepEqual([report.operation, report.complete, report.paths], [null, true, []]);
      assert.deepEqual(app.operations(d.root), []);
    });
  });

  it('are compared with each other and with the present, and show their files', async () => {
    using d = new StoreDriver({ files, git: true });
    await d.with(async (app) => {
      const use = app.snapshots(d.root);
      const id = await changed(d, app);
      const { after, changes } = await use.compare(id.slice(0, 6));
      assert.equal(after.reason, 'check');
      assert.deepEqual(Object.fromEntries(changes.map(({ path: at, change }) => [at, change])), {
        'a.txt': 'modified',
        d: 'type',
        'd/b': 'deleted',
        link: 'modified',
        new: 'added',
        'new/deep': 'added',
        'new/deep/file': 'added',
      });
      const text = async (of: string, at: string) => {
        const content = await use.content(of, at);
        return content.kind === 'bytes' ? Buffer.from(content.bytes).toString() : content;
      };
      assert.equal(await text(id, 'd/b'), 'B0\n');
      assert.deepEqual(await text(id, 'link'), { kind: 'symlink', target: 'a.txt' });
      assert.deepEqual(await text(after.id, 'd/b'), { kind: 'absent' });
      assert.match(JSON.stringify(await text(id, 'ignored')), /unavailable.*ignored/);
      await assert.rejects(use.compare('12'), { code: 'usage' });
      await assert.rejects(use.compare('00000000'), { code: 'notFound' });
    });
  });

  it('going back is an operation: undone, redone, and what was not captured stays', async () => {
    using d = new StoreDriver({ files, git: true });
    await d.with(async (app) => {
      const use = app.snapshots(d.root);
      const before = d.tree();
      const id = await changed(d, app);
      const now = d.tree();
      const preview = await use.previewRestore(id);
      assert.deepEqual(d.tree(), now);
      assert.deepEqual(preview.paths.map((each) => each.path).sort(), [
        'a.txt',
        'd',
        'd/b',
        'link',
        'new/deep/file',
      ]);
      const report = await use.restore(id);
      assert.equal(report.complete, true);
      const back = d.tree();
      assert.deepEqual({ ...back, ignored: before['ignored'] }, { ...before, link: back['link'] });
      assert.equal(fs.readlinkSync(d.path('link')), 'a.txt');
      assert.equal(d.read('ignored'), 'I1');
      const [operation] = app.operations(d.root);
      assert.match(operation?.label ?? '', /^Restored snapshot .{8} \(start\)$/);
      await app.redo(operation!.id);
      assert.deepEqual(d.tree(), now);
      await app.redo(app.operations(d.root)[0]!.id);
      assert.deepEqual(d.tree(), back);
      const folders = fs.readdirSync(operationsFolder(d.home, d.root));
      for (const folder of folders)
        assert.equal(
          fs.existsSync(path.join(operationsFolder(d.home, d.root), folder, 'bytes')),
          false,
        );
    });
  });

  it('an unsaved editor is a conflict, kept unless it is to give way', async () => {
    using d = new StoreDriver({ files, git: true });
    await d.with(async (app) => {
      const use = app.snapshots(d.root);
      const id = await changed(d, app);
      const unsaved = new Set(['a.txt']);
      const kept = await use.restore(id, { unsaved });
      assert.equal(kept.complete, false);
      assert.deepEqual([d.read('a.txt'), d.read('d/b')], ['A1\n', 'B0\n']);
      const taken = await use.restore(id, { unsaved, conflicts: 'take' });
      assert.equal(taken.complete, true);
      assert.equal(d.read('a.txt'), 'A0\n');
    });
  });

  for (const how of ['finish', 'rollBack'] as const)
    it(`killed anywhere: ${how}`, async () => {
      for (const place of ['journal', 'change d/b', 'verify', 'record', 'close']) {
        using d = new StoreDriver({ files, git: true });
        let id = '';
        await d.with(async (app) => {
          id = await changed(d, app);
        });
        const now = d.tree();
        const { signal, stderr } = spawnSync(
          process.execPath,
          [helperProgram('storeKilled'), d.home, d.root, 'snapshot', id, place],
          { env: d.environment, encoding: 'utf8' },
        );
        assert.equal(signal, 'SIGKILL', stderr);
        await d.with(async (app) => {
          const [pending] = app.pending(d.root);
          assert.equal(pending !== undefined, place !== 'journal', place);
          if (pending) await app.recover(pending.operation, how);
          if (!pending || how === 'rollBack') assert.deepEqual(d.tree(), now, place);
          else assert.deepEqual([d.read('a.txt'), d.read('d/b')], ['A0\n', 'B0\n'], place);
          await app.repair(d.root);
          await app.snapshots(d.root).restore(id);
          assert.deepEqual([d.read('a.txt'), d.read('d/b')], ['A0\n', 'B0\n'], place);
        });
        assert.deepEqual(await d.problems(), []);
      }
    });

  it('folders that can have none say why', async () => {
    using d = new StoreDriver({ files });
    await d.with((app) => {
      assert.throws(() => app.snapshots('/' as never), { code: 'unsupported' });
    });
  });
});
