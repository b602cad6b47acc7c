import assert from 'node:assert/strict';
import test from 'node:test';
import { asOperationId, asSessionId } from '../../../src/core/ids.ts';
import { takenInPart } from '../../../src/core/takenInPart.ts';
import type { OperationSummary, TouchSummary } from '../../../src/core/timeline.ts';
import { fakeTurn } from '../../helpers/fakeTimelineApp.ts';

const file = (path: string): TouchSummary => ({
  ...{ path, change: 'modified', cause: 'edit', added: 1, removed: 0 },
});
const turn = (number: number, ...paths: string[]) =>
  fakeTurn({ id: `t${number}`, session: 's', number, seq: number, files: paths.map(file) });
const operation = (partly: OperationSummary['partly'], paths: string[]): OperationSummary => ({
  ...{ id: asOperationId('o'), kind: 'rewind', session: asSessionId('s'), at: 1, label: 'Rewound' },
  ...{ paths, undone: false, pruned: false, ...(partly && { partly }) },
});
const rewind = operation({ seq: 3, seqs: [3, 4, 5, 6], kept: ['mine'] }, ['other', 'gone']);

test('every turn whose files went back, or would have, counts as taken back in part', () => {
  const keptOf = (...args: Parameters<typeof turn>) => takenInPart(turn(...args), [rewind])?.kept;
  assert.deepEqual(keptOf(3, 'first'), ['mine'], 'the turn that was asked for');
  assert.deepEqual(keptOf(4, 'mine', 'gone'), ['mine']);
  assert.deepEqual(keptOf(5, 'other'), []);
  assert.equal(keptOf(6), undefined, 'a turn without files');
  assert.equal(keptOf(2, 'mine'), undefined, 'a turn before it');
  assert.equal(keptOf(7, 'mine'), undefined, 'a turn after it');
});

test('not where it is undone, was whole, or took the turn back since', () => {
  const five = turn(5, 'other');
  assert.equal(takenInPart(five, [{ ...rewind, undone: true }]), undefined);
  assert.equal(takenInPart(five, [operation(undefined, ['other'])]), undefined);
  assert.equal(takenInPart({ ...five, rewoundBy: asOperationId('p') }, [rewind]), undefined);
  assert.equal(takenInPart(five, [{ ...rewind, session: asSessionId('r') }]), undefined);
});

test('of records that name only the turn which was asked for, that one is known', () => {
  const old = operation({ seq: 3, kept: ['mine'] }, ['other']);
  assert.deepEqual(takenInPart(turn(3), [old])?.kept, ['mine']);
  assert.equal(takenInPart(turn(5, 'other'), [old]), undefined);
});
