/** Conversations in a real VS Code: old sessions imported, searched, read whole. */
import assert from 'node:assert/strict';
import fs from 'node:fs/promises';
import path from 'node:path';
import { test } from 'node:test';
import type { Demo } from '../demo/prepareDemo.ts';
import { until, type Workbench } from '../tools/workbench.ts';
import { filesOf, sampleProject, withDemoWindow } from './demoWindow.ts';

const session = 'c2f66677-e59e-40ff-8b01-7d9c544c6312';
const transcripts = path.join(import.meta.dirname, '..', 'fixtures', 'transcripts');

test('old sessions are imported, found by a word, and read whole', async (t) => {
  const demo = await sampleProject(t);
  const folder = await putTranscript(demo, await transcriptOf(demo));
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

test('another branch of an imported session is looked at, its mirror opens in a terminal', async (t) => {
  const demo = await sampleProject(t);
  await putTranscript(demo, forked(await transcriptOf(demo)));
  await withDemoWindow(t, demo, async (workbench, timeline) => {
    await workbench.runCommand('Memcode: Import Sessions…');
    await workbench.notification('3 turns of 1 session imported from 1 transcript.');
    await timeline.open();
    await workbench.runCommand('Memcode: Switch Branch…');
    await workbench.pick('Make the greeting friendlier', 'Switch Branch');
    await until('both branches', async () => {
      const picks = await workbench.picks('Switch Branch');
      return (
        (picks.includes('main') && picks.some((name) => name.startsWith('retry-'))) || undefined
      );
    });
    await workbench.screenshot('branches to look at');
    await workbench.pick('second turn: say goodbye');
    assert.match(
      await workbench.notification('Looking at main'),
      /, turn 2 of 2\. The next prompt/,
    );

    await workbench.runCommand('Memcode: Show Session History…');
    await workbench.pick('Make the greeting friendlier', 'Show Session History');
    await shows(workbench, 'goes on from turn 1');
    await workbench.screenshot('history of a session with branches');

    await workbench.runCommand('Memcode: Open Session Mirror in Terminal');
    await workbench.pick('Make the greeting friendlier', 'Open Session Mirror in Terminal');
    await workbench.page.locator('.terminal-wrapper.active .xterm-screen').waitFor();
    const mirrors = await fs.readdir(path.join(demo.timelineHome, 'sessions'));
    assert.deepEqual(mirrors, [session]);
    await workbench.page.keyboard.type('pwd > where.txt\n');
    const where = path.join(demo.timelineHome, 'sessions', session, 'where.txt');
    const folder = await until('the terminal in the mirror', async () => {
      const text = await fs.readFile(where, 'utf8').catch(() => '');
      return text.trim() || undefined;
    });
    assert.equal(folder, path.dirname(where));
    await workbench.screenshot('mirror of a session in a terminal');
  });
});

/** As Claude Code has it for the sample project. */
async function transcriptOf({ workspace }: Demo): Promise<string> {
  const text = await fs.readFile(path.join(transcripts, 'claude.jsonl'), 'utf8');
  return text.replaceAll('"cwd":"/repo"', `"cwd":${JSON.stringify(workspace)}`);
}

/** @returns the folder it lies in. */
async function putTranscript({ home }: Demo, text: string): Promise<string> {
  const folder = path.join(home, '.claude', 'projects', '-tally');
  await fs.mkdir(folder, { recursive: true });
  await fs.writeFile(path.join(folder, `${session}.jsonl`), text);
  return folder;
}

/** Somebody asked something else instead of the second prompt. */
function forked(transcript: string): string {
  const lines = transcript.trimEnd().split('\n');
  const withText = (text: string): Record<string, unknown> => {
    const line = lines.findLast((one) => one.includes(text) && one.includes('"parentUuid"'));
    return JSON.parse(line ?? '{}');
  };
  const prompt = withText('"content":"second turn: say goodbye"');
  const reply = withText('Second turn done.');
  const records = [
    {
      ...{ ...prompt, uuid: 'other-prompt', promptId: 'other' },
      message: { role: 'user', content: 'Say nothing instead' },
    },
    { ...reply, uuid: 'other-reply', parentUuid: 'other-prompt' },
  ];
  return `${[...lines, ...records.map((record) => JSON.stringify(record))].join('\n')}\n`;
}

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
