import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isUserError } from '../../../src/core/errors.ts';
import { asProjectId, asSessionId, asTurnId } from '../../../src/core/ids.ts';
import { revertCommitsFlow } from '../../../src/extension/revertCommitsFlow.ts';
import { fakeTurn } from '../../helpers/fakeTimelineApp.ts';
import { FlowStage, stageRoot } from '../../helpers/flowStage.ts';

function stageWith(count: number): FlowStage {
  const stage = new FlowStage();
  for (let number = count; number > 0; number--) {
    const turn = fakeTurn({ id: `s#${number}`, session: 's', number, prompt: `Prompt ${number}` });
    stage.app.turnList.push(turn);
    stage.app.projects.revertableList.push({
      ...{ turn: asTurnId(turn.id), session: asSessionId('s'), project: asProjectId('p') },
      ...{ state: 'committed', commit: `${number}`.repeat(40), branch: 'main', reason: null },
      ...{ detail: null, paths: ['a'], leftOut: [], olderTurns: [], at: 0 },
    });
  }
  return stage;
}

test('commits are reverted after a question that names them', async () => {
  const stage = stageWith(2);
  stage.answers.push('revert');
  const said = await revertCommitsFlow(stageRoot, stage.context);
  assert.equal(stage.asked[0]?.message, 'Revert the commits of these 2 turns?');
  assert.match(
    stage.asked[0]?.detail ?? '',
    /^22222222, turn 2: Prompt 2\n11111111, turn 1: Prompt 1\n\nOne new commit each/,
  );
  assert.equal(said, '2 commits were reverted; the newest commit is bbbbbbbb.');
  assert.deepEqual(stage.app.projects.revertableList, []);
});

test('given up, or with nothing to revert, nothing is done', async () => {
  const stage = stageWith(1);
  assert.equal(await revertCommitsFlow(stageRoot, stage.context), undefined);
  assert.equal(stage.app.projects.revertableList.length, 1);
  await assert.rejects(revertCommitsFlow(stageRoot, stageWith(0).context), (e) =>
    isUserError(e, 'nothingToDo'),
  );
});
