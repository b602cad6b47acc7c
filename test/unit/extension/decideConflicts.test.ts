import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { FileChoice } from '../../../src/extension/conflictChoice.ts';
import { decideConflicts } from '../../../src/extension/decideConflicts.ts';
import { mergeOfTurns } from '../../../src/extension/handMerge.ts';
import { conflictAt, FlowStage, stageRoot, touched } from '../../helpers/flowStage.ts';

const conflicts = [conflictAt('clean.js', 'clean'), conflictAt('hand.js', 'byHand')];

function stage(...unsaved: readonly string[]): FlowStage {
  const made = new FlowStage({ conflicts }, { files: conflicts.map(({ path }) => touched(path)) });
  for (const path of unsaved) made.unsaved.add(path);
  return made;
}

function decided(on: FlowStage, choices: Readonly<Record<string, FileChoice>>) {
  return decideConflicts(stageRoot, new Map(Object.entries(choices)), {
    ...on.context,
    async look(unsaved) {
      on.done.push(`looked with ${[...unsaved].join(' ') || 'nothing'} unsaved`);
      return { paths: [], conflicts, notRestorable: [] };
    },
    handMerge: (path) => mergeOfTurns([on.turn], path),
  });
}

test('editors of files that change are saved first, so that their text takes part and undo brings it back', async () => {
  for (const choice of ['take', 'merge'] as const) {
    const on = stage('clean.js', 'elsewhere.js');
    const { options } = await decided(on, { 'clean.js': choice });
    assert.equal(on.done[0], 'saved clean.js');
    assert.deepEqual(options.unsaved, new Set(['elsewhere.js']));
    assert.deepEqual(options.choices, new Map([['clean.js', choice]]));
    assert.equal(options.conflicts, 'keep', 'what came up since is kept');
  }
});

test('keeping saves nothing and looks at nothing', async () => {
  const on = stage('clean.js');
  const { options } = await decided(on, { 'clean.js': 'keep', 'hand.js': 'take' });
  assert.deepEqual(on.done, []);
  assert.deepEqual(options.unsaved, new Set(['clean.js']));
});

test('what overlaps is left to merge by hand; whether it does shows once the editors are saved', async () => {
  const on = stage('hand.js');
  const { options, byHand } = await decided(on, { 'clean.js': 'merge', 'hand.js': 'merge' });
  assert.deepEqual(on.done, ['saved hand.js', 'looked with nothing unsaved']);
  assert.deepEqual(options.byHand, new Set(['hand.js']));
  assert.deepEqual(
    byHand.map(({ path }) => path),
    ['hand.js'],
  );
});

test('an editor that cannot be saved stops everything', async () => {
  const on = stage('clean.js');
  on.stuck.add('clean.js');
  await assert.rejects(decided(on, { 'clean.js': 'take' }), {
    code: 'fileSystem',
    message: 'Nothing was changed: clean.js could not be saved first.',
  });
});

test('a file that somebody types into meanwhile is kept', async () => {
  const on = stage();
  const { editors } = on.context;
  const save = editors.save;
  on.unsaved.add('clean.js');
  const context = {
    ...on.context,
    editors: {
      ...editors,
      save: async (...args: Parameters<typeof save>) => {
        await save(...args);
        on.unsaved.add('clean.js');
        return [];
      },
    },
    look: async () => ({ paths: [], conflicts, notRestorable: [] }),
    handMerge: () => undefined,
  };
  const { options } = await decideConflicts(stageRoot, new Map([['clean.js', 'take']]), context);
  assert.deepEqual(options.choices, new Map([['clean.js', 'keep']]));
});
