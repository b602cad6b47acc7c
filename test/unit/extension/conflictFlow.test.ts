import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { FileChoice } from '../../../src/extension/conflictChoice.ts';
import { chooseForEach } from '../../../src/extension/conflictFlow.ts';
import { conflictAt, FlowStage } from '../../helpers/flowStage.ts';

const conflicts = [
  conflictAt('a.js', 'clean'),
  conflictAt('b.js', 'byHand'),
  conflictAt('c.bin', 'impossible'),
];
const texts = { title: 'Rewind to Before Turn 3', go: 'Go on' };

async function choose(standing: FileChoice, ...picks: readonly (string | undefined)[]) {
  const stage = new FlowStage();
  stage.picks.push(...picks);
  const compare = async (path: string): Promise<void> => {
    stage.done.push(`compared ${path}`);
  };
  const choices = await chooseForEach(conflicts, standing, texts, { ...stage.context, compare });
  return { choices: choices && Object.fromEntries(choices), stage };
}

test('Enter opens the first file, then the next, and goes on after the last', async () => {
  const { choices, stage } = await choose(
    'keep',
    ...['a.js', 'Merge', 'b.js', 'Take the Old State', 'c.bin', 'Keep Mine', 'Go on'],
  );
  assert.deepEqual(choices, { 'a.js': 'merge', 'b.js': 'take', 'c.bin': 'keep' });
  const lists = stage.offered.filter((list) => list.some((entry) => entry.includes('Go on')));
  assert.deepEqual(
    lists.map((list) => list.find((entry) => entry.startsWith('> '))),
    [
      '> a.js (Keep Mine)',
      '> b.js (Keep Mine)',
      '> c.bin (Keep Mine)',
      '> Go on (1 to keep, 1 to put back, 1 to merge)',
    ],
  );
});

test('a list shows every file with its choice, and choices for all', async () => {
  const { choices, stage } = await choose('merge');
  assert.equal(choices, undefined, 'Escape cancels');
  assert.deepEqual(stage.offered, [
    [
      'Go on (1 to keep, 2 to merge)',
      '-- files in conflict',
      '> a.js (Merge)',
      'b.js (Merge, in the merge editor)',
      'c.bin (Keep Mine)',
      '-- for all files',
      'Keep Mine for All',
      'Take the Old State for All',
      'Merge All',
    ],
  ]);
});

test('a file that cannot be merged offers the other two', async () => {
  const { stage } = await choose('keep', 'c.bin', undefined, 'b.js');
  assert.deepEqual(stage.offered[1], ['> Keep Mine (chosen)', 'Take the Old State']);
  assert.deepEqual(stage.offered[3], ['> Keep Mine (chosen)', 'Take the Old State', 'Merge']);
});

test('one choice for all', async () => {
  const all = async (pick: string) => (await choose('keep', pick, 'Go on')).choices;
  const same = (choice: FileChoice) => ({ 'a.js': choice, 'b.js': choice, 'c.bin': choice });
  assert.deepEqual(await all('Take the Old State for All'), same('take'));
  assert.deepEqual(await all('Keep Mine for All'), same('keep'));
  assert.deepEqual(await all('Merge All'), { ...same('merge'), 'c.bin': 'keep' });
});

test('looking at a file comes back to the list', async () => {
  const { choices, stage } = await choose(
    'keep',
    ...['b.js > Compare Mine with the Old State', 'Go on'],
  );
  assert.deepEqual(stage.done, ['compared b.js']);
  assert.ok(stage.offered[1]?.includes('> b.js (Keep Mine)'));
  assert.deepEqual(choices, { 'a.js': 'keep', 'b.js': 'keep', 'c.bin': 'keep' });
});
