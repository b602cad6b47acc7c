import assert from 'node:assert/strict';
import { test } from 'node:test';
import { asOperationId } from '../../../src/core/ids.ts';
import type { TouchSummary } from '../../../src/core/timeline.ts';
import { fileEntries, lineCounts, turnEntries } from '../../../src/extension/turnItems.ts';
import { fakeTurn } from '../../helpers/fakeTimelineApp.ts';
import { plainLocalizer } from '../../helpers/plainLocalizer.ts';

const touch = (path: string, added: number | null, removed: number | null): TouchSummary => ({
  path,
  change: 'modified',
  cause: 'edit',
  added,
  removed,
});
const noon = (day: number): number => new Date(2026, 2, day, 12).getTime();

test('turns are offered newest first, by day', () => {
  const turns = [
    fakeTurn({ id: 't1', session: 's', number: 1, startedAt: noon(4) }),
    fakeTurn({ id: 't2', session: 's', number: 2, startedAt: noon(5) }),
    fakeTurn({ id: 't3', session: 's', number: 3, startedAt: noon(5) }),
  ];
  assert.deepEqual(
    turnEntries(turns, 'en', plainLocalizer).map((entry) => entry.label),
    [
      'Thursday, March 5, 2026',
      'Turn 3: prompt 3',
      'Turn 2: prompt 2',
      'Wednesday, March 4, 2026',
      'Turn 1: prompt 1',
    ],
  );
});

test('an entry tells what the turn did', () => {
  const turn = fakeTurn({
    id: 't',
    session: 's',
    number: 7,
    prompt: '\nRename it\nand more',
    startedAt: noon(5),
    rewoundBy: asOperationId('o'),
    files: ['a', 'b', 'c', 'd', 'e'].map((path) => touch(path, 2, 1)),
  });
  const entry = turnEntries([turn], 'en', plainLocalizer)[1];
  assert.ok(entry?.kind === 'item');
  assert.equal(entry.label, 'Turn 7: Rename it');
  assert.equal(entry.description.replace('\u202f', ' '), 'Claude Code · 12:00 PM · taken back');
  assert.equal(entry.detail, '5 files · +10 −5 · a, b, c, d and 1 more');
  assert.equal(entry.value, turn);
});

test('lines are summed where they are known', () => {
  assert.equal(lineCounts([]), '');
  assert.equal(lineCounts([touch('a.png', null, null)]), '');
  assert.equal(lineCounts([touch('a.png', null, null), touch('b', 3, 0)]), '+3');
});

test('the files of a turn, with what happened to each', () => {
  const turn = fakeTurn({
    id: 't',
    session: 's',
    number: 1,
    files: [touch('a.js', 2, 1), { ...touch('b.png', null, null), change: 'added' }],
  });
  assert.deepEqual(
    fileEntries(turn, plainLocalizer).map((entry) => [
      entry.label,
      entry.kind === 'item' && entry.description,
    ]),
    [
      ['a.js', 'modified · +2 −1'],
      ['b.png', 'added'],
    ],
  );
});
