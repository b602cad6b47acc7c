import assert from 'node:assert/strict';
import { test } from 'node:test';
import { asOperationId } from '../../../src/core/ids.ts';
import type { TurnSummary } from '../../../src/core/timeline.ts';
import { isRestorable, isRevertable, rewindRefusals } from '../../../src/extension/turnChecks.ts';
import { fakeTurn } from '../../helpers/fakeTimelineApp.ts';
import { touched } from '../../helpers/flowStage.ts';
import { plainLocalizer } from '../../helpers/plainLocalizer.ts';

type Given = Partial<Omit<TurnSummary, 'id' | 'session' | 'number'>>;

const files = [touched('a')];
const rewoundBy = asOperationId('o');
const limits = 'were removed to stay within the limits for size and age.';

function turnsOf(...given: readonly Given[]): readonly TurnSummary[] {
  return given.map((one, index) =>
    fakeTurn({ id: `t${index + 1}`, session: 's', number: index + 1, ...one }),
  );
}

const refusals = (...given: readonly Given[]) =>
  rewindRefusals(turnsOf(...given), true, plainLocalizer);

test('turns up to the last change can be rewound, and so can a running one', () => {
  assert.deepEqual(refusals({}, { files }, { files, rewoundBy }, {}, { end: 'running' }), [
    null,
    null,
    'Already taken back.',
    'No file changed in this turn or after it.',
    'No file changed in this turn or after it.',
  ]);
  assert.deepEqual(refusals({}, { files, end: 'running' }), [null, null]);
});

test('a turn whose saved states are removed stands in the way of all before it', () => {
  const pruned = { files, prunedAt: 9 };
  assert.deepEqual(refusals(pruned, { files }, pruned, { files }), [
    `Its saved states ${limits}`,
    `The saved states of turn 3 ${limits}`,
    `Its saved states ${limits}`,
    null,
  ]);
});

test('a removed turn that changed nothing, or is taken back, stands in nobody’s way', () => {
  assert.deepEqual(
    refusals({ files }, { prunedAt: 9 }, { files, prunedAt: 9, rewoundBy }, { files }),
    [null, null, 'Already taken back.', null],
  );
});

test('so does one whose checkpoint cannot be read', () => {
  assert.deepEqual(refusals({ files }, { damaged: 'it is cut short' }, { files }), [
    'The checkpoint of turn 2 cannot be read: it is cut short',
    'Its checkpoint cannot be read: it is cut short',
    null,
  ]);
});

test('one turn, and one file of it', () => {
  const check = (given: Given, revertable: boolean, restorable: boolean): void => {
    const [turn] = turnsOf(given);
    assert.deepEqual([isRevertable(turn!), isRestorable(turn!)], [revertable, restorable]);
  };
  check({ files }, true, true);
  check({ files, end: 'running' }, true, true);
  check({ files, rewoundBy }, false, true);
  check({ files, prunedAt: 9 }, false, false);
  check({ files, prunedAt: 9, imported: true }, false, true);
  check({ files, damaged: 'x' }, false, false);
  check({}, false, false);
});
