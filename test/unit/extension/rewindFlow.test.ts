import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { RewindOptions } from '../../../src/app/timelineApp.ts';
import type { Root } from '../../../src/core/ids.ts';
import type { TouchSummary } from '../../../src/core/timeline.ts';
import { redoFlow } from '../../../src/extension/redoFlow.ts';
import { type FlowContext, rewindFlow } from '../../../src/extension/rewindFlow.ts';
import { type FakePlan, FakeTimelineApp, fakeTurn } from '../../helpers/fakeTimelineApp.ts';
import { plainLocalizer } from '../../helpers/plainLocalizer.ts';

const root = '/repo' as Root;
const file: TouchSummary = {
  path: 'a.js',
  change: 'modified',
  cause: 'edit',
  added: 1,
  removed: 1,
};
const conflict = {
  path: 'open.js',
  reason: 'An editor holds unsaved changes.',
  act: 'write',
} as const;

/** An app with one turn, editors that a test opens, and answers that are given in order. */
function stage(plan: FakePlan = {}, end: 'stop' | 'running' = 'stop') {
  const app = new FakeTimelineApp(root);
  const turn = fakeTurn({ id: 't3', session: 's', number: 3, files: [file], end });
  app.turnList.push(turn);
  app.plans.set(turn.id, plan);
  const unsaved = new Set<string>();
  const answers: (string | undefined)[] = [];
  const asked: string[] = [];
  const done: string[] = [];
  /** Paths that refuse to be saved. */
  const stuck = new Set<string>();
  const context: FlowContext = {
    app,
    l10n: plainLocalizer,
    ask: async (question) => {
      asked.push(question.message);
      const answer = answers.shift();
      return question.choices.find((choice) => choice.id === answer)?.id;
    },
    editors: {
      unsaved: () => new Set(unsaved),
      save: async (_root, paths) => {
        done.push(`saved ${paths.join(' ')}`);
        for (const path of paths) if (!stuck.has(path)) unsaved.delete(path);
        return paths.filter((path) => stuck.has(path));
      },
    },
    busy: async (sentence, task) => {
      done.push(sentence);
      return task();
    },
    showPreview: async () => {
      done.push('preview');
    },
  };
  const options = (): RewindOptions => app.calls[0]?.[2] as RewindOptions;
  return { app, turn, unsaved, answers, asked, done, stuck, context, options };
}

test('an answer rewinds, no answer does not', async () => {
  const yes = stage();
  yes.answers.push('keep');
  const report = await rewindFlow({ turn: yes.turn, root }, yes.context);
  assert.equal(report?.complete, true);
  assert.deepEqual(yes.asked, ['Rewind to before turn 3?']);
  assert.deepEqual(yes.done, ['Rewinding to before turn 3…']);
  const no = stage();
  assert.equal(await rewindFlow({ turn: no.turn, root }, no.context), undefined);
  assert.deepEqual(no.app.calls, []);
});

test('a preview changes nothing', async () => {
  const { app, turn, answers, done, context } = stage();
  answers.push('preview');
  assert.equal(await rewindFlow({ turn, root }, context), undefined);
  assert.deepEqual(done, ['preview']);
  assert.deepEqual(app.calls, []);
});

test('a running turn needs a word of its own', async () => {
  const refused = stage({}, 'running');
  assert.equal(await rewindFlow({ turn: refused.turn, root }, refused.context), undefined);
  assert.deepEqual(refused.asked, ['The agent is still working on turn 3.']);
  const forced = stage({}, 'running');
  forced.answers.push('force', 'keep');
  await rewindFlow({ turn: forced.turn, root }, forced.context);
  assert.equal(forced.options().force, true);
});

test('nothing to rewind is said and not asked', async () => {
  const { turn, asked, context } = stage({ paths: [] });
  await assert.rejects(rewindFlow({ turn, root }, context), { code: 'nothingToDo' });
  assert.deepEqual(asked, []);
});

test('what cannot be restored is left out after the question, or is the error itself', async () => {
  const notRestorable = [{ path: 'big.bin', reason: 'It was above the size limit.' }];
  const some = stage({ notRestorable });
  some.answers.push('keep');
  await rewindFlow({ turn: some.turn, root }, some.context);
  assert.equal(some.options().partial, true);
  const all = stage({ paths: [], notRestorable });
  await assert.rejects(rewindFlow({ turn: all.turn, root }, all.context), {
    code: 'damaged',
    message: 'Nothing can be rewound. big.bin: It was above the size limit.',
  });
});

test('keeping leaves unsaved editors alone', async () => {
  const { turn, unsaved, answers, done, options, context } = stage({ conflicts: [conflict] });
  unsaved.add('open.js');
  answers.push('keep');
  const report = await rewindFlow({ turn, root }, context);
  assert.equal(report?.complete, false);
  assert.deepEqual(done, ['Rewinding to before turn 3…']);
  assert.deepEqual(options().unsaved, new Set(['open.js']));
  assert.deepEqual(options().choices, new Map([['open.js', 'keep']]));
});

test('taking the old state saves the editors first, so that undo brings their text back', async () => {
  const { turn, unsaved, answers, done, options, context } = stage({ conflicts: [conflict] });
  unsaved.add('open.js');
  answers.push('take');
  await rewindFlow({ turn, root }, context);
  assert.deepEqual(done, ['Rewinding to before turn 3…', 'saved open.js']);
  assert.deepEqual(options().unsaved, new Set());
  assert.deepEqual(options().choices, new Map([['open.js', 'take']]));
  assert.equal(options().conflicts, 'keep');
});

test('an editor that cannot be saved stops the rewind before it begins', async () => {
  const { app, turn, unsaved, answers, stuck, context } = stage({ conflicts: [conflict] });
  unsaved.add('open.js');
  stuck.add('open.js');
  answers.push('take');
  await assert.rejects(rewindFlow({ turn, root }, context), {
    code: 'fileSystem',
    message: 'Nothing was changed: open.js could not be saved first.',
  });
  assert.deepEqual(app.calls, []);
});

test('undoing asks only when something stands in the way', async () => {
  const free = stage();
  free.answers.push('keep');
  await rewindFlow({ turn: free.turn, root }, free.context);
  free.asked.length = 0;
  const report = await redoFlow(free.app.redoable(root), root, free.context);
  assert.equal(report?.kind, 'redo');
  assert.deepEqual(free.asked, []);
  await assert.rejects(redoFlow(free.app.redoable(root), root, free.context), {
    code: 'nothingToDo',
  });
});

test('undoing over changes is asked about, and no answer leaves everything', async () => {
  const { app, turn, answers, asked, context } = stage();
  answers.push('keep');
  await rewindFlow({ turn, root }, context);
  app.previewRedo = async () => ({ paths: [], conflicts: [conflict], notRestorable: [] });
  assert.equal(await redoFlow(app.redoable(root), root, context), undefined);
  assert.equal(asked.at(-1), 'Undo “Rewound to before turn 3”?');
  answers.push('take');
  const report = await redoFlow(app.redoable(root), root, context);
  assert.equal(report?.kind, 'redo');
});
