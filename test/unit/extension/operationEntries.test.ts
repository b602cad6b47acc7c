import assert from 'node:assert/strict';
import { test } from 'node:test';
import { asOperationId, asSessionId, type Root } from '../../../src/core/ids.ts';
import type { OperationSummary } from '../../../src/core/timeline.ts';
import { operationEntries, undoRefusal } from '../../../src/extension/operationEntries.ts';
import { plainLocalizer } from '../../helpers/plainLocalizer.ts';

const at = (day: number, hour: number): number => new Date(2026, 2, day, hour).getTime();

function operation(id: string, given: Partial<OperationSummary> = {}): OperationSummary {
  return {
    id: asOperationId(id),
    kind: 'rewind',
    session: asSessionId('s'),
    at: at(5, 12),
    label: `Operation ${id}`,
    paths: ['a.js', 'b.js'],
    undone: false,
    pruned: false,
    ...given,
  };
}

function entriesOf(operations: readonly OperationSummary[], folder: string | null = null) {
  const root = '/shop' as Root;
  const all = operations.map((one) => ({ operation: one, root, folder }));
  return operationEntries(all, 'en', plainLocalizer);
}

test('newest first, by day, whichever folder they come from', () => {
  const list = [
    operation('1', { at: at(4, 9), kind: 'redo' }),
    operation('3', { at: at(5, 10), kind: 'revert' }),
    operation('2', { at: at(5, 9), kind: 'restore' }),
  ];
  assert.deepEqual(
    entriesOf(list).map(({ label }) => label),
    [
      'Thursday, March 5, 2026',
      'Operation 3',
      'Operation 2',
      'Wednesday, March 4, 2026',
      'Operation 1',
    ],
  );
});

test('an entry says when, where and which paths, and offers to undo', () => {
  const paths = ['a', 'b', 'c', 'd', 'e'];
  const [, entry] = entriesOf([operation('1', { paths })], 'shop');
  assert.ok(entry?.kind === 'item');
  assert.equal(entry.description.replace('\u202f', ' '), '12:00 PM · shop');
  assert.equal(entry.detail, '5 files · a, b, c, d and 1 more');
  assert.deepEqual(
    entry.buttons?.map(({ tooltip }) => tooltip),
    ['Undo'],
  );
});

test('what kept files says how many', () => {
  const [, entry] = entriesOf([operation('1', { partly: { seq: 1, kept: ['a', 'b'] } })]);
  assert.ok(entry?.kind === 'item');
  assert.ok(entry.description.endsWith(' · in part: 2 files kept'), entry.description);
});

test('what is undone, or cannot be undone any more, says so and offers nothing', () => {
  const check = (given: Partial<OperationSummary>, mark: string): void => {
    const one = operation('1', given);
    const [, entry] = entriesOf([one]);
    assert.ok(entry?.kind === 'item');
    assert.ok(entry.description.endsWith(` · ${mark}`), entry.description);
    assert.deepEqual(entry.buttons, []);
    assert.notEqual(undoRefusal(one, plainLocalizer), null);
  };
  check({ undone: true }, 'undone');
  check({ pruned: true }, 'states removed');
  assert.equal(undoRefusal(operation('1'), plainLocalizer), null);
});
