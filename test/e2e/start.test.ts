/** Before the first turn: what the view says, and connecting an agent from it. */
import assert from 'node:assert/strict';
import fs from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { test } from 'node:test';
import { demoEnvironment, makeSample, replayTurns } from '../demo/prepareDemo.ts';
import { readScenario } from '../demo/scenario.ts';
import { projectFolder } from '../tools/paths.ts';
import { until, withWorkbench } from '../tools/workbench.ts';
import { TimelinePane } from './timelinePane.ts';

const settings = `{
  // mine
  "theme": "Dracula",
  "hooks": { "AfterAgent": [ { "hooks": [ { "type": "command", "command": "true" } ] } ] },
}
`;

test('without a folder the view offers to open one', async (t) => {
  await withWorkbench(t.name, { install: [projectFolder] }, async (workbench) => {
    await workbench.openContainer('Memcode');
    const welcome = workbench.page.locator('.welcome-view-content');
    await welcome.getByRole('button', { name: 'Open Folder' }).waitFor();
    assert.match((await welcome.allInnerTexts()).join(' '), /Every turn of a coding agent/);
  });
});

test('connects an agent, shows its first turn, and takes exactly the hooks out again', async (t) => {
  const folder = await fs.mkdtemp(path.join(os.tmpdir(), 'memcode-e2e-'));
  t.after(() => fs.rm(folder, { recursive: true, force: true, maxRetries: 10 }));
  const demo = await makeSample(folder);
  const file = path.join(demo.home, '.gemini/settings.json');
  await fs.mkdir(path.dirname(file));
  await fs.writeFile(file, settings);
  const options = {
    workspace: demo.workspace,
    install: [projectFolder],
    env: demoEnvironment(demo),
  };
  await withWorkbench(t.name, options, async (workbench) => {
    await workbench.openContainer('Memcode');
    const welcome = workbench.page.locator('.welcome-view-content');
    await welcome.getByRole('button', { name: 'Connect Agent' }).click();
    assert.equal((await workbench.picks())[0], 'Gemini CLI', 'what is installed comes first');
    await workbench.pick('Gemini CLI');
    await workbench.pick('User settings');
    const question = await workbench.notification('Connect Gemini CLI?');
    await workbench.screenshot('question before connecting');
    assert.ok(question.includes(file), question);
    assert.deepEqual(await workbench.editorTabs(), ['settings.json (now ↔ connected)']);
    const change = workbench.page.locator('.monaco-diff-editor .modified .view-line');
    await change.filter({ hasText: 'memcode-timeline' }).first().click();
    await workbench.answerNotification('Connect Gemini CLI?', 'Cancel');
    await workbench.showsNoEditors();
    assert.equal(await fs.readFile(file, 'utf8'), settings, 'cancelled: nothing written');

    await workbench.runCommand('Memcode: Connect Agent…');
    await workbench.pick('Gemini CLI');
    await workbench.pick('User settings');
    await workbench.answerNotification('Connect Gemini CLI?', 'Connect');
    await workbench.notification('Gemini CLI is connected');
    assert.match(await fs.readFile(file, 'utf8'), /\/\/ mine[\s\S]*memcode-timeline/);
    await workbench.screenshot('connected, no turn yet');

    await replayTurns(demo, readScenario().slice(0, 1));
    await new TimelinePane(workbench).showsTurns([1]);

    await workbench.runCommand('Memcode: Disconnect Agent…');
    await workbench.pick('Gemini CLI');
    await workbench.notification('Disconnect Gemini CLI?');
    await workbench.pressInEditorTitle('Go On with What Is Shown');
    await until(
      'the settings as they were',
      async () => (await fs.readFile(file, 'utf8')) === settings || undefined,
    );
  });
});
