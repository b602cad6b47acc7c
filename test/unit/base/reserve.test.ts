/** Room for hooks on a full disk: kept while there is room, given up when there is none, and never a reason to fail. */
import assert from 'node:assert/strict';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { mock, type TestContext, test } from 'node:test';
import { giveUpReserve, keepReserve } from '../../../src/base/reserve.ts';

function reserve(t: TestContext): { readonly folder: string; readonly file: string } {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'memcode-reserve-'));
  t.after(() => {
    mock.restoreAll();
    fs.rmSync(folder, { recursive: true });
  });
  return { folder, file: path.join(folder, 'reserve') };
}

const room = (bytes: number) =>
  mock.method(fs, 'statfsSync', () => ({ bsize: 1024, bavail: bytes / 1024 }));

test('it is made where there is room for twice as much, and given up where there is not even for it', (t) => {
  const { folder, file } = reserve(t);
  room(200 * 1024);
  keepReserve(file, folder);
  assert.equal(fs.existsSync(file), false);
  room(1024 ** 2);
  keepReserve(file, folder);
  assert.ok(fs.statSync(file).size >= 128 * 1024);
  assert.equal(giveUpReserve(file, folder), false);
  room(64 * 1024);
  assert.equal(giveUpReserve(file, folder), true);
  assert.equal(fs.existsSync(file), false);
  assert.equal(giveUpReserve(file, folder), false, 'once');
});

test('where nobody can tell what room there is nothing is given up, and nothing fails', (t) => {
  const { folder, file } = reserve(t);
  keepReserve(file, folder);
  mock.method(fs, 'statfsSync', () => {
    throw Object.assign(new Error('ENOSYS: function not implemented, statfs'), { code: 'ENOSYS' });
  });
  assert.equal(giveUpReserve(file, folder), false);
  assert.ok(fs.existsSync(file));
});
