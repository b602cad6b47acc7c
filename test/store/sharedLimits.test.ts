import assert from 'node:assert/strict';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { type TestContext, test } from 'node:test';
import { sharedLimits } from '../../src/app/sharedLimits.ts';
import { defaultLimits } from '../../src/core/retention.ts';

function homeOf(t: TestContext): string {
  const home = fs.mkdtempSync(path.join(os.tmpdir(), 'memcode-limits-'));
  t.after(() => fs.rmSync(home, { recursive: true, force: true }));
  return home;
}

test('limits set in one host hold in another that has no setting', (t) => {
  const home = homeOf(t);
  const other = sharedLimits(home, undefined);
  assert.deepEqual(other(), defaultLimits);
  let wanted = { maxBytes: 5, maxAgeDays: 0 };
  const own = sharedLimits(home, () => wanted);
  assert.deepEqual(other(), wanted, 'from the moment it opens');
  wanted = { maxBytes: 6, maxAgeDays: 7 };
  assert.deepEqual(own(), wanted);
  assert.deepEqual(other(), wanted);
});

test('a file that makes no sense is the default', (t) => {
  const home = homeOf(t);
  for (const text of ['', 'null', '{"maxBytes":"5","maxAgeDays":1}', '{"maxBytes":-1}', '{']) {
    fs.writeFileSync(path.join(home, 'limits.json'), text);
    assert.deepEqual(sharedLimits(home, undefined)(), defaultLimits, text);
  }
});
