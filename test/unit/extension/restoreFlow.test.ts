import assert from 'node:assert/strict';
import { test } from 'node:test';
import { restoreFlow } from '../../../src/extension/restoreFlow.ts';
import { conflictAt, FlowStage } from '../../helpers/flowStage.ts';

function target(stage: FlowStage, path = 'a.js', side: 'before' | 'after' = 'before') {
  return { ...stage.target, old: { turn: stage.turn.id, path, side } };
}

test('a file goes back at once when nothing is lost', async () => {
  const stage = new FlowStage();
  const outcome = await restoreFlow(target(stage), stage.context);
  assert.deepEqual(stage.asked, []);
  assert.deepEqual(stage.app.calls[0]?.slice(0, 4), ['restoreFile', 't3', 'a.js', 'before']);
  assert.deepEqual(outcome?.act, { kind: 'restore', path: 'a.js', side: 'before', turn: 3 });
});

test('what would be lost is asked about, and Enter only looks', async () => {
  const stage = new FlowStage({ conflicts: [conflictAt('a.js', 'clean')] });
  stage.answers.push('compare');
  assert.equal(await restoreFlow(target(stage), stage.context), undefined);
  assert.equal(stage.asked[0]?.message, 'Restore a.js to before turn 3?');
  assert.deepEqual(stage.asked[0]?.choices, ['compare', 'merge', 'take']);
  assert.deepEqual(stage.done, ['compared a.js before t3']);
  assert.deepEqual(stage.app.calls, []);
});

test('an answer takes the old state or merges', async () => {
  for (const answer of ['take', 'merge']) {
    const stage = new FlowStage({ conflicts: [conflictAt('a.js', 'clean')] });
    stage.answers.push(answer);
    await restoreFlow(target(stage), stage.context);
    assert.deepEqual(stage.options.choices, new Map([['a.js', answer]]));
  }
});

test('binary files offer no merge', async () => {
  const stage = new FlowStage({ conflicts: [conflictAt('a.js', 'impossible')] });
  assert.equal(await restoreFlow(target(stage, 'a.js', 'after'), stage.context), undefined);
  assert.deepEqual(stage.asked[0]?.choices, ['compare', 'take']);
  assert.equal(stage.asked[0]?.message, 'Restore a.js to after turn 3?');
});

test('a file that is in that state already, or cannot be had, is said', async () => {
  const same = new FlowStage();
  same.app.previewRestore = async () => ({ paths: [], conflicts: [], notRestorable: [] });
  await assert.rejects(restoreFlow(target(same), same.context), {
    code: 'nothingToDo',
    message: 'a.js is what it was before turn 3 already.',
  });
  const lost = new FlowStage();
  const notRestorable = [{ path: 'a.js', reason: 'A folder is in its place.' }];
  lost.app.previewRestore = async () => ({ paths: [], conflicts: [], notRestorable });
  await assert.rejects(restoreFlow(target(lost), lost.context), {
    code: 'damaged',
    message: 'a.js cannot be restored: A folder is in its place.',
  });
});
