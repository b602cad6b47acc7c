/** What doctor finds that nothing can mend: it is told with its path, nothing is changed, and repair leaves it alone. */
import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { describe, it } from 'node:test';
import { rootFolder } from '../../src/base/home.ts';
import { isUserError } from '../../src/core/errors.ts';
import { putOld, RepairWorld } from '../helpers/repairWorld.ts';

const check = (
  name: string,
  damage: (world: RepairWorld) => void,
  told: readonly RegExp[],
  afterwards?: (world: RepairWorld) => Promise<void>,
) =>
  it(name, async () => {
    using world = await RepairWorld.make();
    removeCopies(world);
    damage(world);
    const disk = world.disk();
    const before = await world.findings();
    for (const [index, text] of told.entries()) assert.match(before[index]?.text ?? '', text);
    assert.equal(before.length, told.length, JSON.stringify(before, null, 1));
    assert.ok(before.every(({ severity }) => severity === 'problem'));
    assert.deepEqual(await world.repair(), []);
    assert.deepEqual(await world.findings(), before);
    assert.deepEqual(world.disk(), disk);
    await afterwards?.(world);
  });

/** With copies of what is damaged much can be mended: `repair.test.ts` has that. */
const removeCopies = ({ driver: { home, root } }: RepairWorld) => {
  for (const name of ['post-images', 'store.git'])
    fs.rmSync(path.join(rootFolder(home, root), name), { recursive: true, force: true });
};

const flip = (file: string) => {
  const bytes = fs.readFileSync(file);
  bytes[0] = (bytes[0] ?? 0) ^ 1;
  fs.writeFileSync(file, bytes);
};

describe('checkpoints', () => {
  check(
    'a flipped bit',
    (w) => flip(w.stored('1/files/a.txt')),
    [/Checkpoint 1 of session session-1, a\.txt: .*not the ones that were saved/],
    async (w) => {
      await assert.rejects(w.app.rewind(w.turn(1).id), (e) => isUserError(e, 'damaged'));
      assert.equal(w.driver.read('a.txt'), 'A1');
    },
  );
  check('a missing pre-image', (w) => fs.rmSync(w.stored('2/files/b.txt')), [
    /Checkpoint 2 of session session-1, b\.txt: Its saved bytes are missing/,
  ]);
  check('a pre-image of another size', (w) => fs.appendFileSync(w.stored('1/files/a.txt'), '+'), [
    /a\.txt: Its saved bytes have the wrong size/,
  ]);
  check(
    'a flipped bit in what a rewind took aside',
    (w) => flip(w.aside(w.ids.rewind, '4/files/sub/.memcode-tmp-mine')),
    [/Checkpoint 4 of session session-1, sub\/.*not the ones that were saved/],
  );
  check('a manifest cut short', (w) => fs.truncateSync(w.stored('3/manifest.json'), 40), [
    /Checkpoint 3 of session session-1 is damaged: manifest\.json is not JSON/,
  ]);
  check(
    'a manifest of another turn',
    (w) => fs.cpSync(w.stored('1'), w.stored('9'), { recursive: true }),
    [/Checkpoint 9 of session session-1 is damaged: Its manifest says 1/],
  );
  check(
    'checkpoints that are gone, each session once',
    (w) => {
      fs.rmSync(w.stored('1'), { recursive: true });
      fs.rmSync(w.aside(w.ids.rewind), { recursive: true });
    },
    [/checkpoints of these turns are gone, so they cannot be rewound now: 1, 4\./],
  );
  check(
    'a checkpoint in two places',
    (w) => fs.cpSync(w.aside(w.ids.rewind, '4'), w.stored('4'), { recursive: true }),
    [/The checkpoint of turn 4 of session session-1 is there twice/],
  );
});

describe('operations', () => {
  check(
    'saved bytes that are not the ones that were saved',
    (w) => flip(w.operation(w.ids.rewind, 'saved', 'small')),
    [/"Rewound to before turn 4" cannot be taken back for sub\/.*not the ones that were saved/],
    async (w) => {
      await assert.rejects(w.app.redo(w.ids.rewind), (e) => isUserError(e, 'damaged'));
    },
  );
  check(
    'saved bytes that are gone',
    (w) => fs.rmSync(w.operation(w.ids.revert, 'saved', 'small')),
    [/"Reverted turn 2" cannot be taken back for b\.txt: Its saved bytes cannot be read/],
  );
  it('those of an operation that is undone are not needed', async () => {
    using world = await RepairWorld.make();
    fs.rmSync(world.operation(world.ids.restore, 'saved'), { recursive: true });
    assert.deepEqual(await world.findings(), []);
  });
  check(
    'a record nobody knows of that cannot be read: it may be one that was cut short',
    (w) => putOld(w.operation('20260101T000000000Z-dead', 'journal.json'), 0, '{'),
    [/The record of operation 20260101T000000000Z-dead cannot be read/],
  );
});

describe('the database and the spool', () => {
  check('rows that name what is not there', (w) => w.sql('DELETE FROM turns WHERE seq = 3'), [
    /A row of touches names one of turns that is not there/,
    /A row of nodes names one of turns that is not there/,
    /A row of turns names one of turns that is not there/,
    /A row of tool_calls names one of turns that is not there/,
  ]);
  check(
    'records that were set aside',
    (w) => putOld(path.join(w.home, 'spool', 'bad', '1.json'), 0),
    [/1 hook records could not be understood/],
  );
});
