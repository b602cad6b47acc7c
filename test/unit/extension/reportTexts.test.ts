import assert from 'node:assert/strict';
import { test } from 'node:test';
import { asOperationId } from '../../../src/core/ids.ts';
import type { OperationKind, OperationReport, PathResult } from '../../../src/core/timeline.ts';
import {
  type Act,
  hasDetails,
  reportDetail,
  reportSentence,
} from '../../../src/extension/reportTexts.ts';
import { plainLocalizer } from '../../helpers/plainLocalizer.ts';

const rewind: Act = { kind: 'rewind', turn: 3 };

function reportOf(...results: readonly PathResult[]): OperationReport {
  const paths = results.map((result, index) => ({
    path: 'abcdef'[index]!,
    result,
    why: `${result}.`,
  }));
  return { operation: asOperationId('o'), kind: 'rewind', complete: true, paths, turns: [] };
}

const said = (report: OperationReport, act: Act = rewind, ...byHand: readonly string[]) =>
  reportSentence(report, act, new Set(byHand), plainLocalizer);

test('a report counts what changed, was merged, kept and lost', () => {
  assert.equal(said(reportOf('restored')), 'Rewound to before turn 3: 1 file changed.');
  assert.equal(
    said(reportOf('restored', 'deleted', 'merged', 'kept', 'unchanged', 'notRestorable')),
    'Rewound to before turn 3: 3 files changed. 1 file merged. 1 file kept as you left it. 1 file could not be restored.',
  );
  assert.match(said(reportOf('kept', 'kept')), / 2 files kept as you left them\.$/);
});

test('what is left to merge by hand is not called kept', () => {
  assert.equal(
    said(reportOf('restored', 'kept'), rewind, 'b'),
    'Rewound to before turn 3: 1 file changed. 1 file is yours to merge.',
  );
});

test('nothing changed is said', () => {
  assert.equal(
    said({ ...reportOf('kept'), operation: null }),
    'Nothing was changed. 1 file kept as you left it.',
  );
});

test('each kind of act has its own words', () => {
  const undone = (of: OperationKind) => said(reportOf('restored'), { kind: 'undo', of });
  assert.equal(
    said(reportOf('restored', 'merged'), { kind: 'revert', turn: 2 }),
    'Turn 2 is taken out: 2 files changed. 1 file merged.',
  );
  const restore = { kind: 'restore', path: 'a', turn: 2 } as const;
  assert.equal(
    said(reportOf('restored'), { ...restore, side: 'before' }),
    'a is what it was before turn 2.',
  );
  assert.equal(
    said(reportOf('merged'), { ...restore, side: 'after' }),
    'a is merged with what it was after turn 2.',
  );
  assert.equal(
    said(reportOf('kept'), { ...restore, side: 'before' }, 'a'),
    'a is yours to merge with what it was before turn 2.',
  );
  assert.equal(undone('rewind'), 'The rewind is undone: 1 file changed.');
  assert.equal(undone('revert'), 'The revert is undone: 1 file changed.');
  assert.equal(undone('restore'), 'The restore is undone: 1 file changed.');
  assert.equal(undone('redo'), 'The undo is taken back: 1 file changed.');
});

test('details begin with what was not done', () => {
  const report = reportOf('restored', 'kept', 'unchanged', 'notRestorable');
  assert.equal(
    reportDetail(report, plainLocalizer),
    'Kept: b. kept.\nNot restorable: d. notRestorable.\nRestored: a. restored.',
  );
  assert.equal(hasDetails(report), true);
  assert.equal(hasDetails(reportOf('restored', 'merged', 'unchanged')), false);
});
