import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type StatusFacts, shortFolder, statusText } from '../../../src/extension/statusText.ts';
import { plainLocalizer } from '../../helpers/plainLocalizer.ts';

const usual: StatusFacts = {
  folder: 'shop',
  project: undefined,
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
    isWarning: false,
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

const project = { name: 'Web shop', folder: '~/src/shop', skipped: null };

test('in a project it names that, its folder and the turn', () => {
  assert.deepEqual(statusText({ ...usual, project }, plainLocalizer), {
    text: '$(history) Web shop · ~/src/shop · turn 3/5',
    tooltip:
      'Project Web shop in ~/src/shop\nTurn 3 of 5 in shop: Add a test\nClick to open the page of the project.',
    label: 'Memcode Timeline: Web shop, turn 3 of 5',
    isWarning: false,
  });
  assert.equal(
    statusText({ ...usual, project, cursor: 0, total: 0 }, plainLocalizer).text,
    '$(history) Web shop · ~/src/shop',
  );
});

test('a folder that is called as its project is not named twice, but in the tooltip', () => {
  for (const folder of ['…/projects/shop', 'C:\\projects\\shop', 'shop']) {
    const { text, tooltip } = statusText(
      { ...usual, project: { ...project, name: 'shop', folder } },
      plainLocalizer,
    );
    assert.equal(text, '$(history) shop · turn 3/5');
    assert.ok(tooltip.startsWith(`Project shop in ${folder}\n`));
  }
});

test('it looks like a warning only when something was not committed, and says why', () => {
  const skipped = 'Not committed: a.txt is staged.';
  const shown = statusText({ ...usual, project: { ...project, skipped } }, plainLocalizer);
  assert.equal(shown.isWarning, true);
  assert.ok(shown.text.startsWith('$(warning) '));
  assert.match(shown.tooltip, /^Not committed: a\.txt is staged\.$/m);
  assert.equal(shown.label, `Memcode Timeline: Web shop, turn 3 of 5. ${skipped}`);
});

test('folders are shown in few characters', () => {
  const short = (folder: string) => shortFolder(folder, '/home/me', '/');
  assert.deepEqual(
    [
      '/home/me/shop',
      '/home/me/code/of/many/customers/shop',
      '/srv/shop',
      '/home/mean/x',
      '/a-very-long-name-of-one-folder/b',
    ].map(short),
    [
      '~/shop',
      '…/customers/shop',
      '/srv/shop',
      '/home/mean/x',
      '/a-very-long-name-of-one-folder/b',
    ],
  );
  assert.equal(shortFolder('C:\\Users\\Me\\shop', 'C:\\Users\\Me', '\\'), '~\\shop');
});
