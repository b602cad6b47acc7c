import assert from 'node:assert/strict';
import { test } from 'node:test';
import { asOperationId } from '../../../src/core/ids.ts';
import { mergeOfRestore, mergeOfTurns } from '../../../src/extension/handMerge.ts';
import { fakeTurn } from '../../helpers/fakeTimelineApp.ts';
import { touched } from '../../helpers/flowStage.ts';

const turn = (number: number, paths: readonly string[], isTakenBack = false) =>
  fakeTurn({
    id: `t${number}`,
    session: 's',
    number,
    files: paths.map(touched),
    rewoundBy: isTakenBack ? asOperationId('o') : null,
  });

const turns = [turn(1, ['a', 'b']), turn(2, ['a']), turn(3, ['b']), turn(4, ['a'], true)];

test('a span goes from what its last turn left to what its first turn found', () => {
  assert.deepEqual(mergeOfTurns(turns.slice(0, 3), 'a'), {
    path: 'a',
    base: { turn: 't2', path: 'a', side: 'after' },
    old: { turn: 't1', path: 'a', side: 'before' },
    moment: { side: 'before', turn: 1 },
  });
  assert.equal(mergeOfTurns(turns, 'elsewhere'), undefined);
});

test('a restore goes from what the last turn in force left', () => {
  const old = { turn: turns[0]!.id, path: 'a', side: 'after' as const };
  assert.deepEqual(mergeOfRestore(turns, old, 1), {
    path: 'a',
    base: { turn: 't2', path: 'a', side: 'after' },
    old,
    moment: { side: 'after', turn: 1 },
  });
  assert.equal(mergeOfRestore([], old, 1), undefined);
});
