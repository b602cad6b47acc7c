import assert from 'node:assert/strict';
import { test } from 'node:test';
import { rewindFlow } from '../../../src/extension/rewindFlow.ts';
import { undoFlow } from '../../../src/extension/undoFlow.ts';
import { conflictAt, FlowStage, stageRoot } from '../../helpers/flowStage.ts';

/** A stage on which a rewind was just done. */
async function rewound() {
  const stage = new FlowStage();
  stage.answers.push('go');
  await rewindFlow(stage.target, stage.context);
  stage.asked.length = 0;
  stage.app.calls.length = 0;
  const operation = stage.app.operationList[0]!;
  const undo = (isAsking = false) =>
    undoFlow({ operation, root: stageRoot, isAsking }, stage.context);
  return { stage, undo };
}

test('undoing asks only when something stands in the way', async () => {
  const { stage, undo } = await rewound();
  const outcome = await undo();
  assert.equal(outcome?.report.kind, 'redo');
  assert.deepEqual(outcome.act, { kind: 'undo', of: 'rewind' });
  assert.deepEqual(stage.asked, []);
});

test('what is picked from a list is asked about in any case', async () => {
  const { stage, undo } = await rewound();
  assert.equal(await undo(true), undefined);
  assert.equal(stage.asked[0]?.message, 'Undo “Rewound to before turn 3”?');
  assert.match(stage.asked[0]?.detail ?? '', /Changes 1 file:\n {2}restore a\.js/);
  assert.deepEqual(stage.app.calls, []);
});

test('a preview changes nothing', async () => {
  const { stage, undo } = await rewound();
  stage.answers.push('preview');
  assert.equal(await undo(true), undefined);
  assert.deepEqual(stage.done.at(-1), 'preview of: undo');
  assert.deepEqual(stage.app.calls, []);
});

test('undoing says what of memory cannot come back, and goes on without it', async () => {
  const { stage, undo } = await rewound();
  const lost = { path: 'notes/a.md', reason: 'It is a folder.' };
  const memory = { paths: [], conflicts: [], notRestorable: [lost] };
  stage.app.previewRedo = async () => ({ paths: [], conflicts: [], notRestorable: [], memory });
  stage.answers.push('go');
  await undo();
  assert.match(
    stage.asked[0]?.detail ?? '',
    /^Cannot be restored, and stay as they are:\n {2}Global note a: It is a folder\.$/,
  );
  assert.equal(stage.options.partial, true);
});

test('undoing over changes is a plan with conflicts like any other', async () => {
  const { stage, undo } = await rewound();
  const conflicts = [conflictAt('a.js', 'byHand')];
  stage.app.previewRedo = async () => ({ paths: [], conflicts, notRestorable: [] });
  assert.equal(await undo(), undefined, 'no answer leaves everything');
  assert.deepEqual(stage.asked[0]?.choices, ['choose', 'go']);
  stage.answers.push('choose');
  const compare = 'a.js > Compare Mine with the Old State';
  stage.picks.push(compare, 'a.js', 'Take the Old State', 'Undo with These Choices');
  const outcome = await undo();
  assert.equal(outcome?.report.kind, 'redo');
  assert.ok(stage.done.includes('compared a.js replaced by op1'));
  assert.deepEqual(stage.options.choices, new Map([['a.js', 'take']]));
  assert.deepEqual(
    stage.offered[2],
    ['> Keep Mine (chosen)', 'Take the Old State'],
    'the sides of a merge are not at hand',
  );
});

test('an undo merges what merges by itself, and nothing that nobody can tell yet', async () => {
  const choices = async (merge?: 'clean') => {
    const { stage, undo } = await rewound();
    const conflicts = [conflictAt('a.js', merge)];
    stage.app.previewRedo = async () => ({ paths: [], conflicts, notRestorable: [] });
    stage.answers.push('choose');
    stage.picks.push('a.js');
    await undo();
    return stage.offered[1];
  };
  assert.deepEqual(await choices('clean'), ['> Keep Mine (chosen)', 'Take the Old State', 'Merge']);
  assert.deepEqual(await choices(), ['> Keep Mine (chosen)', 'Take the Old State']);
});
