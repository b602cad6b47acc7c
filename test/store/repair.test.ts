/** Each damage that can be mended, made by hand: told before, mended, gone after, and nothing of value lost with it. */
import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { describe, it } from 'node:test';
import { hashFile } from '../../src/base/hash.ts';
import { rootFolder } from '../../src/base/home.ts';
import { isUserError } from '../../src/core/errors.ts';
import { asOperationId, asSessionId } from '../../src/core/ids.ts';
import { putOld, RepairWorld, session } from '../helpers/repairWorld.ts';
import { resultsOf, StoreDriver, turnNumbered } from '../helpers/storeDriver.ts';

interface Case {
  readonly damage: (world: RepairWorld) => void;
  /** One a finding, in any order. */
  readonly told: readonly RegExp[];
  /** Default problem. */
  readonly severity?: 'note';
  readonly mended: readonly RegExp[];
  readonly afterwards?: (world: RepairWorld) => void | Promise<void>;
}

const check = (name: string, { damage, told, severity, mended, afterwards }: Case) =>
  it(name, async () => {
    using world = await RepairWorld.make();
    assert.deepEqual(await world.findings(), []);
    const treasures = world.treasures();
    damage(world);
    const disk = world.disk();
    const before = await world.findings();
    assertTexts(before, told);
    assert.ok(before.every((finding) => finding.severity === (severity ?? 'problem')));
    assert.deepEqual(world.disk(), disk, 'looking changes nothing');

    assertTexts(await world.repair(), mended);
    assert.deepEqual(await world.findings(), []);
    assert.deepEqual(world.treasures(), treasures);
    assert.deepEqual(await world.repair(), []);
    await afterwards?.(world);
    assert.deepEqual(await world.findings(), []);
  });

function assertTexts(found: readonly { readonly text: string }[], told: readonly RegExp[]): void {
  const texts = found.map(({ text }) => text);
  for (const text of told)
    assert.ok(
      texts.some((each) => text.test(each)),
      `${text} in:\n${texts.join('\n')}`,
    );
  assert.equal(texts.length, told.length, texts.join('\n'));
}

const times = <T>(count: number, value: T): readonly T[] =>
  Array.from({ length: count }, () => value);

describe('what crashes leave behind', () => {
  const name = '.memcode-tmp-123-456-7';

  check('stale temporaries in our stores; young ones and what is not ours stay', {
    damage: (w) => {
      const stale = [
        path.join(w.home, name),
        path.join(w.home, 'bin', name),
        path.join(w.home, 'spool', name),
        path.join(w.home, 'live', 'session-1', name),
        w.operation(w.ids.rewind, 'saved', name),
        path.join(path.dirname(w.postImages()[0] ?? ''), name),
        w.stored('1', name),
        w.aside(w.ids.rewind, '4', name),
      ];
      for (const file of stale) putOld(file, 2);
      putOld(path.join(w.home, 'spool', `${name}-young`), 0.5);
      putOld(w.driver.path('.memcode/sessions/.memcode-tmp-not-ours'), 2);
      // A pre-image, old, whose name is the user's.
      const blob = w.aside(w.ids.rewind, '4/files/sub/.memcode-tmp-mine');
      fs.utimesSync(blob, 0, 0);
      fs.utimesSync(w.driver.path('sub/.memcode-tmp-mine'), 0, 0);
    },
    severity: 'note',
    told: times(8, /A temporary that a crash left behind/),
    mended: times(8, /temporary .* was removed/),
    afterwards: (w) => {
      assert.ok(fs.existsSync(path.join(w.home, 'spool', `${name}-young`)));
      assert.ok(fs.existsSync(w.driver.path('.memcode/sessions/.memcode-tmp-not-ours')));
    },
  });

  check('temporaries of finished operations beside their paths', {
    damage: (w) => {
      fs.writeFileSync(w.driver.path(`sub/.memcode-tmp-${w.ids.rewind}-0`), 'half');
      fs.symlinkSync('nowhere', w.driver.path(`.memcode-tmp-${w.ids.revert}-12`));
    },
    severity: 'note',
    told: times(2, /A temporary that a crash left behind/),
    mended: times(2, /temporary .* was removed/),
  });

  check('what retention was removing', {
    damage: (w) => {
      for (const folder of [
        w.stored('.trash-.memcode-tmp-1'),
        w.aside(asOperationId('.trash-.memcode-tmp-2')),
        w.operation('.trash-.memcode-tmp-3'),
      ]) {
        fs.mkdirSync(path.join(folder, '7'), { recursive: true });
        fs.writeFileSync(path.join(folder, 'journal.json'), '{}');
        fs.writeFileSync(path.join(folder, '7', 'manifest.json'), '{');
      }
    },
    severity: 'note',
    told: times(3, /to be removed to keep within the limits, and are not all gone/),
    mended: times(3, /rest of saved states .* was removed/),
  });

  check('an operation that never began', {
    damage: (w) => {
      const folder = w.operation('20260101T000000000Z-dead');
      fs.mkdirSync(path.join(folder, 'saved'), { recursive: true });
      fs.writeFileSync(path.join(folder, 'saved', 'small'), 'A1');
    },
    severity: 'note',
    told: [/cut short before it changed anything/],
    mended: [/never began was removed/],
    afterwards: (w) => assert.equal(fs.existsSync(w.operation('20260101T000000000Z-dead')), false),
  });

  check('contents that are not what their name says', {
    damage: (w) => {
      const [first = '', second = ''] = w.postImages();
      // Not in place: a pre-image may be another name of the same file.
      for (const file of [first, second]) fs.rmSync(file);
      fs.writeFileSync(first, 'XX');
      fs.symlinkSync(w.driver.path('a.txt'), second);
    },
    told: times(2, /bytes that are not the ones it left/),
    mended: times(2, /were removed/),
    afterwards: (w) => assert.equal(w.driver.read('a.txt'), 'A1'),
  });

  it('a merge is not built on such contents', async () => {
    const lines = (first: string, last: string) => `${first}\n2\n3\n4\n5\n6\n${last}\n`;
    using driver = new StoreDriver({ files: { 'm.txt': lines('old', 'end') }, inProcess: true });
    await driver.turn((s) => s.edit('m.txt', lines('new', 'end')));
    await driver.with(async (app) => {
      const [turn] = app.turns(session);
      assert.ok(turn);
      const folder = path.join(rootFolder(driver.home, driver.root), 'post-images');
      const left = hashFile(driver.path('m.txt'));
      driver.put('m.txt', lines('new', 'mine'));
      const kept = path.join(folder, left.sha256.slice(0, 2), left.sha256.slice(2));
      fs.rmSync(kept);
      fs.writeFileSync(kept, lines('old', 'mine'));
      const report = await app.rewind(turn.id, { conflicts: 'merge' });
      assert.deepEqual(resultsOf(report), { 'm.txt': 'kept' });
      assert.equal(driver.read('m.txt'), lines('new', 'mine'));
    });
  });

  it('a link in our store leads nowhere', async () => {
    using world = await RepairWorld.make();
    const outside = path.join(world.driver.folder, 'outside');
    putOld(path.join(outside, '.trash-1', 'x'), 2);
    putOld(path.join(outside, '.memcode-tmp-1'), 2);
    putOld(path.join(outside, '1', '.memcode-tmp-1'), 2);
    fs.mkdirSync(world.stored('../session-2'));
    fs.symlinkSync(outside, world.stored('../session-2/.rewound'));
    fs.symlinkSync(outside, world.stored('../session-3'));
    fs.symlinkSync(outside, path.join(world.home, 'live', 'session-3'));
    const before = fs.readdirSync(outside, { recursive: true });
    await world.repair();
    assert.deepEqual(fs.readdirSync(outside, { recursive: true }), before);
  });
});

describe('turns and their checkpoints', () => {
  check('taken back, but its checkpoint lies in its normal place', {
    damage: (w) => fs.renameSync(w.aside(w.ids.rewind, '4'), w.stored('4')),
    told: [/turn 4 .*: its checkpoint is not where it belongs/],
    mended: [/turn 4 .*: its checkpoint was moved to its place/],
    afterwards: async (w) => {
      await w.app.redo(w.ids.rewind);
      assert.equal(w.driver.read('sub/.memcode-tmp-mine'), 'C4');
      assert.equal(w.turn(4).rewoundBy, null);
      await w.app.rewind(w.turn(4).id);
    },
  });

  check('taken back, but not marked so', {
    damage: (w) => w.sql('UPDATE turns SET rewound_by = NULL WHERE seq = 4'),
    told: [/turn 4 .*: its mark as taken back is missing/],
    mended: [/turn 4 .*: it was marked/],
    afterwards: (w) => assert.equal(w.turn(4).rewoundBy, w.ids.rewind),
  });

  check('reverted, but not marked so', {
    damage: (w) => w.sql('UPDATE turns SET rewound_by = NULL WHERE seq = 2'),
    told: [/turn 2 .*: its mark as taken back is missing/],
    mended: [/turn 2 .*: it was marked/],
    afterwards: (w) => assert.equal(w.turn(2).rewoundBy, w.ids.revert),
  });

  check('in force, but its checkpoint lies among those taken back', {
    damage: (w) => {
      fs.mkdirSync(w.aside(asOperationId('unknown')));
      fs.renameSync(w.stored('1'), w.aside(asOperationId('unknown'), '1'));
    },
    told: [/turn 1 .*: its checkpoint is not where it belongs/],
    mended: [/turn 1 .*: its checkpoint was moved to its place/],
    afterwards: async (w) => {
      assert.equal(fs.existsSync(w.aside(asOperationId('unknown'))), false);
      assert.equal(w.turn(1).damaged, null);
      assert.equal((await w.app.rewind(w.turn(1).id)).complete, true);
      assert.equal(w.driver.read('a.txt'), 'A0');
    },
  });

  check('in force, but marked by an operation nobody knows', {
    damage: (w) => w.sql("UPDATE turns SET rewound_by = 'unknown' WHERE seq = 1"),
    told: [/turn 1 .*: it is marked as taken back\./],
    mended: [/turn 1 .*: the mark was taken off/],
    afterwards: (w) => assert.equal(w.turn(1).rewoundBy, null),
  });

  check('in force, but marked by an operation that was undone, and put aside', {
    damage: (w) => {
      w.sql('UPDATE turns SET rewound_by = ? WHERE seq = 3', w.ids.restore);
      fs.mkdirSync(w.aside(w.ids.restore));
      fs.renameSync(w.stored('3'), w.aside(w.ids.restore, '3'));
    },
    told: [/turn 3 .*: it is marked as taken back, and its checkpoint is not where/],
    mended: [/turn 3 .*: the mark was taken off, and its checkpoint was moved/],
  });

  it('everything that is known of an operation is gone, and agrees: it stays so', async () => {
    using world = await RepairWorld.make();
    fs.rmSync(world.operation(world.ids.rewind), { recursive: true });
    world.sql('DELETE FROM operations WHERE id = ?', world.ids.rewind);
    assert.deepEqual(await world.findings(), []);
    assert.deepEqual(await world.repair(), []);
    assert.equal(world.turn(4).rewoundBy, world.ids.rewind);
  });

  it('operations that are undone out of order leave no turn behind', async () => {
    using world = await RepairWorld.make();
    const { app } = world;
    const { operation: undo } = await app.redo(world.ids.rewind);
    const { operation: revert } = await app.revertTurn(world.turn(4).id);
    assert.ok(undo && revert);
    await app.redo(undo);
    await app.redo(revert);
    assert.equal(world.turn(4).rewoundBy, null);
    assert.equal(world.turn(4).damaged, null);
    assert.deepEqual(await world.findings(), []);
    await app.rewind(world.turn(4).id);
    assert.equal(world.driver.read('sub/.memcode-tmp-mine'), 'C3');
    assert.deepEqual(await world.findings(), []);
  });

  it('what memcode wrote stays where it is, marked or not', async () => {
    using world = await RepairWorld.make();
    const place = world.stored('../sess_memcode/1');
    fs.mkdirSync(path.join(place, 'files'), { recursive: true });
    fs.writeFileSync(path.join(place, 'files', 'm.txt'), 'M0');
    const files = [{ path: 'm.txt', existed: true }];
    const manifest = { seq: 1, label: 'theirs', at: '2026-03-05T09:30:00Z', files };
    fs.writeFileSync(path.join(place, 'manifest.json'), JSON.stringify(manifest, null, 2));
    world.driver.put('m.txt', 'M1');
    world.app.sessions(world.driver.root);
    const turn = turnNumbered(world.app, 'sess_memcode', 1);
    const { operation } = await world.app.rewind(turn.id, { conflicts: 'take' });
    assert.deepEqual(await world.findings(), []);
    world.sql("UPDATE turns SET rewound_by = NULL WHERE session = 'sess_memcode'");
    assertTexts(await world.repair(), [/sess_memcode .*: it was marked/]);
    assert.equal(world.app.turn(turn.id).rewoundBy, operation);
    assert.ok(fs.existsSync(place));
    assert.deepEqual(await world.findings(), []);
  });
});

describe('operations and their records', () => {
  check('carried out, but not listed', {
    damage: (w) => w.sql('DELETE FROM operations WHERE id IN (?, ?)', w.ids.rewind, w.ids.revert),
    told: [
      /"Rewound to before turn 4" was carried out but is not/,
      /"Reverted turn 2" was carried/,
    ],
    mended: [/"Rewound to before turn 4" is listed again/, /"Reverted turn 2" is listed again/],
    afterwards: async (w) => {
      assert.deepEqual(
        w.app.operations(w.driver.root).map(({ id, undone }) => [id, undone]),
        [
          [w.ids.undo, false],
          [w.ids.restore, true],
          [w.ids.revert, false],
          [w.ids.rewind, false],
        ],
      );
      assert.deepEqual(resultsOf(await w.app.redo(w.ids.revert)), { 'b.txt': 'restored' });
      assert.equal(w.turn(2).rewoundBy, null);
      await w.app.redo(w.ids.rewind);
      assert.equal(w.turn(4).rewoundBy, null);
    },
  });

  check('an undo that is not listed, nor what it undid', {
    damage: (w) => w.sql('DELETE FROM operations WHERE id IN (?, ?)', w.ids.restore, w.ids.undo),
    told: [/"Restored a\.txt/, /"Undid: Restored a\.txt/],
    mended: [/"Restored a\.txt .* is listed again/, /"Undid: Restored a\.txt .* is listed again/],
    afterwards: (w) => {
      assert.equal(w.operationOf(w.ids.restore)?.undone, true);
      assert.equal(w.operationOf(w.ids.undo)?.undone, false);
    },
  });

  it('all marks and operations were lost: both are back', async () => {
    using world = await RepairWorld.make();
    world.sql('DELETE FROM operations');
    world.sql('UPDATE turns SET rewound_by = NULL');
    const marks = () => [1, 2, 3, 4].map((number) => world.turn(number).rewoundBy);
    assert.equal((await world.repair()).length, 6);
    assert.deepEqual(marks(), [null, world.ids.revert, null, world.ids.rewind]);
    assert.deepEqual(await world.findings(), []);
  });

  check('listed, but its record is gone', {
    damage: (w) => fs.rmSync(w.operation(w.ids.rewind), { recursive: true }),
    told: [/The record of "Rewound to before turn 4" is gone or cannot be read/],
    mended: [/"Rewound to before turn 4" is listed as one that cannot be taken back/],
    afterwards: async (w) => {
      assert.equal(w.operationOf(w.ids.rewind)?.pruned, true);
      assert.equal(w.turn(4).rewoundBy, w.ids.rewind);
      await assert.rejects(w.app.redo(w.ids.rewind), (e) => isUserError(e, 'nothingToDo'));
    },
  });

  const asideOf = (w: RepairWorld) =>
    path.join(rootFolder(w.home, w.driver.root), 'set-aside', w.ids.revert);

  check('listed, but its record cannot be read: kept for a person', {
    damage: (w) => fs.writeFileSync(w.journal(w.ids.revert), '{"format":1,'),
    told: [/The record of "Reverted turn 2" is gone or cannot be read/],
    mended: [/"Reverted turn 2" is listed as one .* was moved to .*set-aside/],
    afterwards: (w) => {
      assert.equal(w.operationOf(w.ids.revert)?.pruned, true);
      assert.deepEqual(fs.readdirSync(asideOf(w)).sort(), ['done.json', 'saved']);
    },
  });

  check('listed, but only what it saved is left: kept for a person', {
    damage: (w) => fs.rmSync(w.journal(w.ids.revert)),
    told: [/The record of "Reverted turn 2" is gone or cannot be read/],
    mended: [/"Reverted turn 2" is listed as one .* was moved to .*set-aside/],
    afterwards: (w) => assert.deepEqual(fs.readdirSync(asideOf(w)), ['saved']),
  });
});

describe('what hooks know of a session', () => {
  const state = (w: RepairWorld, name = 'session-1') =>
    path.join(w.home, 'live', name, 'state.json');
  const unreadable = /What hooks must know of a session cannot be read/;

  check('cannot be read: set aside, and its numbers go on', {
    damage: (w) => {
      fs.writeFileSync(state(w), '{"format":1,');
      fs.mkdirSync(state(w, 'a-folder'), { recursive: true });
      putOld(state(w, 'another'), 0, JSON.stringify({ format: 1, session: 'x', highWater: 3 }));
    },
    told: times(3, unreadable),
    mended: times(3, /set aside; its numbers go on/),
    afterwards: async (w) => {
      const names = fs.readdirSync(path.dirname(state(w)));
      assert.ok(names.some((name) => /^unreadable-\d+\.json$/.test(name)));
      await w.driver.turn((s) => s.edit('a.txt', 'A5'));
      w.app.ingest();
      assert.deepEqual(
        w.app.turns(session).map(({ seq }) => seq),
        [1, 2, 3, 4, 5],
      );
    },
  });

  it('one of a newer version is left alone', async () => {
    using world = await RepairWorld.make();
    putOld(state(world, 'newer'), 0, '{"format":2}');
    assert.deepEqual(await world.findings(), []);
    assert.deepEqual(await world.repair(), []);
  });
});

describe('repair', () => {
  it('waits for an operation that was cut short', async () => {
    using world = await RepairWorld.make();
    const { driver, ids } = world;
    const open = path.join(path.dirname(world.journal(ids.rewind)), 'journal.json');
    const journal = JSON.parse(fs.readFileSync(world.journal(ids.rewind), 'utf8'));
    fs.writeFileSync(open, JSON.stringify({ ...journal, phase: 'prepared' }));
    fs.rmSync(world.journal(ids.rewind));
    fs.renameSync(world.stored('1'), world.aside(ids.rewind, '1'));
    const disk = world.disk();
    await assert.rejects(world.repair(), (error) => isUserError(error, 'interrupted'));
    assert.deepEqual(world.disk(), disk);
    await world.app.recover(ids.rewind, 'finish');
    assertTexts(await world.repair(), [/turn 1 .* moved to its place/]);
    assert.deepEqual(await world.findings(), []);
    assert.equal(driver.read('a.txt'), 'A1');
  });

  it('goes on after what it cannot do, and says so', async () => {
    using world = await RepairWorld.make();
    const { ids } = world;
    fs.rmSync(world.journal(ids.revert));
    putOld(
      path.join(rootFolder(world.home, world.driver.root), 'set-aside', ids.revert, 'taken'),
      0,
    );
    world.sql('UPDATE turns SET rewound_by = NULL WHERE seq = 4');
    const found = await world.repair();
    assert.deepEqual(
      found.map(({ severity }) => severity),
      ['problem', 'note'],
    );
    assert.match(found[0]?.text ?? '', /"Reverted turn 2" .* It could not be mended: /);
    assert.equal(world.turn(4).rewoundBy, ids.rewind);
    assertTexts(await world.findings(), [/The record of "Reverted turn 2"/]);
  });

  it('a store that was never used', async () => {
    using driver = new StoreDriver();
    await driver.with(async (app) => {
      assert.deepEqual(await app.repair(driver.root), []);
      assert.equal((await app.doctor(driver.root)).length, 1);
    });
    assert.equal(fs.existsSync(driver.path('.memcode')), false);
  });

  it('sound records are not touched', async () => {
    using world = await RepairWorld.make();
    const disk = world.disk();
    assert.deepEqual(await world.repair(), []);
    assert.deepEqual(world.disk(), disk);
    assert.deepEqual(world.app.turns(asSessionId('session-1')).length, 4);
  });
});
