/** Plans back to a snapshot: put through the journalled operation they make the tree what it was, and no more. */
import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { describe, it } from 'node:test';
import { runOperation } from '../../src/checkpoint/runOperation.ts';
import { isUserError } from '../../src/core/errors.ts';
import { asOperationId, type Root } from '../../src/core/ids.ts';
import { materialise } from '../../src/snapshot/restorePlan.ts';
import type { SnapshotStore } from '../../src/snapshot/snapshotStore.ts';
import { SnapshotWorld, shell } from '../helpers/snapshotWorld.ts';
import { stampsOf, treeOf } from '../helpers/storeTree.ts';

let operations = 0;

/** As the app does it. @returns the plan */
async function goBack(
  w: SnapshotWorld,
  store: SnapshotStore,
  id: string,
  paths?: readonly string[],
) {
  const plan = await store.restore(id, { turn: 2, ...(paths && { paths }) });
  const operation = asOperationId(`op${operations++}`);
  const steps = materialise(store, plan.steps, path.join(w.folder, operation));
  const root = w.root as Root;
  await runOperation(
    path.join(w.folder, 'home'),
    root,
    {
      format: 1,
      operation,
      kind: 'rewind',
      root,
      session: 's',
      startedAt: 0,
      phase: 'prepared',
      label: '',
      steps,
      effect: { kind: 'none', seqs: [], owner: operation },
    },
    () => undefined,
  );
  return plan;
}

describe('going back to a snapshot', () => {
  it('and forth again is the identity, touching only what differs', async () => {
    await using w = new SnapshotWorld({
      same: 's',
      edited: 'e',
      gone: 'g',
      'old/x': 'x',
      'k/y': 'y',
    });
    w.put('key', 'k', 0o600);
    fs.symlinkSync('same', w.path('link'));
    fs.mkdirSync(w.path('empty'));
    const store = w.open();
    const { snapshot } = await store.create(shell);
    const before = treeOf(w.root);
    w.put('edited', 'E');
    fs.rmSync(w.path('gone'));
    fs.renameSync(w.path('old'), w.path('new'));
    fs.rmSync(w.path('k'), { recursive: true });
    w.put('k', 'now a file');
    fs.chmodSync(w.path('key'), 0o644);
    fs.rmSync(w.path('link'));
    fs.symlinkSync('edited', w.path('link'));
    fs.rmdirSync(w.path('empty'));
    const after = treeOf(w.root);
    const same = stampsOf(w.root)['same'];
    const plan = await goBack(w, store, snapshot.shortId);
    assert.deepEqual(plan.notRestorable, []);
    assert.deepEqual(treeOf(w.root), before);
    assert.equal(stampsOf(w.root)['same'], same);
    assert.deepEqual(plan.preRollback.meta, {
      turn: 2,
      triggerTool: 'restore',
      triggerArgs: snapshot.id,
      preRollback: true,
    });
    await goBack(w, store, plan.preRollback.id);
    assert.deepEqual(treeOf(w.root), after);
    w.checkStore();
  });

  it('only for some paths', async () => {
    await using w = new SnapshotWorld({ a: '1', 'd/b': '1', 'd/c': '1', dd: '1' });
    const store = w.open();
    const { snapshot } = await store.create(shell);
    for (const name of ['a', 'd/b', 'd/c', 'dd']) w.put(name, '2');
    const plan = await goBack(w, store, snapshot.id, ['d']);
    assert.deepEqual(
      plan.steps.map((step) => step.path),
      ['d/b', 'd/c'],
    );
    assert.equal(fs.readFileSync(w.path('dd'), 'utf8'), '2');
  });

  it('has nothing to say of ignored files that came since', async () => {
    await using w = new SnapshotWorld({ '.gitignore': '*.log\n', a: '1', 'old.log': 'l' });
    const store = w.open();
    const { snapshot } = await store.create(shell);
    w.put('a', '2');
    w.put('new.log', 'l');
    fs.rmSync(w.path('old.log'));
    const plan = await goBack(w, store, snapshot.id);
    assert.deepEqual([plan.steps.map((step) => step.path), plan.notRestorable], [['a'], []]);
    assert.ok(fs.existsSync(w.path('new.log')));
  });

  it('keeps and lists what was not captured then or is not now', async () => {
    await using w = new SnapshotWorld({
      '.gitignore': '*.log\n',
      a: '1',
      'a.log': 'log',
      'node_modules/m/x': 'x',
      'f/x': 'x',
    });
    w.put('big', Buffer.alloc(5000, 'b'));
    w.put('shrinks', Buffer.alloc(5000, 's'));
    const store = w.open({ limits: { maxFileSize: 1000 } });
    const { snapshot } = await store.create(shell);
    const secondWorld = () => {
      w.put('.gitignore', '');
      w.put('a', '2');
      fs.appendFileSync(w.path('big'), 'more');
      w.put('shrinks', 'small');
      w.put('f/y.bin', Buffer.alloc(3000));
    };
    secondWorld();
    const expected = { 'a.log': 'log', shrinks: 'small', 'node_modules/m/x': 'x' };
    const plan = await goBack(w, store, snapshot.id);
    assert.deepEqual(
      plan.notRestorable.map((row) => row.path),
      ['a.log', 'shrinks'],
    );
    assert.deepEqual(
      plan.steps.map((step) => step.path),
      ['.gitignore', 'a'],
    );
    for (const [name, text] of Object.entries(expected))
      assert.equal(fs.readFileSync(w.path(name), 'utf8'), text);
    assert.equal(fs.statSync(w.path('big')).size, 5004);
    const next = await store.create({ ...shell, restoredFrom: snapshot.id });
    assert.equal(next.snapshot.meta.restoredFrom, snapshot.id);
  });

  it('leaves a folder with uncaptured files where a file was', async () => {
    await using w = new SnapshotWorld({ '.gitignore': '*.log\n', thing: 'file' });
    const store = w.open();
    const { snapshot } = await store.create(shell);
    fs.rmSync(w.path('thing'));
    w.put('thing/x', 'x');
    w.put('thing/precious.log', 'p');
    const plan = await store.restore(snapshot.id, { turn: 1 });
    assert.deepEqual(
      plan.notRestorable.map((row) => row.path),
      ['thing'],
    );
    fs.rmSync(w.path('thing'), { recursive: true });
    w.put('folder/x', 'x');
    w.put('folder/precious.log', 'p');
    const second = await goBack(w, store, snapshot.id);
    assert.deepEqual(
      second.steps.map((step) => step.path),
      ['folder', 'folder/x', 'thing'],
    );
    assert.equal(fs.readFileSync(w.path('folder/precious.log'), 'utf8'), 'p');
  });

  it('refuses an unknown snapshot without taking one, and missing bytes before anything is planned', async () => {
    await using w = new SnapshotWorld({ a: '1' });
    const store = w.open();
    const { snapshot } = await store.create(shell);
    w.put('a', '2');
    assert.throws(
      () => store.restore('ffff', { turn: 1 }),
      (e) => isUserError(e, 'notFound'),
    );
    assert.equal(store.list().length, 1);
    const packs = path.join(w.storeFolder, 'objects/pack');
    const blob = w.storeGit('rev-parse', `${snapshot.id}:a`).trim();
    await store.create(shell);
    w.storeGit('gc', '-q', '--prune=now');
    const all = w
      .storeGit('rev-list', '--objects', '--all')
      .split('\n')
      .map((line) => line.slice(0, 40))
      .filter((id) => id !== '' && id !== blob);
    const made = path.join(w.folder, 'without');
    fs.mkdirSync(made);
    const { execFileSync } = await import('node:child_process');
    execFileSync('git', ['pack-objects', '-q', path.join(made, 'pack')], {
      cwd: w.storeFolder,
      input: all.join('\n'),
    });
    fs.rmSync(packs, { recursive: true });
    fs.renameSync(made, packs);
    await assert.rejects(w.open().restore(snapshot.id, { turn: 1 }), (e) =>
      isUserError(e, 'damaged'),
    );
    assert.equal(fs.readFileSync(w.path('a'), 'utf8'), '2');
  });
});
