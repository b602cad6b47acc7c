/** Memory in a real VS Code: what agents see of it, in an editor. */
import assert from 'node:assert/strict';
import fs from 'node:fs/promises';
import path from 'node:path';
import { test } from 'node:test';
import { demoEnvironment } from '../demo/prepareDemo.ts';
import { projectFolder } from '../tools/paths.ts';
import { until, withWorkbench } from '../tools/workbench.ts';
import { sampleProject, withDemoWindow } from './demoWindow.ts';

test('what an agent sees opens in an editor, with sizes and sources', async (t) => {
  const demo = await sampleProject(t);
  const facts = path.join(demo.timelineHome, 'memory/facts/profile');
  await fs.mkdir(path.dirname(facts), { recursive: true });
  await fs.writeFile(facts, 'favourite: heliotrope\n');
  await fs.writeFile(path.join(demo.workspace, 'AGENTS.md'), 'Prefer marigold.\n@more.md\n');
  await fs.writeFile(path.join(demo.workspace, 'more.md'), 'Or larkspur.\n');
  await withDemoWindow(t, demo, async (workbench) => {
    await workbench.runCommand('Memcode: Show What Agents See');
    await workbench.pick('Gemini CLI', 'Show What Agents See');
    const lines = workbench.page.locator('.editor-group-container.active .view-lines');
    const text = await until('the text', async () => {
      const shown = ((await lines.first().textContent()) ?? '').replaceAll('\u00a0', ' ');
      return shown.includes('larkspur') ? shown : undefined;
    });
    await workbench.screenshot('what Gemini CLI sees');
    for (const words of [
      'What Gemini CLI is given when a session starts here',
      'fact profile: 21 bytes',
      'favourite: heliotrope',
      'Prefer marigold.',
    ])
      assert.ok(text.includes(words), `${words} in ${text}`);
    const [tab] = await workbench.editorTabs();
    assert.match(tab ?? '', /^Seen by Gemini CLI/);
  });
});

test('nothing of a folder in restricted mode is given to agents', async (t) => {
  const demo = await sampleProject(t);
  await fs.writeFile(path.join(demo.workspace, 'AGENTS.md'), 'Prefer marigold.\n');
  const options = {
    workspace: demo.workspace,
    install: [projectFolder],
    env: demoEnvironment(demo),
    trust: true,
  };
  await withWorkbench(t.name, options, async (workbench) => {
    const trust = path.join(demo.timelineHome, 'memory/trust.json');
    const noted = await until('what is noted of the folder', async () => {
      const text = await fs.readFile(trust, 'utf8').catch(() => undefined);
      return text;
    });
    assert.deepEqual(JSON.parse(noted), { [demo.workspace]: 'restricted' });
    await workbench.runCommand('Memcode: Show What Agents See');
    await workbench.pick('Gemini CLI', 'Show What Agents See');
    const lines = workbench.page.locator('.editor-group-container.active .view-lines');
    const text = await until('the text', async () => {
      const shown = ((await lines.first().textContent()) ?? '').replaceAll('\u00a0', ' ');
      return shown.includes('This folder is not trusted') ? shown : undefined;
    });
    assert.doesNotMatch(text, /marigold/);
    await workbench.screenshot('what Gemini CLI sees in restricted mode');
  });
});
