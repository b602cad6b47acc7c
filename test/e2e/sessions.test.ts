/** Conversations in a real VS Code: old sessions imported, searched, read whole. */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import fs from 'node:fs/promises';
import path from 'node:path';
import { test } from 'node:test';
import { promisify } from 'node:util';
import { type Demo, replayTurns } from '../demo/prepareDemo.ts';
import { readScenario } from '../demo/scenario.ts';
import { until, type Workbench } from '../tools/workbench.ts';
import { filesOf, sampleProject, withDemoWindow } from './demoWindow.ts';
import { HistoryTab } from './historyTab.ts';

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
    const history = new HistoryTab(workbench);
    await history.showsTurns(['2 second turn: say goodbye', '1 Make the greeting friendlier']);
    await history.showsPosition('turn 2 / 2');
    await history.openTurn('Make the greeting');
    await history.reads('Turn 1 · main');
    await workbench.screenshot('history of a session');
    await history.search('goodbye', 2);
    await history.openHit('second turn');
    await history.reads('Second turn done.');
    await workbench.screenshot('search in a history');
    await history.endSearch();
    await history.press('Open as Text');
    await showsTab(workbench, 'Make the greeting friendlier.md');
    await shows(workbench, '### Reply');
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
    const history = new HistoryTab(workbench);
    await history.showsTurns([
      '2 Say nothing instead',
      '2 second turn: say goodbye',
      '1 Make the greeting friendlier',
    ]);
    assert.match(
      (await history.chips()).join('\n'),
      /^retry-\S+, from turn 1\nmain, from the beginning$/,
    );
    await history.chooseBranch('retry-');
    await history.reads('Say nothing instead');
    await workbench.screenshot('history of a session with branches');

    await workbench.runCommand('Memcode: Open Session Mirror in Terminal');
    const terminal = workbench.page.locator('.terminal-wrapper.active');
    await terminal.locator('.xterm-screen').click();
    await terminal.locator('.xterm.focus').waitFor();
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

    const remote = path.join(demo.home, 'backup.git');
    await workbench.runCommand('Memcode: Push Session Mirror To…');
    await workbench.answerInput('Push Session Mirror To', remote);
    await workbench.notification('The mirror could not be pushed to');
    await promisify(execFile)('git', ['init', '--quiet', '--bare', remote]);
    await workbench.runCommand('Memcode: Push Session Mirror To…');
    await workbench.answerInput('Push Session Mirror To', remote);
    await until(
      'both branches pushed',
      async () => (await branchesIn(remote)).length === 2 || undefined,
    );
    await workbench.listedNotification('Pushed to');
  });
});

test('going back in a history, and a new prompt: a branch in both stores', async (t) => {
  const demo = await sampleProject(t);
  const turns = readScenario();
  await replayTurns(demo, turns.slice(0, 3));
  const prompts = turns.map(({ prompt }, i) => `${i + 1} ${prompt}`);
  const before = await filesOf(demo.workspace);
  await withDemoWindow(t, demo, async (workbench, timeline) => {
    await timeline.open();
    await timeline.showsTurns([3, 2, 1]);
    await timeline.showHistory();
    const history = new HistoryTab(workbench);
    await history.showsTurns(prompts.slice(0, 3).toReversed());
    await history.showsPosition('turn 3 / 3');
    await history.press('Let the next prompt go on one turn earlier');
    await history.showsPosition('turn 2 / 3');
    await history.reads(turns[1]?.prompt ?? '');
    await history.press('Let the next prompt go on one turn earlier');
    await history.showsPosition('turn 1 / 3');
    await history.press('Let the next prompt go on one turn later');
    await history.showsPosition('turn 2 / 3');
    await history.press('Let the next prompt go on one turn earlier');
    await history.showsPosition('turn 1 / 3');
    await timeline.showsCurrent(1, 3);
    await workbench.screenshot('looking back in a history');
    assert.deepEqual(await filesOf(demo.workspace), before, 'looking changes nothing');

    await replayTurns(demo, turns.slice(3, 4));
    await history.showsPosition('turn 2 / 2');
    await history.showsTurns([`2 ${turns[3]?.prompt}`, ...prompts.slice(0, 3).toReversed()]);
    const [fork = ''] = await history.chips();
    assert.match(fork, /^retry-\S+, from turn 1$/);
    await workbench.screenshot('a branch after going back');
    const [mirror = ''] = await fs.readdir(path.join(demo.timelineHome, 'sessions'));
    const branch = fork.replace(', from turn 1', '');
    await until('the branch in the mirror', async () => {
      const folder = path.join(demo.timelineHome, 'sessions', mirror, '.git');
      return (await branchesIn(folder)).join() === `main,${branch}` || undefined;
    });
  });
});

test('a history comes back when the window is loaded again', async (t) => {
  const demo = await sampleProject(t);
  await replayTurns(demo, readScenario().slice(0, 2));
  await withDemoWindow(t, demo, async (workbench, timeline) => {
    await timeline.open();
    await timeline.showsTurns([2, 1]);
    await timeline.showHistory();
    const history = new HistoryTab(workbench);
    await history.showsPosition('turn 2 / 2');
    await workbench.reload();
    await history.showsPosition('turn 2 / 2');
  });
});

async function branchesIn(repository: string): Promise<readonly string[]> {
  const { stdout } = await promisify(execFile)('git', [
    ...['--git-dir', repository, 'for-each-ref', '--format=%(refname:short)', 'refs/heads'],
  ]);
  return stdout.trim().split('\n');
}

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
