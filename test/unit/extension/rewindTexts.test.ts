import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { PlannedPath, RewindPreview } from '../../../src/core/timeline.ts';
import { changesSomething, previewSentence } from '../../../src/extension/planTexts.ts';
import {
  restoreQuestion,
  revertQuestion,
  rewindQuestion,
  runningQuestion,
  undoQuestion,
} from '../../../src/extension/rewindTexts.ts';
import { fakeTurn } from '../../helpers/fakeTimelineApp.ts';
import { conflictAt } from '../../helpers/flowStage.ts';
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
      'Takes back 3 turns, from “prompt 3” to “prompt 5”',
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
  assert.match(detail, /^Takes back this turn: “prompt 3”\n/);
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
    ['choose', 'go'],
    'what is kept cannot be previewed',
  );
  assert.equal(labels(question).at(-1), 'Rewind and Keep My Changes');
});

test('beside the preview stands what is not in it', () => {
  const conflicts = ['mine.js', 'b', 'c', 'd'].map((name) => conflictAt(name));
  const preview = previewWith({ paths: [path('a.js', 'write')], conflicts });
  const kept = ' Not among it, since kept unless you choose otherwise: mine.js, b, c and 1 more.';
  assert.equal(
    previewSentence({ kind: 'rewind', preview }, plainLocalizer),
    `This is what a rewind to before turn 3 would change.${kept}`,
  );
  const plan = {
    ...preview,
    conflicts: [conflictAt('m.js', 'clean'), conflictAt('p.png', 'impossible')],
  };
  assert.equal(
    previewSentence({ kind: 'revert', turn: turns[0]!, plan }, plainLocalizer),
    'This is what would be taken out with turn 3. Not among it, since kept unless you choose otherwise: p.png.',
  );
  assert.deepEqual(labels(ask(preview)), [
    'Show Preview',
    'Choose for Each File…',
    'Rewind and Keep My Changes',
  ]);
});

test('bytes that nobody can verify are named', () => {
  const unverified = { ...path('old.js', 'write'), unverified: true };
  assert.match(
    ask(previewWith({ paths: [unverified, path('new.js', 'write')] })).detail,
    /not verified:\n {2}old\.js\n/,
  );
});

test('a running turn is asked about', () => {
  const question = runningQuestion(turns[2]!, 'rewind', plainLocalizer);
  assert.equal(question.message, 'The agent is still working on turn 5.');
  assert.deepEqual(labels(question), ['Rewind Anyway…']);
  assert.deepEqual(labels(runningQuestion(turns[2]!, 'revert', plainLocalizer)), [
    'Revert Anyway…',
  ]);
});

test('undoing asks in its own words, and Enter does not overwrite', () => {
  const conflicts = [{ path: 'a', reason: 'It was edited.', act: 'write' as const }];
  const ask = (plan: Pick<RewindPreview, 'paths' | 'conflicts'>) =>
    undoQuestion(
      { ...plan, notRestorable: [] },
      'Rewound to before turn 3',
      new Set(),
      plainLocalizer,
    );
  const hindered = ask({ paths: [], conflicts });
  assert.equal(hindered.message, 'Undo “Rewound to before turn 3”?');
  assert.deepEqual(labels(hindered), ['Choose for Each File…', 'Undo and Keep My Changes']);
  const free = ask({ paths: [path('a', 'write')], conflicts: [] });
  assert.deepEqual(labels(free), ['Show Preview', 'Undo']);
});

test('a revert says that later turns stay, and what becomes of files that were changed further', () => {
  const reason = 'Turn 4 changed it further.';
  const conflicts = [
    { path: 'a.js', reason, act: 'write' as const, merge: 'clean' as const },
    { path: 'b.js', reason, act: 'write' as const, merge: 'byHand' as const },
    { path: 'c.bin', reason, act: 'write' as const, merge: 'impossible' as const },
    { path: 'open.js', reason: 'It has unsaved changes in an editor.', act: 'write' as const },
  ];
  const paths = [path('d.js', 'write', 1)];
  const plan = { paths, conflicts, notRestorable: [] };
  const question = revertQuestion(turns[0]!, plan, new Set(['open.js']), plainLocalizer);
  assert.equal(question.message, 'Revert turn 3?');
  assert.equal(
    question.detail,
    [
      'Takes out what this turn did, and keeps later turns: “prompt 3”',
      'Changes 1 file:\n  restore d.js (+1 −1)',
      '1 editor has unsaved changes. It is saved, and its text is merged:\n  open.js',
      [
        '3 files were changed further. That stays; only what this turn did is taken out:',
        '  a.js: Turn 4 changed it further.',
        '  b.js: Turn 4 changed it further. The changes overlap: the merge editor opens.',
        '  c.bin: Turn 4 changed it further. It cannot be merged, and is kept.',
      ].join('\n'),
      'The present state is saved first, so the revert can be undone.',
    ].join('\n\n'),
  );
  assert.deepEqual(labels(question), ['Show Preview', 'Choose for Each File…', 'Revert and Merge']);
  const plain = revertQuestion(turns[0]!, { ...plan, conflicts: [] }, new Set(), plainLocalizer);
  assert.deepEqual(labels(plain), ['Show Preview', 'Revert']);
});

test('a restore asks what becomes of the version that is there', () => {
  const conflict = { path: 'a.js', reason: 'It was edited.', act: 'write' as const };
  const moment = { side: 'after' as const, turn: 3 };
  const ask = (given: object) => restoreQuestion({ ...conflict, ...given }, moment, plainLocalizer);
  assert.equal(ask({}).message, 'Restore a.js to after turn 3?');
  assert.match(ask({ merge: 'clean' }).detail, /^It was edited\.\n\n.* both fit\./);
  assert.deepEqual(labels(ask({ merge: 'byHand' })), ['Compare', 'Merge', 'Overwrite My Version']);
  assert.deepEqual(labels(ask({ merge: 'impossible', act: 'delete' })), [
    'Compare',
    'Delete My Version',
  ]);
});

test('a preview in which nothing happens is known', () => {
  assert.equal(changesSomething(previewWith({})), false);
  assert.equal(changesSomething(previewWith({ paths: [path('a', 'none')] })), false);
  assert.equal(changesSomething(previewWith({ paths: [path('a', 'delete')] })), true);
});
