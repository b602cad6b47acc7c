import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { PendingOperation } from '../../../src/app/timelineApp.ts';
import { asOperationId } from '../../../src/core/ids.ts';
import { recoveryFlow } from '../../../src/extension/recoveryFlow.ts';
import { FakeTimelineApp } from '../../helpers/fakeTimelineApp.ts';
import { plainLocalizer } from '../../helpers/plainLocalizer.ts';

const pending = (id: string, kind: PendingOperation['kind']): PendingOperation => ({
  operation: asOperationId(id),
  kind,
  root: '/shop',
  startedAt: 0,
  paths: ['a', 'b'],
});

test('each cut-short operation is asked about, and one without an answer stays', async () => {
  const app = new FakeTimelineApp();
  app.pendingList = [pending('p1', 'rewind'), pending('p2', 'redo'), pending('p3', 'revert')];
  const said: string[] = [];
  const answers = ['finish', undefined, 'rollBack'];
  await recoveryFlow(app.pendingList, {
    app,
    l10n: plainLocalizer,
    tell: async (message, choices) => {
      said.push(message);
      const answer = answers.shift();
      return choices.find(({ id }) => id === answer)?.id;
    },
  });
  assert.deepEqual(said, [
    'A rewind of 2 files in /shop was cut short. Finish it, or put everything back?',
    'An undo of 2 files in /shop was cut short. Finish it, or put everything back?',
    'A revert of 2 files in /shop was cut short. Finish it, or put everything back?',
  ]);
  assert.deepEqual(app.calls, [
    ['recover', 'p1', 'finish'],
    ['recover', 'p3', 'rollBack'],
  ]);
});
