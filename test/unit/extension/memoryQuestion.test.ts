import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { MemoryPreview } from '../../../src/core/timeline.ts';
import { memoryQuestion, wroteMemory } from '../../../src/extension/memoryQuestion.ts';
import { reportDetail, reportSentence } from '../../../src/extension/reportTexts.ts';
import { revertFlow } from '../../../src/extension/revertFlow.ts';
import { rewindFlow } from '../../../src/extension/rewindFlow.ts';
import { conflictAt, FlowStage } from '../../helpers/flowStage.ts';
import { plainLocalizer } from '../../helpers/plainLocalizer.ts';

const planned = (path: string, act: 'write' | 'create' | 'delete') => ({
  ...{ path, act, added: 1, removed: 0, unverified: false },
});
const memory: MemoryPreview = {
  paths: [
    planned('notes/a.md', 'delete'),
    planned('notes/b.md', 'create'),
    planned('facts/profile', 'write'),
  ],
  conflicts: [conflictAt('notes/c.md')],
  notRestorable: [],
};

test('the question names what would happen, and keeps unless one says otherwise', () => {
  const { detail, choices } = memoryQuestion(memory, plainLocalizer);
  assert.equal(
    detail,
    'Global note a is forgotten\nGlobal note b comes back\nFacts (profile) gets its earlier text\n\nGlobal note c stays: It was changed after the agent left it.\n\nUndoing it later brings this back as well.',
  );
  assert.deepEqual(
    choices.map(({ id }) => id),
    ['keep', 'take-back'],
  );
  const many = Array.from({ length: 20 }, (_, n) => planned(`notes/${n}.md`, 'delete'));
  assert.match(
    memoryQuestion({ ...memory, paths: many }, plainLocalizer).detail,
    /note 11 is forgotten\nand 8 more\n/,
  );
  assert.equal(wroteMemory(undefined), false);
  assert.equal(wroteMemory({ ...memory, paths: [] }), false);
});

test('a rewind and a revert ask for memory after the files, and only where there is some', async () => {
  for (const flow of [rewindFlow, revertFlow]) {
    const stage = new FlowStage({ memory });
    stage.answers.push('go', 'take-back');
    await flow(stage.target, stage.context);
    assert.deepEqual([stage.options.memory, stage.options.memoryDecided], ['take-back', true]);
    assert.equal(stage.asked.length, 2);
    const cancelled = new FlowStage({ memory });
    cancelled.answers.push('go');
    assert.equal(await flow(cancelled.target, cancelled.context), undefined);
    assert.deepEqual(cancelled.app.calls, []);
    const without = new FlowStage();
    without.answers.push('go');
    await flow(without.target, without.context);
    assert.deepEqual([without.options.memory, without.asked.length], ['keep', 1]);
  }
});

test('what of memory cannot go back is named, and the rest goes without it', async () => {
  const lost = { path: 'notes/d.md', reason: 'It is a folder.' };
  const damaged = { ...memory, notRestorable: [lost] };
  assert.match(
    memoryQuestion(damaged, plainLocalizer).detail,
    /\nGlobal note d stays: It is a folder\.\n/,
  );
  for (const flow of [rewindFlow, revertFlow])
    for (const answer of ['take-back', 'keep']) {
      const stage = new FlowStage({ memory: damaged });
      stage.answers.push('go', answer);
      await flow(stage.target, stage.context);
      assert.equal(stage.options.partial, answer === 'take-back');
    }
});

test('memory alone is something to rewind', async () => {
  const stage = new FlowStage({ paths: [], memory });
  stage.answers.push('go', 'take-back');
  await rewindFlow(stage.target, stage.context);
  assert.equal(stage.options.memory, 'take-back');
});

test('the report tells of memory', () => {
  const report = {
    kind: 'rewind' as const,
    operation: null,
    complete: true,
    paths: [],
    turns: [],
    memory: [
      { path: 'notes/a.md', result: 'deleted' as const, why: 'It did not exist.' },
      { path: 'notes/c.md', result: 'kept' as const, why: 'It was changed.' },
    ],
  };
  const act = { kind: 'rewind', turn: 3 } as const;
  assert.match(
    reportSentence(report, act, new Set(), plainLocalizer),
    /Memory went with it, but for 1 file changed since\.$/,
  );
  assert.equal(
    reportDetail(report, plainLocalizer),
    'Kept: global note c. It was changed.\nDeleted: global note a. It did not exist.',
  );
});
