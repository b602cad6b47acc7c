/** A process that lives on takes its locks again without making them anew, and they hold as before. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { test } from 'node:test';
import { isLocked, withLock, withLockHeld } from '../../../src/base/fileLock.ts';
import { dropParked, parkLocks } from '../../../src/base/parkedLocks.ts';

const source = path.join(import.meta.dirname, '../../../src/base');
const options = { skip: process.platform === 'linux' ? false : 'only Linux parks locks' };

class Place implements Disposable {
  readonly folder = fs.mkdtempSync(path.join(os.tmpdir(), 'memcode-parked-'));
  readonly lock = path.join(this.folder, 'lock');
  constructor() {
    parkLocks('linux');
  }
  [Symbol.dispose](): void {
    dropParked();
    fs.rmSync(this.folder, { recursive: true, force: true });
  }
  /** The inode of the lock while it is held. */
  held(): number {
    const done = withLock(this.lock, { wait: 0 }, () => fs.lstatSync(this.lock).ino);
    assert.ok(done);
    return done.value;
  }
}

test('the same link again and again; let go each time; none is left at the end', options, () => {
  using place = new Place();
  const first = place.held();
  assert.equal(fs.existsSync(place.lock), false);
  assert.deepEqual([place.held(), place.held()], [first, first]);
  assert.equal(isLocked(place.lock), false);
  dropParked();
  assert.deepEqual(fs.readdirSync(place.folder), []);
});

test('two others and it never hold it at once', options, async () => {
  using place = new Place();
  const counter = path.join(place.folder, 'counter');
  fs.writeFileSync(counter, '0');
  const body = `
    const add = () => {
      const text = fs.readFileSync(counter, 'utf8');
      fs.writeFileSync(counter, String(Number(text) + 1));
    };
    parkLocks('linux');
    for (let i = 0; i < 300; i++) if (!withLock(lock, { wait: 20_000 }, add)) process.exit(1);
    dropParked();`;
  const program = `
    import fs from 'node:fs';
    import { withLock } from ${JSON.stringify(path.join(source, 'fileLock.ts'))};
    import { dropParked, parkLocks } from ${JSON.stringify(path.join(source, 'parkedLocks.ts'))};
    const [lock, counter] = ${JSON.stringify([place.lock, counter])};${body}`;
  const others = [1, 2, 3].map(() =>
    spawn(process.execPath, ['--input-type=module', '-e', program], { stdio: 'inherit' }),
  );
  const ends = await Promise.all(others.map((child) => once(child, 'exit')));
  assert.deepEqual(
    ends.map(([code]) => code),
    [0, 0, 0],
  );
  assert.equal(fs.readFileSync(counter, 'utf8'), '900');
});

test('taken again it is as young as one that was made', options, () => {
  using place = new Place();
  place.held();
  const [parked = ''] = fs.readdirSync(place.folder);
  const old = new Date(Date.now() - 600_000);
  fs.lutimesSync(path.join(place.folder, parked), old, old);
  withLock(place.lock, { wait: 0 }, () => {
    assert.ok(Date.now() - fs.lstatSync(place.lock).mtimeMs < 60_000);
    assert.equal(isLocked(place.lock), true);
  });
});

test(
  'what another holds is not taken, nor what this process holds while it does other things',
  options,
  async () => {
    using place = new Place();
    place.held();
    const other = JSON.stringify({ pid: process.ppid, host: os.hostname(), nonce: 'other' });
    fs.symlinkSync(other, place.lock);
    assert.equal(
      withLock(place.lock, { wait: 0 }, () => 1),
      undefined,
    );
    assert.equal(fs.readlinkSync(place.lock), other);
    fs.rmSync(place.lock);
    await withLockHeld(place.lock, { wait: 0 }, () => {
      assert.equal(
        withLock(place.lock, { wait: 0 }, () => 1),
        undefined,
      );
      assert.equal(isLocked(place.lock), true);
    });
    assert.equal(isLocked(place.lock), false);
  },
);

test('a parked link that was swept is made anew, and so is its folder', options, () => {
  using place = new Place();
  place.held();
  fs.rmSync(place.folder, { recursive: true });
  assert.deepEqual(
    withLock(place.lock, { wait: 1000 }, () => 1),
    { value: 1 },
  );
  assert.equal(isLocked(place.lock), false);
});

test('of many locks only a few links are kept', options, () => {
  using place = new Place();
  for (let i = 0; i < 30; i++) withLock(`${place.lock}${i}`, { wait: 0 }, () => undefined);
  assert.equal(fs.readdirSync(place.folder).length, 8);
});
