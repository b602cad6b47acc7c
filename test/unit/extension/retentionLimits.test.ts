import assert from 'node:assert/strict';
import { test } from 'node:test';
import { defaultLimits } from '../../../src/core/retention.ts';
import { retentionLimits } from '../../../src/extension/retentionLimits.ts';

test('megabytes and days become limits; what makes no sense is the default', () => {
  assert.deepEqual(retentionLimits(2048, 30), { maxBytes: 2048 * 1024 ** 2, maxAgeDays: 30 });
  assert.deepEqual(retentionLimits(1024, 90), defaultLimits);
  assert.equal(retentionLimits(1024, 0).maxAgeDays, 0, '0 is never');
  for (const wrong of [undefined, null, 'much', Number.NaN, -1, Number.POSITIVE_INFINITY]) {
    assert.deepEqual(retentionLimits(wrong, wrong), defaultLimits);
  }
  assert.deepEqual(
    retentionLimits(0, 0),
    { ...defaultLimits, maxAgeDays: 0 },
    'not everything goes',
  );
});
