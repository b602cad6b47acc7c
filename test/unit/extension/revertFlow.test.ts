import assert from 'node:assert/strict';
import { test } from 'node:test';
import { revertFlow } from '../../../src/extension/revertFlow.ts';
import { conflictAt, FlowStage } from '../../helpers/flowStage.ts';

test('a turn is taken out after a question that names its files', async () => {
  const stage = new FlowStage();
  stage.answers.push('go');
  const outcome = await revertFlow(stage.target, stage.context);
  assert.equal(stage.asked[0]?.message, 'Revert turn 3?');
  assert.match(stage.asked[0]?.detail ?? '', /restore a\.js/);
  assert.deepEqual(stage.asked[0]?.choices, ['preview', 'go']);
  assert.equal(stage.app.calls[0]?.[0], 'revertTurn');
  assert.deepEqual(outcome?.act, { kind: 'revert', turn: 3 });
});

test('files that were changed further are merged unless one chooses otherwise', async () => {
  const conflicts = [conflictAt('a.js', 'clean'), conflictAt('b.bin', 'impossible')];
  const stage = new FlowStage({ conflicts });
  stage.answers.push('go');
  await revertFlow(stage.target, stage.context);
  assert.deepEqual(stage.asked[0]?.choices, ['preview', 'choose', 'go']);
  assert.match(stage.asked[0]?.detail ?? '', /b\.bin: .* It cannot be merged, and is kept\./);
  assert.deepEqual(
    stage.options.choices,
    new Map([
      ['a.js', 'merge'],
      ['b.bin', 'keep'],
    ]),
  );
});

test('cancelling and looking change nothing', async () => {
  for (const answer of [undefined, 'preview']) {
    const stage = new FlowStage();
    stage.answers.push(answer);
    assert.equal(await revertFlow(stage.target, stage.context), undefined);
    assert.deepEqual(stage.app.calls, []);
  }
});

test('a running turn needs a word of its own', async () => {
  const stage = new FlowStage({}, { end: 'running' });
  stage.answers.push('force', 'go');
  await revertFlow(stage.target, stage.context);
  assert.equal(stage.asked[0]?.message, 'The agent is still working on turn 3.');
  assert.equal(stage.options.force, true);
});

test('a turn of which nothing is left is said, not asked', async () => {
  const gone = new FlowStage({ paths: [] });
  await assert.rejects(revertFlow(gone.target, gone.context), { code: 'nothingToDo' });
  const lost = new FlowStage({ paths: [], notRestorable: [{ path: 'a', reason: 'It is gone.' }] });
  await assert.rejects(revertFlow(lost.target, lost.context), {
    code: 'damaged',
    message: 'Nothing can be reverted. a: It is gone.',
  });
});
