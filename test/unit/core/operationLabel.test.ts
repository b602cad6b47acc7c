import assert from 'node:assert/strict';
import { test } from 'node:test';
import { takenBackLabel } from '../../../src/core/operationLabel.ts';
import { goneOutcome, mergedOutcome } from '../../../src/core/pathOutcome.ts';
import { decide } from '../../../src/core/rewindPlan.ts';

test('an undo of an undo is a redo, however often', () => {
  const act = 'Rewound to before turn 3';
  assert.equal(takenBackLabel(act), `Undid: ${act}`);
  assert.equal(takenBackLabel(`Undid: ${act}`), `Redid: ${act}`);
  assert.equal(takenBackLabel(`Redid: ${act}`), `Undid: ${act}`);
  assert.equal(
    takenBackLabel(`Undid: Undid: ${act}`),
    `Undid: ${act}`,
    'as older versions wrote it',
  );
});

test('what was left by an operation is not said to be left by the agent', () => {
  const file = (sha256: string) => ({ kind: 'file', mode: 0o644, size: 1, sha256 }) as const;
  const facts = {
    path: 'a',
    target: file('1'),
    verified: true,
    left: file('2'),
    present: file('3'),
    unsaved: false,
    hindrance: undefined,
  };
  const reason = (more: object): unknown => {
    const decision = decide({ ...facts, ...more });
    return decision.kind === 'conflict' && decision.reason;
  };
  const absent = { kind: 'absent' } as const;
  assert.equal(reason({}), 'It was changed after the agent left it.');
  assert.equal(reason({ since: 'the rewind' }), 'It was changed after the rewind.');
  assert.equal(
    reason({ since: 'the undo', present: { ...file('2'), mode: 0o755 } }),
    'Its permissions were changed after the undo.',
  );
  assert.equal(
    reason({ since: 'the revert', present: absent }),
    'It was deleted after the revert.',
  );
  assert.equal(
    reason({ since: 'the restore', left: absent }),
    'The restore had deleted it, and it was made again since.',
  );
  assert.equal(
    reason({ since: 'the rewind', present: { kind: 'symlink', target: 'x' } }),
    'It is a link now; the rewind had left a file.',
  );
});

test('a merge says what it took out', () => {
  assert.equal(
    mergedOutcome('a', 'Changed.', 'the turn').why,
    "Changed. The agent's change was taken out of it.",
  );
  assert.equal(
    mergedOutcome('a', 'Changed.', 'later changes').why,
    'Changed. Later changes of the agent were taken out of it.',
  );
  assert.equal(
    mergedOutcome('a', 'Changed.', 'the rewind').why,
    'Changed. What the rewind did was taken out of it.',
  );
  assert.equal(goneOutcome('a', 'the undo').why, 'What the undo did is not in it any more.');
});
