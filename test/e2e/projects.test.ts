/** Projects in a real VS Code: made, shown, their agents' work committed or not, and what is said about that. */
import assert from 'node:assert/strict';
import fs from 'node:fs/promises';
import path from 'node:path';
import { test } from 'node:test';
import type { Frame, Locator } from 'playwright-core';
import { type Demo, demoEnvironment, replayTurns } from '../demo/prepareDemo.ts';
import { readScenario } from '../demo/scenario.ts';
import { projectFolder } from '../tools/paths.ts';
import { mustRun } from '../tools/runCommand.ts';
import { until, type Workbench } from '../tools/workbench.ts';
import { sampleProject, withDemoWindow } from './demoWindow.ts';

const turns = readScenario();

test('a project is made, its agents’ work committed, and what was in the way is told', async (t) => {
  const demo = await sampleProject(t);
  await replayTurns(demo, turns.slice(0, 2));
  await git(demo, 'add', '-A');
  await git(demo, 'commit', '-qm', 'By hand');
  await withDemoWindow(t, demo, async (workbench, timeline) => {
    await timeline.open();
    await timeline.showsTurns([2, 1]);
    await workbench.runCommand('Memcode: New Project…');
    await workbench.pick('tally', 'New Project');
    await workbench.answerInput('Name of the New Project', 'Word counter');
    const page = await workbench.frameWith('#commits');
    await shows(page, 'h1', 'Word counter');
    await shows(page, '#sessions ~ .rows', '2 turns');
    await workbench.statusItem('Word counter').waitFor();
    await cli(demo, 'memory', 'remember', 'Indent with tabs.', '--name', 'Style');
    await shows(page, '.note', 'Indent with tabs.');
    await workbench.screenshot('project page');

    await workbench.runCommand('Memcode: Auto-Commit…');
    await workbench.pick('while nothing of yours', 'Auto-Commit of Word counter');
    await shows(page, '#autoCommit', 'Committed while nothing');
    await replayTurns(demo, turns.slice(2, 3));
    await shows(page, '.commit[data-state="committed"]', 'Turn 3: ');
    assert.match(await git(demo, 'log', '-1', '--format=%s'), /^\[agent .+\] turn 3: /);

    await fs.appendFile(path.join(demo.workspace, 'README.md'), 'Mine.\n');
    await replayTurns(demo, turns.slice(3, 4));
    const banner = await workbench.notification('Word counter, turn 4: ');
    assert.match(banner, /README\.md: has changes that are not the agent’s/);
    await workbench.statusItem('Word counter').locator('.codicon-warning').waitFor();
    await shows(page, '.commit[data-state="skipped"]', 'not committed');
    await workbench.screenshot('a turn that was not committed');
    await workbench.answerNotification('turn 4: ', "Commit Only the Agent's Files");
    assert.match(await workbench.notification('Turn 4 was committed as'), /From now on only/);
    assert.match(await git(demo, 'log', '-1', '--format=%s'), /turn 4: /);
    assert.equal(await git(demo, 'status', '--porcelain'), ' M README.md\n');
    await workbench.statusItem('Word counter').locator('.codicon-history').waitFor();

    await showsProjects(workbench, ['Word counter']);
    await workbench.screenshot('projects view');

    await page.locator('[data-act="detach"]').click();
    await shows(page, '[aria-labelledby="sessions"]', 'No session belongs to this project yet');
    await workbench.runCommand('Memcode: Attach Session to Project…');
    await workbench.notification('The session belongs to Word counter');
    await shows(page, '.session', 'Count lines too');
    await page.locator('[data-act="openNote"]').click();
    await workbench.page.locator('.tab.active[data-resource-name$=".md"]').waitFor();
    await workbench.screenshot('note of a project');
  });
});

test('commits of turns that are rewound are reverted, and the page comes back with the window', async (t) => {
  const demo = await sampleProject(t);
  await cli(demo, 'project', 'create', 'Word counter');
  await cli(demo, 'project', 'auto-commit', 'whenClean');
  await replayTurns(demo, turns.slice(0, 2));
  await withDemoWindow(t, demo, async (workbench, timeline) => {
    await timeline.open();
    await timeline.showsTurns([2, 1]);
    await until('both turns committed', async () => (await commits(demo)) === 3 || undefined);
    await showsProjects(workbench, ['Word counter']);
    await expand(workbench, 'Word counter');
    await expand(workbench, 'Count lines too');
    await row(workbench, 'Turn 2: ').waitFor();
    await row(workbench, 'Turn 1: ').waitFor();
    await workbench.screenshot('project with its session and turns');

    await workbench.runCommand('Memcode: Rewind to Turn…');
    await workbench.pick('Turn 1: ', 'Rewind to Turn');
    const { detail } = await workbench.dialog();
    assert.match(detail, /What is taken back was committed: .*turn 1.*turn 2/);
    await workbench.answerDialog('Rewind');
    await workbench.answerNotification('Rewound to before turn 1', 'Revert Commits…');
    assert.match((await workbench.dialog()).detail, /turn 2: .*\n.*turn 1: /);
    await workbench.screenshot('reverting commits');
    await workbench.answerDialog('Revert Commits');
    await workbench.notification('2 commits were reverted');
    assert.equal(await commits(demo), 5);
    assert.equal(await git(demo, 'diff', 'HEAD~4', 'HEAD'), '');
    assert.equal(await git(demo, 'status', '--porcelain'), '');

    await workbench.statusItem('Word counter').click();
    await shows(await workbench.frameWith('#commits'), '.commit', 'reverted');
    await workbench.reload();
    await shows(await workbench.frameWith('#commits'), 'h1', 'Word counter');
  });
});

test('a repository is made only when one says so', async (t) => {
  const demo = await sampleProject(t);
  await fs.rm(path.join(demo.workspace, '.git'), { recursive: true });
  await replayTurns(demo, turns.slice(0, 1));
  await withDemoWindow(t, demo, async (workbench) => {
    await workbench.runCommand('Memcode: Import Projects…');
    await workbench.picks('Import Projects');
    await workbench.screenshot('projects to import');
    await workbench.page.keyboard.press('Enter');
    await workbench.notification('tally is a project now.');
    await workbench.runCommand('Memcode: Auto-Commit…');
    await workbench.pick('while nothing of yours', 'Auto-Commit of tally');
    assert.match(
      (await workbench.dialog()).message,
      /There is no git repository in .*\. Make one\?/,
    );
    assert.equal(await isThere(path.join(demo.workspace, '.git')), false);
    await workbench.answerDialog('Make a Repository');
    await until(
      'the repository',
      async () => (await isThere(path.join(demo.workspace, '.git'))) || undefined,
    );
  });
});

test('a folder that may be a moved project’s is asked about', async (t) => {
  const demo = await sampleProject(t);
  const old = path.join(demo.folder, 'old');
  await fs.rename(demo.workspace, old);
  await cli({ ...demo, workspace: old }, 'project', 'create', 'Word counter');
  await fs.rename(old, demo.workspace);
  await fs.mkdir(old);
  await withDemoWindow(t, demo, async (workbench) => {
    const asked = await workbench.notification('may be the folder of the project Word counter');
    assert.ok(asked.includes(old), asked);
    await workbench.screenshot('a moved project');
    await workbench.answerNotification('may be the folder', 'It Was Moved');
    await workbench.statusItem('Word counter').waitFor();
    await workbench.runCommand('Memcode: Open Project Page');
    await shows(await workbench.frameWith('#commits'), '.path', demo.workspace);
  });
});

function isThere(file: string): Promise<boolean> {
  return fs.stat(file).then(
    () => true,
    () => false,
  );
}

function cli({ workspace, ...demo }: Demo, ...args: string[]): Promise<string> {
  const env = { ...process.env, ...demoEnvironment({ workspace, ...demo }) };
  const program = path.join(projectFolder, 'dist/cli.cjs');
  return mustRun(process.execPath, [program, ...args], { cwd: workspace, env });
}

async function commits(demo: Demo): Promise<number> {
  return Number(await git(demo, 'rev-list', '--count', 'HEAD'));
}

function row({ page }: Workbench, text: string): Locator {
  return page.locator('.pane .monaco-list-row', { hasText: text }).first();
}

async function expand(workbench: Workbench, text: string): Promise<void> {
  const found = row(workbench, text);
  await found.waitFor();
  if ((await found.getAttribute('aria-expanded')) !== 'true') await found.click();
}

/** As the user, with an identity and no settings of anybody. */
function git({ workspace, home }: Demo, ...args: string[]): Promise<string> {
  const identity = ['-c', 'user.name=User', '-c', 'user.email=user@example.org'];
  const env = { ...process.env, HOME: home, USERPROFILE: home, GIT_CONFIG_NOSYSTEM: '1' };
  return mustRun('git', [...identity, ...args], { cwd: workspace, env });
}

async function shows(frame: Frame, selector: string, text: string): Promise<void> {
  await frame.locator(selector, { hasText: text }).first().waitFor();
}

/** Opens the Projects view and waits for its rows at the top. */
async function showsProjects(workbench: Workbench, names: readonly string[]): Promise<void> {
  const pane = workbench.page.locator('.pane', { hasText: 'Projects' }).last();
  const header = pane.locator('.pane-header');
  if ((await header.getAttribute('aria-expanded')) !== 'true') await header.click();
  await until(`the projects ${names}`, async () => {
    const rows = await pane.locator('.monaco-list-row .label-name').allInnerTexts();
    return names.every((name) => rows.includes(name)) || undefined;
  });
}
