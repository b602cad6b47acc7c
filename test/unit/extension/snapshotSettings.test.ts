import assert from 'node:assert/strict';
import { test } from 'node:test';
import { defaultRetention } from '../../../src/app/snapshotsSettings.ts';
import { snapshotSettings } from '../../../src/extension/snapshotSettings.ts';

test('megabytes, names, a count and days; what makes no sense is the default', () => {
  assert.deepEqual(
    snapshotSettings({
      maxFileSize: 64,
      excludedFolders: ['out', 'a/b', 7, ''],
      count: 10,
      age: 3,
      maxSize: 100,
    }),
    {
      limits: { maxFileSize: 64 * 1024 ** 2, excludedFolders: ['out'] },
      retention: { count: 10, age: 3, maxBytes: 100 * 1024 ** 2 },
    },
  );
  for (const wrong of [undefined, null, 'much', Number.NaN, -1, Number.POSITIVE_INFINITY])
    assert.deepEqual(
      snapshotSettings({
        maxFileSize: wrong,
        excludedFolders: wrong,
        count: wrong,
        age: wrong,
        maxSize: wrong,
      }),
      { limits: {}, retention: defaultRetention },
    );
  const { retention } = snapshotSettings({
    maxFileSize: 0,
    excludedFolders: [],
    count: 0,
    age: 0,
    maxSize: 0,
  });
  assert.deepEqual([retention.count, retention.age > 30_000], [defaultRetention.count, true]);
});
