/** One holder at a time, across processes, whatever becomes of the holder. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { mock, test } from 'node:test';
import { withLock, withLockHeld } from '../../../src/base/fileLock.ts';

class Place implements Disposable {
  readonly folder = fs.mkdtempSync(path.join(os.tmpdir(), 'memcode-lock-'));
  readonly lock = path.join(this.folder, 'lock');
  [Symbol.dispose](): void {
    fs.rmSync(this.folder, { recursive: true, force: true });
  }
  hold(text: string, age = 0): void {
    fs.rmSync(this.lock, { force: true });
    fs.writeFileSync(this.lock, text);
    const at = new Date(Date.now() - age);
    fs.utimesSync(this.lock, at, at);
  }
}

const holder = (pid: number, host = os.hostname()) => JSON.stringify({ pid, host, nonce: 'other' });
/** No process has it. */
const nobody = 2 ** 22 + 1;

test('gives back what the work gives, and the lock with it, also when the work throws', () => {
  using place = new Place();
  assert.deepEqual(
    withLock(place.lock, { wait: 0 }, () => 7),
    { value: 7 },
  );
  assert.throws(
    () =>
      withLock(place.lock, { wait: 0 }, () => {
        throw new Error('it broke off');
      }),
    /it broke off/,
  );
  assert.deepEqual(fs.readdirSync(place.folder), []);
});

test('makes its folder', () => {
  using place = new Place();
  const lock = path.join(place.folder, 'a', 'b', 'lock');
  assert.deepEqual(
    withLock(lock, { wait: 100 }, () => 1),
    { value: 1 },
  );
});

test('is not had while another holds it, and the work does not run', () => {
  using place = new Place();
  const result = withLock(place.lock, { wait: 0 }, () =>
    withLock(place.lock, { wait: 30 }, () => assert.fail('both ran')),
  );
  assert.deepEqual(result, { value: undefined });
});

const stale: readonly [string, (place: Place) => void][] = [
  ['of a process that is gone', (place) => place.hold(holder(nobody))],
  ['of another machine, old', (place) => place.hold(holder(1, 'elsewhere'), 31_000)],
  ['without a name, old', (place) => place.hold('', 6_000)],
  [
    'of a number that was given to another process since',
    (place) => place.hold(holder(process.pid), 121_000),
  ],
  ['that is no record, old', (place) => place.hold('garbage', 31_000)],
];
for (const [what, hold] of stale)
  test(`a lock ${what} is broken`, () => {
    using place = new Place();
    hold(place);
    assert.deepEqual(
      withLock(place.lock, { wait: 200 }, () => 1),
      { value: 1 },
    );
    assert.deepEqual(fs.readdirSync(place.folder), []);
  });

const alive: readonly [string, (place: Place) => void][] = [
  ['of a living process', (place) => place.hold(holder(process.pid), 60_000)],
  ['of another machine', (place) => place.hold(holder(nobody, 'elsewhere'))],
  ['without a name yet', (place) => place.hold('')],
];
for (const [what, hold] of alive)
  test(`a lock ${what} is respected`, () => {
    using place = new Place();
    hold(place);
    const before = fs.readFileSync(place.lock, 'utf8');
    assert.equal(
      withLock(place.lock, { wait: 20 }, () => 1),
      undefined,
    );
    assert.equal(fs.readFileSync(place.lock, 'utf8'), before);
  });

test('a lock that was taken over is not released by its old holder', () => {
  using place = new Place();
  withLock(place.lock, { wait: 0 }, () => place.hold(holder(process.pid)));
  assert.match(fs.readFileSync(place.lock, 'utf8'), /other/);
});

test('long work keeps it', () => {
  using place = new Place();
  withLock(place.lock, { wait: 0 }, (keep) => {
    const at = new Date(Date.now() - 119_000);
    fs.lutimesSync(place.lock, at, at);
    keep();
    assert.ok(Date.now() - fs.lstatSync(place.lock).mtimeMs < 60_000);
  });
});

/** A disk that knows no links. */
const noLinks = () =>
  mock.method(fs, 'symlinkSync', () => {
    throw Object.assign(new Error('EPERM'), { code: 'EPERM' });
  });

test('where there are no links it is a file', () => {
  using place = new Place();
  const links = noLinks();
  try {
    const result = withLock(place.lock, { wait: 0 }, (keep) => {
      assert.ok(fs.lstatSync(place.lock).isFile());
      keep();
      return withLock(place.lock, { wait: 20 }, () => assert.fail('both ran'));
    });
    assert.deepEqual(result, { value: undefined });
    place.hold(holder(nobody));
    assert.deepEqual(
      withLock(place.lock, { wait: 200 }, () => 1),
      { value: 1 },
    );
  } finally {
    links.mock.restore();
  }
  assert.deepEqual(fs.readdirSync(place.folder), []);
});

test('a full disk leaves no lock behind', () => {
  using place = new Place();
  const links = noLinks();
  const full = mock.method(fs, 'writeSync', () => {
    throw Object.assign(new Error('ENOSPC'), { code: 'ENOSPC' });
  });
  try {
    assert.throws(() => withLock(place.lock, { wait: 0 }, () => 1), /ENOSPC/);
  } finally {
    full.mock.restore();
    links.mock.restore();
  }
  assert.deepEqual(fs.readdirSync(place.folder), []);
});

test('six processes count to 300 together, over locks of the dead', async () => {
  using place = new Place();
  const counter = path.join(place.folder, 'counter');
  fs.writeFileSync(counter, '0');
  place.hold(holder(nobody));
  const module = path.join(import.meta.dirname, '../../../src/base/fileLock.ts');
  const script = `
    const fs = await import('node:fs');
    const { withLock } = await import(${JSON.stringify(module)});
    for (let n = 0; n < 50; n++) {
      const done = withLock(process.argv[1], { wait: 60_000 }, () => {
        const value = Number(fs.readFileSync(process.argv[2], 'utf8'));
        fs.writeFileSync(process.argv[2], String(value + 1));
      });
      if (!done) process.exit(1);
    }`;
  const children = Array.from({ length: 6 }, () =>
    spawn(process.execPath, ['--input-type=module', '-e', script, place.lock, counter], {
      stdio: 'inherit',
    }),
  );
  const statuses = await Promise.all(children.map(async (child) => (await once(child, 'exit'))[0]));
  assert.deepEqual(statuses, [0, 0, 0, 0, 0, 0]);
  assert.equal(fs.readFileSync(counter, 'utf8'), '300');
  assert.deepEqual(fs.readdirSync(place.folder), ['counter']);
});

test('held over waiting: others of the same process are refused at once or wait their turn', async () => {
  using place = new Place();
  const order: string[] = [];
  const { promise, resolve } = Promise.withResolvers<void>();
  const first = withLockHeld(place.lock, { wait: 0 }, async () => {
    await promise;
    order.push('first');
    return 1;
  });
  const second = withLockHeld(place.lock, { wait: 60_000 }, () => order.push('second'));
  assert.equal(
    withLock(place.lock, { wait: 60_000 }, () => assert.fail('both ran')),
    undefined,
  );
  assert.equal(await withLockHeld(place.lock, { wait: 0 }, () => assert.fail('both')), undefined);
  resolve();
  assert.deepEqual([await first, await second], [{ value: 1 }, { value: 2 }]);
  assert.deepEqual(order, ['first', 'second']);
  assert.deepEqual(fs.readdirSync(place.folder), []);
});

test('held over waiting: the lock comes back when the work fails', async () => {
  using place = new Place();
  await assert.rejects(
    withLockHeld(place.lock, { wait: 0 }, () => Promise.reject(new Error('it broke off'))),
    /it broke off/,
  );
  assert.deepEqual(
    withLock(place.lock, { wait: 0 }, () => 7),
    { value: 7 },
  );
});
