/** Conversations in a real VS Code: old sessions imported, searched, read whole. */
import assert from 'node:assert/strict';
import fs from 'node:fs/promises';
import path from 'node:path';
import { test } from 'node:test';
import { until, type Workbench } from '../tools/workbench.ts';
import { filesOf, sampleProject, withDemoWindow } from './demoWindow.ts';

const transcripts = path.join(import.meta.dirname, '..', 'fixtures', 'transcripts');

test('old sessions are imported, found by a word, and read whole', async (t) => {
  const demo = await sampleProject(t);
  const folder = path.join(demo.home, '.claude', 'projects', '-tally');
  await fs.mkdir(folder, { recursive: true });
  const transcript = await fs.readFile(path.join(transcripts, 'claude.jsonl'), 'utf8');
  await fs.writeFile(
    path.join(folder, 'c2f66677-e59e-40ff-8b01-7d9c544c6312.jsonl'),
    transcript.replaceAll('"cwd":"/repo"', `"cwd":${JSON.stringify(demo.workspace)}`),
  );
  await fs.writeFile(path.join(folder, 'broken.jsonl'), 'no record\n');
  const before = await filesOf(demo.workspace);
  await withDemoWindow(t, demo, async (workbench, timeline) => {
    await workbench.runCommand('Memcode: Import Sessions…');
    const told = await workbench.notification('imported from');
    assert.match(
      told,
      /^2 turns of 1 session imported from 2 transcripts\. 1 transcript could not/,
    );
    await workbench.screenshot('sessions imported');
    await workbench.answerNotification('imported from', 'Show Report');
    await showsTab(workbench, 'Imported Sessions.md');
    await shows(workbench, 'broken.jsonl');
    await timeline.open();
    await timeline.showsTurns([2, 1]);

    await workbench.runCommand('Memcode: Search Sessions…');
    await workbench.typeInto('Search Sessions', 'friendl');
    await workbench.picks('Search Sessions');
    await workbench.screenshot('search over sessions');
    await workbench.pick('Make the greeting friendlier', 'Search Sessions');
    await showsTab(workbench, 'Turn 1 prompt.md');
    await shows(workbench, 'Make the greeting friendlier');

    await workbench.runCommand('Memcode: Show Session History…');
    await workbench.pick('Make the greeting friendlier', 'Show Session History');
    await showsTab(workbench, 'Make the greeting friendlier.md');
    await shows(workbench, '### Reply');
    await workbench.screenshot('history of a session');
    assert.deepEqual(await filesOf(demo.workspace), before, 'looking changes nothing');
  });
});

async function showsTab({ page }: Workbench, name: string): Promise<void> {
  await page.locator(`.tab.active[data-resource-name="${name}"]`).waitFor();
}

/** Somewhere in the active editor. */
async function shows(workbench: Workbench, text: string): Promise<void> {
  await until(`the text ${text}`, async () => {
    const lines = await workbench.page
      .locator('.editor-group-container.active .view-lines')
      .allInnerTexts();
    return lines.join('\n').replaceAll('\u00a0', ' ').includes(text) || undefined;
  });
}
