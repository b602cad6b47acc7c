import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { PlannedAct } from '../../../src/core/timeline.ts';
import { type Outlook, restoreEntries } from '../../../src/extension/restoreEntries.ts';
import { conflictAt } from '../../helpers/flowStage.ts';
import { plainLocalizer } from '../../helpers/plainLocalizer.ts';

const nothing = { paths: [], conflicts: [], notRestorable: [] };

function acting(act: PlannedAct): Outlook {
  const path = { path: 'a', act, added: 2, removed: null, unverified: false };
  return { ...nothing, paths: [path] };
}

test('each side says what going back to it would do', () => {
  const check = (outlook: Outlook, description: string): void => {
    const [before, after] = restoreEntries(3, { before: outlook, after: nothing }, plainLocalizer);
    assert.ok(before?.kind === 'item' && after?.kind === 'item');
    assert.deepEqual([before.label, before.description], ['Before Turn 3', description]);
    assert.deepEqual([after.label, after.description], ['After Turn 3', 'what it is now']);
  };
  check(acting('write'), 'puts it back · +2');
  check(acting('create'), 'makes it again');
  check(acting('delete'), 'deletes it: it was not there');
  check({ ...nothing, conflicts: [conflictAt('a')] }, 'asks first: it was changed since');
  check({ ...nothing, notRestorable: [{ path: 'a', reason: 'It is gone.' }] }, 'It is gone.');
  check({ refused: 'The turn has no checkpoint.' }, 'The turn has no checkpoint.');
});
