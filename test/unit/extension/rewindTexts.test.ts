import assert from 'node:assert/strict';
import { test } from 'node:test';
import { asOperationId } from '../../../src/core/ids.ts';
import type { OperationReport, PlannedPath, RewindPreview } from '../../../src/core/timeline.ts';
import {
  changesSomething,
  hasDetails,
  redoQuestion,
  reportDetail,
  reportSentence,
  rewindQuestion,
  runningQuestion,
} from '../../../src/extension/rewindTexts.ts';
import { fakeTurn } from '../../helpers/fakeTimelineApp.ts';
import { plainLocalizer } from '../../helpers/plainLocalizer.ts';

const turns = [3, 4, 5].map((number) => fakeTurn({ id: `t${number}`, session: 's', number }));

function path(name: string, act: PlannedPath['act'], added: number | null = null): PlannedPath {
  return { path: name, act, added, removed: added, unverified: false };
}

function previewWith(given: Partial<RewindPreview>): RewindPreview {
  return {
    turn: turns[0]!,
    turns,
    paths: [],
    conflicts: [],
    notRestorable: [],
    warnings: [],
    ...given,
  };
}

const ask = (preview: RewindPreview, ...unsaved: string[]) =>
  rewindQuestion(preview, new Set(unsaved), plainLocalizer);
const labels = (question: { choices: readonly { label: string }[] }) =>
  question.choices.map((choice) => choice.label);

test('the question names what will change', () => {
  const question = ask(
    previewWith({
      paths: [
        path('a.js', 'write', 2),
        path('b.js', 'create'),
        path('c.js', 'delete', 7),
        path('same.js', 'none'),
      ],
      warnings: ['HEAD has moved since.'],
    }),
  );
  assert.equal(question.message, 'Rewind to before turn 3?');
  assert.equal(
    question.detail,
    [
      'Takes back 3 turns, from “prompt 3” to “prompt 5”.',
      'Changes 3 files:\n  restore a.js (+2 −2)\n  create b.js\n  delete c.js (+7 −7)',
      'HEAD has moved since.',
      'The present state is saved first, so the rewind can be undone.',
    ].join('\n\n'),
  );
  assert.deepEqual(labels(question), ['Show Preview', 'Rewind']);
});

test('a long list is cut at ten names', () => {
  const paths = Array.from({ length: 13 }, (_, index) => path(`f${index}`, 'write'));
  const { detail } = ask(previewWith({ paths, turns: [turns[0]!] }));
  assert.match(detail, /^Takes back this turn: “prompt 3”\./);
  assert.match(detail, /Changes 13 files:\n(?: {2}restore f\d\n){10} {2}and 3 more\n/);
});

test('conflicts and unsaved editors are named apart, and Enter does no harm', () => {
  const question = ask(
    previewWith({
      conflicts: [
        { path: 'mine.js', reason: 'It was edited after turn 4.', act: 'write' },
        { path: 'open.js', reason: 'An editor holds unsaved changes.', act: 'write' },
      ],
      notRestorable: [{ path: 'big.bin', reason: 'It was above the size limit.' }],
    }),
    'open.js',
    'elsewhere.js',
  );
  assert.match(question.detail, /1 editor has unsaved changes\..*:\n {2}open\.js\n/);
  assert.match(
    question.detail,
    /1 file may hold changes of yours\..*:\n {2}mine\.js: It was edited after turn 4\./,
  );
  assert.match(
    question.detail,
    /Cannot be restored, and stay as they are:\n {2}big\.bin: It was above the size limit\./,
  );
  assert.doesNotMatch(question.detail, /elsewhere/);
  assert.doesNotMatch(question.detail, /Changes 0/);
  assert.deepEqual(
    question.choices.map((choice) => choice.id),
    ['preview', 'keep', 'take'],
  );
});

test('bytes that nobody can verify are named', () => {
  const unverified = { ...path('old.js', 'write'), unverified: true };
  assert.match(
    ask(previewWith({ paths: [unverified, path('new.js', 'write')] })).detail,
    /not verified:\n {2}old\.js\n/,
  );
});

test('a running turn is asked about', () => {
  const question = runningQuestion(turns[2]!, plainLocalizer);
  assert.equal(question.message, 'The agent is still working on turn 5.');
  assert.deepEqual(labels(question), ['Rewind Anyway…']);
});

test('undoing asks in its own words', () => {
  const plan = {
    paths: [],
    conflicts: [{ path: 'a', reason: 'It was edited.', act: 'write' as const }],
    notRestorable: [],
  };
  const question = redoQuestion(plan, 'Rewound to before turn 3', new Set(), plainLocalizer);
  assert.equal(question.message, 'Undo “Rewound to before turn 3”?');
  assert.deepEqual(labels(question), ['Undo and Keep My Changes', 'Undo and Overwrite My Changes']);
});

test('a preview in which nothing happens is known', () => {
  assert.equal(changesSomething(previewWith({})), false);
  assert.equal(changesSomething(previewWith({ paths: [path('a', 'none')] })), false);
  assert.equal(changesSomething(previewWith({ paths: [path('a', 'delete')] })), true);
});

test('the report counts, and its details begin with what was not done', () => {
  const report: OperationReport = {
    operation: asOperationId('o'),
    kind: 'rewind',
    complete: false,
    paths: [
      { path: 'a', result: 'restored', why: 'Its content is what it was.' },
      { path: 'b', result: 'deleted', why: 'The turn had created it.' },
      { path: 'c', result: 'kept', why: 'You changed it.' },
      { path: 'd', result: 'unchanged', why: 'It is what it was.' },
      { path: 'e', result: 'notRestorable', why: 'It was not saved.' },
    ],
    turns: [],
  };
  assert.equal(
    reportSentence(report, 3, plainLocalizer),
    'Rewound to before turn 3: 2 files changed. 1 file kept as you left it. 1 file could not be restored.',
  );
  assert.equal(
    reportSentence({ ...report, kind: 'redo', paths: report.paths.slice(0, 1) }, 3, plainLocalizer),
    'The rewind is undone: 1 file changed.',
  );
  assert.equal(
    reportDetail(report),
    [
      'c: You changed it.',
      'e: It was not saved.',
      'a: Its content is what it was.',
      'b: The turn had created it.',
    ].join('\n'),
  );
  assert.equal(
    reportSentence(
      { ...report, operation: null, paths: report.paths.slice(2, 3) },
      3,
      plainLocalizer,
    ),
    'Nothing was changed. 1 file kept as you left it.',
  );
  assert.equal(hasDetails(report), true);
  assert.equal(hasDetails({ ...report, paths: report.paths.slice(0, 2) }), false);
});
