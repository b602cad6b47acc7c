/** A project's page: what it shows, what it asks for, under the policy and in every theme. */
import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { autoCommitModes } from '../../src/core/autoCommit.ts';
import { asProjectId, asSessionId } from '../../src/core/ids.ts';
import type { ProjectCommitRow, ProjectState } from '../../src/protocol/projectMessages.ts';
import { projectStrings } from '../../src/protocol/projectStrings.ts';
import { projectFolder } from '../tools/paths.ts';
import { type ThemeName, themes } from './themes.ts';
import type { ViewPage } from './viewPage.ts';
import { viewTests } from './viewTest.ts';

const view = viewTests();
const now = Date.UTC(2026, 0, 10, 12);
const minute = 60_000;

const commit: ProjectCommitRow = {
  ...{ turn: 's#3', number: 3, prompt: 'Count lines', state: 'committed', files: 2 },
  ...{ commit: 'c0ffee00'.repeat(5), branch: 'main', revertedBy: null, why: '', canCommit: false },
  at: now - 3 * minute,
};
const uncommitted = { ...commit, commit: null, branch: null, files: 0 };

function stateOf(given: Partial<ProjectState> = {}): ProjectState {
  return {
    ...{
      type: 'state',
      version: 1,
      now,
      locale: 'en',
      strings: {},
      trusted: true,
      disk: null,
      memory: null,
    },
    project: {
      ...{ id: asProjectId('p'), name: 'Word counter', description: 'Counts <b>words</b>' },
      ...{ workdir: '/home/me/src/tally', isMissing: false, status: 'active', createdAt: 0 },
      ...{ joinsByFolder: true, autoCommit: 'whenClean' },
    },
    sessions: [
      {
        ...{ id: asSessionId('s'), agent: 'claude', title: 'Count <i>lines</i> too' },
        ...{ updatedAt: now - minute, turns: 4 },
      },
    ],
    sessionCount: 3,
    commits: [
      {
        ...uncommitted,
        ...{ turn: 's#5', number: 5, state: 'skipped', canCommit: true },
        why: 'Not committed: README.md: has changes that are not the agent’s.',
      },
      { ...uncommitted, turn: 's#4', number: 4, state: 'waiting', prompt: '' },
      commit,
      { ...commit, turn: 's#2', number: 2, revertedBy: 'beef'.repeat(10) },
    ],
    ...given,
  };
}

const open = { name: 'project', width: 900, height: 1100 } as const;

async function texts(page: ViewPage, selector: string): Promise<readonly string[]> {
  const all = await page.page.locator(selector).allInnerTexts();
  return all.map((text) => text.replaceAll(/\s+/g, ' ').trim());
}

view(
  'shows the project, what became of its turns, its sessions, and what they take',
  open,
  async (page) => {
    await page.send(stateOf());
    await page.settle();
    assert.deepEqual(await texts(page, 'h1'), ['Word counter']);
    assert.match(
      (await texts(page, 'header'))[0] ?? '',
      /Counts <b>words<\/b> \/home\/me\/src\/tally · made/,
    );
    assert.deepEqual(await texts(page, '.commit'), [
      'Turn 5: Count lines not committed 3 minutes ago Not committed: README.md: has changes that are not the agent’s. Commit the Agent’s Files',
      'Turn 4: (empty prompt) waits 3 minutes ago',
      'Turn 3: Count lines c0ffee00 on main 2 files 3 minutes ago',
      'Turn 2: Count lines c0ffee00, reverted by beefbeef 2 files 3 minutes ago',
    ]);
    assert.deepEqual(await texts(page, '.session'), [
      'Count <i>lines</i> too Claude Code 4 turns 1 minute ago Take Out',
    ]);
    assert.match((await texts(page, '[aria-labelledby="sessions"]'))[0] ?? '', /2 older sessions/);
    assert.match((await texts(page, '[aria-labelledby="disk"]'))[0] ?? '', /Being counted…/);
    await page.send(stateOf({ version: 2, disk: 12_345_678 }));
    assert.match((await texts(page, '[aria-labelledby="disk"]'))[0] ?? '', /12\.3 MB are kept/);
    await page.send(stateOf({ version: 1, disk: 1 }));
    assert.match(
      (await texts(page, '[aria-labelledby="disk"]'))[0] ?? '',
      /12\.3 MB/,
      'an older state',
    );
  },
);

view('what becomes of agents’ work is told as it is chosen', open, async (page) => {
  const { project } = stateOf();
  const hints = new Map<string, string>();
  for (const [i, autoCommit] of autoCommitModes.entries()) {
    await page.send(stateOf({ version: i + 1, project: project && { ...project, autoCommit } }));
    const [hint = ''] = await texts(page, '[aria-labelledby="settings"] .quiet');
    hints.set(hint, autoCommit);
    assert.equal(/becomes one commit/.test(hint), autoCommit !== 'off', hint);
  }
  assert.equal(hints.size, autoCommitModes.length, 'a sentence for each');
});

view('asks for what is pressed and chosen', open, async (page) => {
  await page.send(stateOf());
  await page.takePosted();
  await page.page.locator('[data-act="rename"]').click();
  await page.page.locator('.commit .name').first().click();
  await page.page.locator('[data-act="commitTurn"]').click();
  await page.page.locator('.session .name').click();
  await page.page.locator('[data-act="detach"]').click();
  await page.page.locator('[data-act="attach"]').click();
  assert.deepEqual(await page.takePosted(), [
    { type: 'act', act: 'rename' },
    { type: 'openTurn', turn: 's#5' },
    { type: 'commitTurn', turn: 's#5' },
    { type: 'openSession', session: 's' },
    { type: 'detach', session: 's' },
    { type: 'act', act: 'attach' },
  ]);
  const choose = async (id: string, option: string) => {
    await page.page.locator(`#${id}`).click();
    await page.page.locator(`#${id} vscode-option`, { hasText: option }).click();
  };
  await choose('status', 'Paused');
  await choose('autoCommit', 'where only the agent');
  await choose('joins', 'Join only when attached');
  assert.deepEqual(await page.takePosted(), [
    { type: 'setStatus', status: 'paused' },
    { type: 'setAutoCommit', mode: 'agentPathsOnly' },
    { type: 'setJoins', byFolder: false },
  ]);
});

view('shows what is remembered of the project, and opens a note', open, async (page) => {
  await page.send(stateOf());
  assert.equal(await page.page.locator('#memory').count(), 0, 'not known yet');
  const memory = {
    notes: [{ name: 'Tests', hook: 'Run <b>all</b> of them', pinned: true, updatedAt: now }],
    ...{ noteCount: 3, facts: [{ key: 'node', value: '24' }], pending: 2 },
  };
  await page.send(stateOf({ version: 2, memory }));
  assert.deepEqual(await texts(page, '[aria-labelledby="memory"] > *'), [
    'Memory',
    'node 24 Tests pinned now Run <b>all</b> of them',
    '2 more notes are not listed',
    '2 writes of agents wait for your approval',
  ]);
  await page.takePosted();
  await page.page.locator('[data-act="openNote"]').click();
  assert.deepEqual(await page.takePosted(), [{ type: 'openNote', name: 'Tests' }]);
  const none = { notes: [], noteCount: 0, facts: [], pending: 0 };
  await page.send(stateOf({ version: 3, memory: none }));
  assert.match((await texts(page, '[aria-labelledby="memory"]'))[0] ?? '', /Nothing is remembered/);
});

view('a choice that was given up goes back to what is so', open, async (page) => {
  await page.send(stateOf());
  await page.page.locator('#autoCommit').click();
  await page.page.locator('#autoCommit vscode-option', { hasText: 'Not committed' }).click();
  await page.send(stateOf({ version: 2 }));
  await page.settle();
  assert.equal(await page.read('#autoCommit', 'e.value'), 'whenClean');
  assert.match(
    await page.read<string>('#autoCommit', 'e.displayValue'),
    /^Committed while nothing/,
  );
});

view('without trust nothing can be changed; a project that is gone says so', open, async (page) => {
  await page.send(stateOf({ trusted: false }));
  await page.settle();
  assert.equal(await page.page.locator('[data-act="commitTurn"], [data-act="detach"]').count(), 0);
  await page.takePosted();
  await page.page.locator('[data-act="rename"]').click({ force: true });
  assert.deepEqual(await page.takePosted(), []);
  await page.send(stateOf({ version: 2, project: null, sessions: [], commits: [] }));
  assert.match((await texts(page, 'main'))[0] ?? '', /This project is not there any more/);
});

for (const theme of Object.keys(themes) as ThemeName[])
  view(
    `${theme}: the text of a project’s page has a contrast of 4.5 to 1`,
    { ...open, theme },
    async (page) => {
      await page.send(stateOf());
      await page.settle();
      assert.deepEqual(await page.page.evaluate('lowContrast(4.5)'), []);
    },
  );

view('works by keyboard, in a narrow tab too', { ...open, width: 320 }, async (page) => {
  await page.send(stateOf());
  await page.takePosted();
  await page.page.locator('.commit .name').nth(2).focus();
  await page.page.keyboard.press('Enter');
  assert.deepEqual(await page.takePosted(), [{ type: 'openTurn', turn: 's#3' }]);
  assert.equal(await page.read('main', 'e.scrollWidth <= e.clientWidth'), true);
});

test('every sentence of a project’s page is used by it', () => {
  const sources = globSync('webview/project/*.ts', { cwd: projectFolder })
    .map((file) => readFileSync(path.join(projectFolder, file), 'utf8'))
    .join('\n');
  const unused = Object.keys(projectStrings).filter((id) => !sources.includes(`'${id}'`));
  assert.deepEqual(unused, []);
});
