/** Going back and forth: choices, what is refused, what can be asked for again. */
import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { describe, it, test } from 'node:test';
import { type ErrorCode, isUserError } from '../../src/core/errors.ts';
import { asSessionId } from '../../src/core/ids.ts';
import { resultsOf, StoreDriver, turnNumbered } from '../helpers/storeDriver.ts';
import { stampsOf, treeOf } from '../helpers/storeTree.ts';

const session = asSessionId('session-1');
const files = { 'a.txt': 'A0', 'b.txt': 'B0', 'c.txt': 'C0' };
const start = () => new StoreDriver({ files, inProcess: true });

async function oneTurn(): Promise<StoreDriver> {
  const d = start();
  await d.turn(async (s) => {
    for (const name of ['a.txt', 'b.txt']) await s.edit(name, `${name} 1`);
    await s.edit('new.txt', 'N1');
  });
  return d;
}

function rejected(promise: Promise<unknown>, code: ErrorCode, ...texts: RegExp[]): Promise<void> {
  return assert.rejects(promise, (error) => {
    assert.ok(isUserError(error, code), String(error));
    for (const text of texts) assert.match(error.message, text);
    return true;
  });
}

test('earliest pre-image of the span wins; earlier turns’ work stays', async () => {
  using d = start();
  for (const n of [1, 2, 3]) await d.turn((s) => s.edit('a.txt', `A${n}`));
  await d.turn((s) => s.edit('b.txt', 'B4'));
  await d.rewind(3);
  assert.deepEqual([d.read('a.txt'), d.read('b.txt')], ['A2', 'B0']);
  await d.rewind(1);
  assert.equal(d.read('a.txt'), 'A0');
  await d.redo();
  await d.redo();
  assert.deepEqual([d.read('a.txt'), d.read('b.txt')], ['A3', 'B4']);
});

describe('conflicts', () => {
  it('keep is the default: mine stays, the rest goes back, and the same can be asked for again', async () => {
    using d = await oneTurn();
    d.put('a.txt', 'mine');
    fs.rmSync(d.path('new.txt'));
    d.put('new.txt', 'mine too');
    const report = await d.rewind(1);
    assert.deepEqual(resultsOf(report), {
      'a.txt': 'kept',
      'b.txt': 'restored',
      'new.txt': 'kept',
    });
    assert.deepEqual([report.complete, report.turns.length], [false, 0]);
    assert.deepEqual(
      [d.read('a.txt'), d.read('b.txt'), d.read('new.txt')],
      ['mine', 'B0', 'mine too'],
    );
    assert.equal((await d.turns())[0]?.rewoundBy, null);
    const again = await d.rewind(1, { conflicts: 'take' });
    assert.deepEqual(resultsOf(again), {
      'a.txt': 'restored',
      'b.txt': 'unchanged',
      'new.txt': 'deleted',
    });
    await d.redo();
    assert.deepEqual([d.read('a.txt'), d.read('new.txt')], ['mine', 'mine too']);
    await d.redo();
    assert.equal(d.read('b.txt'), 'b.txt 1');
    assert.deepEqual(await d.problems(), []);
  });

  it('are chosen for each path', async () => {
    using d = await oneTurn();
    for (const name of ['a.txt', 'b.txt', 'new.txt']) d.put(name, 'mine');
    const report = await d.rewind(1, {
      conflicts: 'take',
      choices: new Map([['b.txt', 'keep']]),
    });
    assert.deepEqual(resultsOf(report), {
      'a.txt': 'restored',
      'b.txt': 'kept',
      'new.txt': 'deleted',
    });
  });

  it('fail: nothing is written, every path is named', async () => {
    using d = await oneTurn();
    d.put('a.txt', 'mine');
    d.put('new.txt', 'mine');
    const before = [d.tree(), stampsOf(d.root, [])];
    await rejected(d.rewind(1, { conflicts: 'fail' }), 'conflicts', /a\.txt/, /new\.txt/);
    assert.deepEqual([d.tree(), stampsOf(d.root, [])], before);
    assert.deepEqual(await d.with((app) => app.operations(d.root)), []);
  });

  it('merge: the agent’s change is taken out of mine', async () => {
    using d = start();
    const lines = (first: string, last: string) => `${first}\n2\n3\n4\n5\n${last}\n`;
    d.put('a.txt', lines('old', 'end'), 0o755);
    await d.turn((s) => s.edit('a.txt', lines('agent', 'end')));
    d.put('a.txt', lines('agent', 'mine'));
    const report = await d.rewind(1, { conflicts: 'merge' });
    assert.deepEqual(
      [resultsOf(report), d.read('a.txt')],
      [{ 'a.txt': 'merged' }, lines('old', 'mine')],
    );
    assert.equal(fs.statSync(d.path('a.txt')).mode & 0o777, 0o755);
    await d.redo();
    assert.equal(d.read('a.txt'), lines('agent', 'mine'));
  });

  it('merge keeps mine where it does not merge, where it is binary, deleted, or a link', async () => {
    using d = start();
    d.put('bin', new Uint8Array([0, 1, 2, 3]));
    d.put('gone', 'G0');
    d.put('link', 'L0');
    await d.turn(async (s) => {
      await s.edit('a.txt', 'agent');
      await s.edit('bin', new Uint8Array([0, 9, 2, 3]));
      await s.edit('gone', 'G1');
      await s.edit('link', 'L1');
    });
    d.put('a.txt', 'mine');
    d.put('bin', new Uint8Array([0, 9, 2, 7]));
    fs.rmSync(d.path('gone'));
    fs.rmSync(d.path('link'));
    fs.symlinkSync('a.txt', d.path('link'));
    const before = d.tree();
    const report = await d.rewind(1, { conflicts: 'merge' });
    assert.deepEqual(new Set(Object.values(resultsOf(report))), new Set(['kept']));
    assert.deepEqual(d.tree(), before);
  });

  it('a mode that a person changed is one', async () => {
    using d = await oneTurn();
    fs.chmodSync(d.path('a.txt'), 0o600);
    const report = await d.rewind(1);
    assert.equal(resultsOf(report)['a.txt'], 'kept');
    assert.match(report.paths.find((p) => p.path === 'a.txt')?.why ?? '', /permissions/);
  });

  it('what a person put back by hand is none', async () => {
    using d = await oneTurn();
    d.put('a.txt', 'A0');
    fs.rmSync(d.path('new.txt'));
    const { 'a.txt': stamp } = stampsOf(d.root);
    const report = await d.rewind(1, { conflicts: 'fail' });
    assert.deepEqual(resultsOf(report), {
      'a.txt': 'unchanged',
      'b.txt': 'restored',
      'new.txt': 'unchanged',
    });
    assert.equal(stampsOf(d.root)['a.txt'], stamp);
  });

  it('unsaved editors are the present state', async () => {
    using d = await oneTurn();
    const unsaved = new Set(['a.txt']);
    const preview = await d.with((app) =>
      app.preview(turnNumbered(app, 'session-1', 1).id, { unsaved }),
    );
    assert.deepEqual(
      preview.conflicts.map((c) => c.path),
      ['a.txt'],
    );
    const report = await d.rewind(1, { unsaved });
    assert.deepEqual(resultsOf(report), {
      'a.txt': 'kept',
      'b.txt': 'restored',
      'new.txt': 'deleted',
    });
    const taken = await d.rewind(1, { unsaved, conflicts: 'take' });
    assert.equal(resultsOf(taken)['a.txt'], 'restored');
  });

  it('a folder with files that are kept is not replaced', async () => {
    using d = start();
    d.put('thing', 'file');
    await d.turn(async (s) => {
      await s.edit('thing', fs.unlinkSync);
      await s.edit('thing/x', 'X1');
      await s.edit('a.txt', 'A1');
    });
    d.put('thing/x', 'mine');
    const before = d.tree();
    await rejected(d.rewind(1), 'damaged', /thing: .*thing\/x/);
    assert.deepEqual(d.tree(), before);
    const partial = await d.rewind(1, { partial: true });
    assert.deepEqual(resultsOf(partial), {
      thing: 'notRestorable',
      'thing/x': 'kept',
      'a.txt': 'restored',
    });
    await d.rewind(1, { conflicts: 'take' });
    assert.equal(d.read('thing'), 'file');
  });

  it('a folder with a stranger’s file in it is not replaced either, until the way is free', async () => {
    using d = start();
    await d.turn((s) => s.edit('made', 'M1'));
    fs.rmSync(d.path('made'));
    d.put('made/mine', 'mine');
    const before = d.tree();
    await rejected(d.rewind(1, { conflicts: 'take' }), 'damaged', /made: .*made\/mine/);
    assert.deepEqual(d.tree(), before);
    assert.equal((await d.turns())[0]?.rewoundBy, null);
    fs.rmSync(d.path('made/mine'));
    await d.rewind(1, { conflicts: 'take' });
    assert.equal(fs.existsSync(d.path('made')), false);
  });
});

describe('what is refused', () => {
  it('a turn that runs; forced it is closed, and what the agent does next is a new turn', async () => {
    using d = start();
    await d.main.prompt();
    await d.main.edit('a.txt', 'A1');
    await rejected(d.rewind(1), 'running', /turn 1/);
    const report = await d.rewind(1, { force: true });
    assert.deepEqual([report.complete, d.read('a.txt')], [true, 'A0']);
    // Late hooks of that turn: told after it was taken back, and an edit on top.
    await d.main.after('a.txt');
    await d.main.edit('b.txt', 'B late');
    await d.main.stop();
    const turns = await d.turns();
    assert.deepEqual(
      turns.map((t) => [t.number, t.end, t.rewoundBy !== null, t.files.map((f) => f.path)]),
      [
        [1, 'stale', true, ['a.txt']],
        [2, 'stop', false, ['b.txt']],
      ],
    );
    await d.rewind(2);
    assert.equal(d.read('b.txt'), 'B0');
    await d.redo();
    await d.with(async (app) => {
      const [older] = app.operations(d.root).filter((o) => o.kind === 'rewind' && !o.undone);
      await app.redo(older!.id);
    });
    assert.deepEqual([d.read('a.txt'), d.read('b.txt')], ['A1', 'B late']);
    assert.deepEqual(await d.problems(), []);
  });

  it('a forced one while the edit was not told yet asks', async () => {
    using d = start();
    await d.main.prompt();
    await d.main.before('a.txt');
    d.put('a.txt', 'A half');
    const report = await d.rewind(1, { force: true });
    assert.deepEqual([resultsOf(report), d.read('a.txt')], [{ 'a.txt': 'kept' }, 'A half']);
    await d.main.after('a.txt');
    await d.main.stop();
    const again = await d.rewind(1);
    assert.deepEqual([resultsOf(again), d.read('a.txt')], [{ 'a.txt': 'restored' }, 'A0']);
  });

  it('a turn that was taken back, by itself or with an earlier one', async () => {
    using d = start();
    await d.turn((s) => s.edit('a.txt', 'A1'));
    await d.turn((s) => s.edit('a.txt', 'A2'));
    await d.rewind(1);
    await rejected(d.rewind(1), 'nothingToDo', /taken back already/);
    await rejected(d.rewind(2), 'nothingToDo', /taken back already/);
    assert.equal(d.read('a.txt'), 'A0');
  });

  it('an unknown turn and an unknown operation; a redo of what was undone', async () => {
    using d = await oneTurn();
    await d.rewind(1);
    await d.with(async (app) => {
      await rejected(app.rewind('session-1#9' as never), 'notFound');
      await rejected(app.rewind('' as never), 'notFound');
      await rejected(app.redo('nothing' as never), 'notFound');
      const operation = app.redoable(d.root)!.id;
      await app.redo(operation);
      await rejected(app.redo(operation), 'nothingToDo');
      await rejected(app.recover(operation, 'finish'), 'notFound');
      await rejected(app.recover('nothing' as never, 'finish'), 'notFound');
    });
  });

  for (const [what, harm] of [
    ['a byte of the saved file flipped', (file: string) => fs.writeFileSync(file, 'B9')],
    ['the saved file gone', (file: string) => fs.rmSync(file)],
    ['the saved file cut', (file: string) => fs.truncateSync(file, 1)],
    [
      'the saved file replaced by a link',
      (file: string) => {
        fs.rmSync(file);
        fs.symlinkSync('/etc/hostname', file);
      },
    ],
  ] as const) {
    it(`${what}: before the first write, by name`, async () => {
      using d = await oneTurn();
      harm(d.stored('1', 'files', 'b.txt'));
      const before = [d.tree(), stampsOf(d.root), treeOf(d.path('.memcode'))];
      await rejected(d.rewind(1), 'damaged', /b\.txt: Its saved bytes/);
      assert.deepEqual([d.tree(), stampsOf(d.root), treeOf(d.path('.memcode'))], before);
      assert.match((await d.problems()).join(), /b\.txt/);
      const report = await d.rewind(1, { partial: true });
      assert.deepEqual(resultsOf(report), {
        'a.txt': 'restored',
        'b.txt': 'notRestorable',
        'new.txt': 'deleted',
      });
      assert.equal(d.read('b.txt'), 'b.txt 1');
    });
  }

  for (const [what, text] of [
    ['cut', (old: string) => old.slice(0, old.length / 2)],
    ['empty', () => ''],
    ['another number', (old: string) => old.replace('"seq": 2', '"seq": 3')],
    ['a path outside', (old: string) => old.replace('"path": "a.txt"', '"path": "../a.txt"')],
  ] as const) {
    it(`a manifest that is ${what}: named and shown, its turn and all that go over it refused`, async () => {
      using d = await oneTurn();
      await d.turn((s) => s.edit('a.txt', 'A2'));
      await d.turn((s) => s.edit('c.txt', 'C3'));
      await d.with(() => undefined);
      const file = d.stored('2', 'manifest.json');
      fs.writeFileSync(file, text(fs.readFileSync(file, 'utf8')));
      const before = [d.tree(), stampsOf(d.root)];
      for (const number of [1, 2]) await rejected(d.rewind(number), 'damaged', /Checkpoint 2/);
      assert.deepEqual([d.tree(), stampsOf(d.root)], before);
      assert.match((await d.problems()).join(), /Checkpoint 2/);
      // Later turns do not need it.
      await d.rewind(3);
      assert.equal(d.read('c.txt'), 'C0');
    });
  }

  it('a redo point that was damaged', async () => {
    using d = await oneTurn();
    const report = await d.rewind(1);
    const saved = path.join(
      d.home,
      'roots',
      fs.readdirSync(path.join(d.home, 'roots'))[0]!,
      'operations',
      report.operation!,
      'saved',
    );
    for (const name of fs.readdirSync(saved)) {
      const file = path.join(saved, name);
      if (fs.statSync(file).size > 0)
        fs.writeFileSync(file, fs.readFileSync(file, 'latin1').replaceAll('1', '7'));
    }
    const before = d.tree();
    await rejected(d.redo(), 'damaged', /a\.txt: Its saved bytes/);
    assert.deepEqual(d.tree(), before);
  });

  it('a journal that was damaged is named, and does not stop what is not about it', async () => {
    using d = await oneTurn();
    const report = await d.rewind(1);
    await d.turn((s) => s.edit('a.txt', 'A2'));
    const folder = path.join(
      d.home,
      'roots',
      fs.readdirSync(path.join(d.home, 'roots'))[0]!,
      'operations',
      report.operation!,
    );
    fs.writeFileSync(path.join(folder, 'journal.json'), '{"format":1,');
    assert.match((await d.problems()).join(), /Rewound to before turn 1.*cannot be read/);
    await rejected(
      d.with((app) => app.redo(report.operation!)),
      'damaged',
    );
    await d.rewind(2);
    assert.equal(d.read('a.txt'), 'A0');
  });
});

test('looking writes nothing to the work tree', async () => {
  using d = await oneTurn();
  await d.turn((s) => s.edit('a.txt', 'A2'));
  await d.rewind(2);
  await d.with(async (app) => {
    const before = [stampsOf(d.root, []), treeOf(d.root, [])];
    app.sessions(d.root);
    for (const turn of app.turns(session)) {
      app.turn(turn.id);
      for (const { path: name } of turn.files)
        for (const side of ['before', 'after'] as const) app.content(turn.id, name, side);
      if (turn.rewoundBy === null) await app.preview(turn.id);
    }
    app.operations(d.root);
    app.pending(d.root);
    await app.previewRedo(app.redoable(d.root, session)!.id);
    await app.doctor(d.root);
    assert.deepEqual([stampsOf(d.root, []), treeOf(d.root, [])], before);
  });
});

test('both sides of every file of a turn can be had, also when it was taken back', async () => {
  using d = start();
  fs.symlinkSync('x', d.path('link'));
  await d.turn(async (s) => {
    await s.edit('a.txt', 'A1');
    await s.edit('new', 'N1');
    await s.edit('c.txt', fs.unlinkSync);
    await s.edit('link', (file) => {
      fs.unlinkSync(file);
      fs.symlinkSync('y', file);
    });
  });
  await d.turn((s) => s.edit('a.txt', 'A2'));
  const sides = () =>
    d.with((app) =>
      ['a.txt', 'new', 'c.txt', 'link'].map((name) =>
        (['before', 'after'] as const).map((side) => {
          const content = app.content(turnNumbered(app, 'session-1', 1).id, name, side);
          if (content.kind === 'bytes') return Buffer.from(content.bytes).toString();
          return content.kind === 'symlink' ? content.target : content.kind;
        }),
      ),
    );
  const expected = [
    ['A0', 'A1'],
    ['absent', 'N1'],
    ['C0', 'absent'],
    ['x', 'y'],
  ];
  assert.deepEqual(await sides(), expected);
  await d.rewind(1);
  assert.deepEqual(await sides(), expected);
});

test('the mode of a file is told also before the edit is over', async () => {
  using d = start();
  fs.chmodSync(d.path('a.txt'), 0o755);
  await d.main.prompt();
  await d.main.before('a.txt');
  const side = await d.with((app) =>
    app.content(turnNumbered(app, 'session-1', 1).id, 'a.txt', 'before'),
  );
  assert.deepEqual(
    side.kind === 'bytes' && [Buffer.from(side.bytes).toString(), side.verified, side.mode],
    ['A0', false, 0o755],
  );
});
