import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type StatusFacts, statusText } from '../../../src/extension/statusText.ts';
import { plainLocalizer } from '../../helpers/plainLocalizer.ts';

const usual: StatusFacts = {
  folder: 'shop',
  cursor: 3,
  total: 5,
  prompt: 'Add a test',
  running: false,
  busy: null,
};

test('the status bar names the folder and the turn', () => {
  assert.deepEqual(statusText(usual, plainLocalizer), {
    text: '$(history) shop · turn 3/5',
    tooltip: 'Turn 3 of 5 in shop: Add a test\nClick to open the timeline.',
    label: 'Memcode Timeline: shop, turn 3 of 5',
  });
});

test('without turns it names the folder', () => {
  const { text, label } = statusText({ ...usual, cursor: 0, total: 0 }, plainLocalizer);
  assert.equal(text, '$(history) shop');
  assert.equal(label, 'Memcode Timeline: shop, no turns');
});

test('it spins while something is done, and only then', () => {
  const { text, tooltip } = statusText(
    { ...usual, busy: 'Rewinding…', running: true },
    plainLocalizer,
  );
  assert.ok(text.startsWith('$(loading~spin) '));
  assert.match(tooltip, /The agent is working\.\nRewinding…/);
  assert.ok(statusText({ ...usual, running: true }, plainLocalizer).text.startsWith('$(history) '));
});

test('a folder name cannot bring an icon with it', () => {
  assert.equal(
    statusText({ ...usual, folder: 'a$(bug)' }, plainLocalizer).text,
    '$(history) a\\$(bug) · turn 3/5',
  );
});
