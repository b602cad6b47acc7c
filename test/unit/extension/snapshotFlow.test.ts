/** Going back to a snapshot: the question, what it does, and what it refuses. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { SnapshotSummary } from '../../../src/core/snapshotSummary.ts';
import { snapshotEntries, snapshotName } from '../../../src/extension/snapshotEntries.ts';
import { snapshotFlow } from '../../../src/extension/snapshotFlow.ts';
import { skippedText } from '../../../src/extension/snapshotTexts.ts';
import { FlowStage, stageRoot } from '../../helpers/flowStage.ts';
import { plainLocalizer } from '../../helpers/plainLocalizer.ts';

const snapshot: SnapshotSummary = {
  id: 'a'.repeat(40),
  shortId: 'aaaaaaaa',
  at: Date.UTC(2026, 2, 5, 12),
  reason: 'person',
  label: 'mine',
  session: null,
  turn: null,
  turnNumber: 0,
};

const written = { path: 'a.js', act: 'write', added: 1, removed: 1, unverified: false } as const;

function stageWith(plan: FlowStage['app']['snapshotPlan']): FlowStage {
  const stage = new FlowStage();
  stage.app.snapshotList.push(snapshot);
  stage.app.snapshotPlan = plan;
  return stage;
}

const target = { snapshot, root: stageRoot, name: '“mine”' };

describe('going back to a snapshot', () => {
  it('asks first, naming the files, and does it', async () => {
    const stage = stageWith({ paths: [written] });
    stage.answers.push('go');
    const outcome = await snapshotFlow(target, stage.context);
    assert.equal(stage.asked[0]?.message, 'Restore the snapshot “mine”?');
    assert.match(stage.asked[0]?.detail ?? '', /restore a\.js/);
    assert.deepEqual(stage.app.calls[0]?.slice(0, 2), ['restoreSnapshot', snapshot.id]);
    assert.deepEqual(outcome?.act, { kind: 'snapshot', name: '“mine”' });
  });

  it('changes nothing when cancelled or looked at', async () => {
    for (const answer of [undefined, 'preview']) {
      const stage = stageWith({ paths: [written] });
      stage.answers.push(answer);
      assert.equal(await snapshotFlow(target, stage.context), undefined);
      assert.deepEqual(stage.app.calls, []);
    }
  });

  it('says so when nothing differs', async () => {
    const stage = stageWith({});
    await assert.rejects(snapshotFlow(target, stage.context), { code: 'nothingToDo' });
  });

  it('goes on without what it did not capture, when the person says so', async () => {
    const notRestorable = [{ path: 'big', reason: 'It was not captured then (tooLarge).' }];
    const stage = stageWith({ paths: [written], notRestorable });
    stage.answers.push('go');
    await snapshotFlow(target, stage.context);
    assert.match(stage.asked[0]?.detail ?? '', /big/);
    assert.equal(stage.options.partial, true);
  });
});

describe('words about snapshots', () => {
  it('a list by day, with why each was taken', () => {
    const command: SnapshotSummary = {
      ...snapshot,
      reason: 'command',
      label: 'Bash: make',
      turnNumber: 3,
    };
    const entries = snapshotEntries([command, snapshot], 'en', plainLocalizer);
    assert.deepEqual(
      entries.flatMap((entry) => (entry.kind === 'separator' ? [entry.label] : [])),
      ['Taken by hand', 'Automatic, Thursday, March 5, 2026'],
    );
    const items = entries.flatMap((entry) => (entry.kind === 'item' ? [entry] : []));
    assert.deepEqual(
      items.map(({ label, detail }) => [label, detail]),
      [
        ['mine', 'Taken by hand'],
        ['Automatic: Bash: make', 'Taken around a shell command'],
      ],
    );
    assert.match(items[1]?.description ?? '', / · turn 3 · aaaaaaaa$/);
    assert.match(snapshotName(snapshot, 'en', plainLocalizer), /^“mine”, Mar 5, 2026/);
  });

  it('what was left out is told only where nobody asked for that', () => {
    const taken = { snapshot, isNew: true, files: 1, skipped: [], skippedCounts: { ignored: 9 } };
    assert.equal(skippedText(taken, plainLocalizer), null);
    const skipped = [
      { path: 'big.bin', reason: 'tooLarge' },
      { path: 'node_modules', reason: 'excluded' },
    ];
    assert.equal(
      skippedText(
        { ...taken, skipped, skippedCounts: { tooLarge: 1, excluded: 1 } },
        plainLocalizer,
      ),
      'Not in it, too large or unreadable: 1 file (big.bin).',
    );
  });
});
