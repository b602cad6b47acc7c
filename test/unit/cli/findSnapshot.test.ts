import assert from 'node:assert/strict';
import test from 'node:test';
import { findSnapshot } from '../../../src/cli/findSnapshot.ts';
import type { SnapshotReason, SnapshotSummary } from '../../../src/core/snapshotSummary.ts';

const snapshot = (
  digit: string,
  label: string,
  reason: SnapshotReason = 'person',
): SnapshotSummary => ({
  ...{ id: digit.repeat(40), shortId: digit.repeat(8), at: 1, reason, label },
  ...{ session: null, turn: null, turnNumber: 0 },
});

const all = [
  snapshot('a', 'before lunch'),
  snapshot('b', 'twice'),
  snapshot('c', 'twice'),
  snapshot('d', 'As found', 'check'),
  snapshot('e', 'aaaa'),
];
const find = (wanted: string) => findSnapshot({ list: async () => all }, wanted);

test('a label names a snapshot that was taken by hand', async () => {
  assert.equal(await find('before lunch'), 'a'.repeat(40));
  assert.equal(await find('As found'), 'As found', 'what nobody gave is no name');
  assert.equal(await find('bbbb'), 'bbbb', 'ids are looked up where they always were');
});

test('what fits several is refused with their ids', async () => {
  await assert.rejects(find('twice'), {
    code: 'usage',
    message: 'Several snapshots fit twice: bbbbbbbb, cccccccc. Name one by its id.',
  });
  await assert.rejects(find('aaaa'), { code: 'usage' }, 'one by its label, one by its id');
});
