import assert from 'node:assert/strict';
import { test } from 'node:test';
import { rewindFlow } from '../../../src/extension/rewindFlow.ts';
import { conflictAt, FlowStage } from '../../helpers/flowStage.ts';

const open = conflictAt('open.js', 'clean');

test('an answer rewinds, no answer does not', async () => {
  const yes = new FlowStage();
  yes.answers.push('go');
  const outcome = await rewindFlow(yes.target, yes.context);
  assert.equal(outcome?.report.complete, true);
  assert.deepEqual(outcome.act, { kind: 'rewind', turn: 3 });
  assert.deepEqual(
    yes.asked.map(({ message }) => message),
    ['Rewind to before turn 3?'],
  );
  assert.deepEqual(yes.done, ['Rewinding to before turn 3…']);
  const no = new FlowStage();
  assert.equal(await rewindFlow(no.target, no.context), undefined);
  assert.deepEqual(no.app.calls, []);
});

test('a preview changes nothing', async () => {
  const stage = new FlowStage();
  stage.answers.push('preview');
  assert.equal(await rewindFlow(stage.target, stage.context), undefined);
  assert.deepEqual(stage.done, ['preview of: rewind']);
  assert.deepEqual(stage.app.calls, []);
});

test('whoever comes from the preview of all there is to decide is not asked again', async () => {
  const stage = new FlowStage();
  stage.answers.push('preview');
  await rewindFlow(stage.target, stage.context);
  stage.resume();
  const outcome = await rewindFlow(stage.target, stage.context);
  assert.equal(outcome?.report.complete, true);
  assert.equal(stage.asked.length, 1);
});

test('after the preview one question is left where files are in conflict', async () => {
  const stage = new FlowStage({ conflicts: [open] });
  stage.answers.push('preview', 'go');
  await rewindFlow(stage.target, stage.context);
  stage.resume();
  const outcome = await rewindFlow(stage.target, stage.context);
  assert.equal(outcome?.report.complete, false);
  assert.deepEqual(
    stage.asked.map(({ choices }) => choices),
    [
      ['preview', 'choose', 'go'],
      ['choose', 'go'],
    ],
  );
});

test('what is another plan than the preview showed is asked about anew', async () => {
  const stage = new FlowStage();
  stage.answers.push('preview');
  await rewindFlow(stage.target, stage.context);
  stage.resume();
  stage.app.plans.set(stage.turn.id, { conflicts: [open] });
  assert.equal(await rewindFlow(stage.target, stage.context), undefined);
  assert.deepEqual(stage.asked[1]?.choices, ['preview', 'choose', 'go']);
  assert.deepEqual(stage.app.calls, []);
});

test('a running turn needs a word of its own', async () => {
  const refused = new FlowStage({}, { end: 'running' });
  assert.equal(await rewindFlow(refused.target, refused.context), undefined);
  assert.equal(refused.asked[0]?.message, 'The agent is still working on turn 3.');
  const forced = new FlowStage({}, { end: 'running' });
  forced.answers.push('force', 'go');
  await rewindFlow(forced.target, forced.context);
  assert.equal(forced.options.force, true);
});

test('nothing to rewind is said and not asked', async () => {
  const stage = new FlowStage({ paths: [] });
  await assert.rejects(rewindFlow(stage.target, stage.context), { code: 'nothingToDo' });
  assert.deepEqual(stage.asked, []);
});

test('what cannot be restored is left out after the question, or is the error itself', async () => {
  const notRestorable = [{ path: 'big.bin', reason: 'It was above the size limit.' }];
  const some = new FlowStage({ notRestorable });
  some.answers.push('go');
  await rewindFlow(some.target, some.context);
  assert.equal(some.options.partial, true);
  const all = new FlowStage({ paths: [], notRestorable });
  await assert.rejects(rewindFlow(all.target, all.context), {
    code: 'damaged',
    message: 'Nothing can be rewound. big.bin: It was above the size limit.',
  });
});

test('conflicts are kept unless one chooses, and unsaved editors are left alone', async () => {
  const stage = new FlowStage({ conflicts: [open] });
  stage.unsaved.add('open.js');
  stage.answers.push('go');
  const outcome = await rewindFlow(stage.target, stage.context);
  assert.equal(outcome?.report.complete, false);
  assert.deepEqual(stage.done, ['Rewinding to before turn 3…']);
  assert.deepEqual(stage.options.unsaved, new Set(['open.js']));
  assert.deepEqual(stage.options.choices, new Map([['open.js', 'keep']]));
});

test('choices are made for each file before anything happens', async () => {
  const conflicts = [open, conflictAt('b.js', 'byHand'), conflictAt('c.bin', 'impossible')];
  const files = ['open.js', 'b.js', 'c.bin'].map((path) => ({
    ...{ path, change: 'modified' as const, cause: 'edit' as const, added: 1, removed: 1 },
  }));
  const stage = new FlowStage({ conflicts }, { files });
  stage.answers.push('choose');
  stage.picks.push('open.js', 'Take the Old State', 'b.js', 'Merge', 'Rewind with These Choices');
  const outcome = await rewindFlow(stage.target, stage.context);
  assert.deepEqual(
    stage.options.choices,
    new Map([
      ['open.js', 'take'],
      ['b.js', 'merge'],
      ['c.bin', 'keep'],
    ]),
  );
  assert.deepEqual(stage.options.byHand, new Set(['b.js']));
  assert.deepEqual(outcome?.byHand, [
    {
      path: 'b.js',
      base: { turn: 't3', path: 'b.js', side: 'after' },
      old: { turn: 't3', path: 'b.js', side: 'before' },
      moment: { side: 'before', turn: 3 },
    },
  ]);
  const cancelled = new FlowStage({ conflicts });
  cancelled.answers.push('choose');
  assert.equal(await rewindFlow(cancelled.target, cancelled.context), undefined);
  assert.deepEqual(cancelled.app.calls, []);
});
