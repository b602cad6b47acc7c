/** After a crash, with several folders, and when saved states are gone: in a real VS Code. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import fs from 'node:fs/promises';
import path from 'node:path';
import { test } from 'node:test';
import { openTimelineApp } from '../../src/app/openTimelineApp.ts';
import { type Demo, demoEnvironment, makeSample, replayTurns } from '../demo/prepareDemo.ts';
import { readScenario } from '../demo/scenario.ts';
import { projectFolder } from '../tools/paths.ts';
import { until, withWorkbench } from '../tools/workbench.ts';
import { filesOf, sampleProject, withDemoWindow } from './demoWindow.ts';
import { TimelinePane } from './timelinePane.ts';

const turns = readScenario();

/** A rewind in a process that is killed when all files are changed and nothing is recorded. */
async function killedRewind(demo: Demo, turn: number): Promise<void> {
  const program = path.join(projectFolder, 'test/helpers/killedRewind.ts');
  const args = [program, demo.timelineHome, demo.workspace, String(turn)];
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'inherit', 'inherit'] });
  const [status, signal] = await once(child, 'exit');
  assert.deepEqual([status, signal], [null, 'SIGKILL']);
}

for (const [answer, number] of [
  ['Roll Back', 5],
  ['Finish', 2],
] as const)
  test(`a rewind that a crash cut short is asked about once: ${answer}`, async (t) => {
    const demo = await sampleProject(t);
    await replayTurns(demo, turns.slice(0, 2));
    const afterTwo = await filesOf(demo.workspace);
    await replayTurns(demo, turns.slice(2));
    const afterFive = await filesOf(demo.workspace);
    await killedRewind(demo, 3);
    assert.deepEqual(await filesOf(demo.workspace), afterTwo);
    await withDemoWindow(t, demo, async (workbench, timeline) => {
      await timeline.open();
      await timeline.showsTurns([5, 4, 3, 2, 1]);
      const question = await workbench.notification('was cut short');
      assert.match(question, /^A rewind of 4 files in .+ was cut short\. Finish it, or put/);
      await workbench.screenshot('question after a crash');
      await timeline.rewind(5);
      await workbench.notification('An earlier operation was cut short.');
      await workbench.answerNotification('Finish it, or put everything back?', answer);
      await timeline.showsTakenBack(answer === 'Finish' ? [5, 4, 3] : []);
      await timeline.showsCurrent(number, 5);
      assert.deepEqual(await filesOf(demo.workspace), answer === 'Finish' ? afterTwo : afterFive);
      await workbench.reload();
      await timeline.showsTurns([5, 4, 3, 2, 1]);
      assert.deepEqual(
        (await workbench.notifications()).filter((message) => message.includes('was cut short')),
        [],
      );
    });
  });

test('two folders in one window have a store each, and a rewind stays in its own', async (t) => {
  const demo = await sampleProject(t);
  const other = await makeSample(path.join(demo.folder, 'second'));
  const second: Demo = { ...demo, workspace: path.join(demo.folder, 'other') };
  await fs.rename(other.workspace, second.workspace);
  await replayTurns(demo, turns.slice(0, 1), 'in tally');
  const before = await filesOf(second.workspace);
  await replayTurns(second, turns.slice(0, 2), 'in other');
  const workspace = path.join(demo.folder, 'both.code-workspace');
  const folders = [{ path: 'tally' }, { path: 'other' }];
  await fs.writeFile(workspace, JSON.stringify({ folders }));
  const tally = await filesOf(demo.workspace);
  const options = { workspace, install: [projectFolder], env: demoEnvironment(demo) };
  await withWorkbench(t.name, options, async (workbench) => {
    const timeline = new TimelinePane(workbench);
    await timeline.open();
    await timeline.showsTurns([2, 1]);
    await workbench.statusItem('other · turn 2/2').waitFor();
    await timeline.rewind(1);
    await workbench.dialog();
    await workbench.answerDialog('Rewind');
    await timeline.showsTakenBack([2, 1]);
    assert.deepEqual(await filesOf(second.workspace), before);
    assert.deepEqual(await filesOf(demo.workspace), tally);

    await workbench.runCommand('Memcode: Select Session…');
    await workbench.pick('tally', 'Select Session');
    await timeline.showsTurns([1]);
    await workbench.statusItem('tally · turn 1/1').waitFor();
    await timeline.chooseOfTurn(1, 'Revert This Turn…');
    await workbench.dialog();
    await workbench.answerDialog('Revert');
    await timeline.showsTakenBack([1]);
    await workbench.runCommand('Memcode: Operations…');
    const listed = await workbench.picks('Operations');
    assert.deepEqual(
      listed.filter((label) => /^Re(wound|verted)/.test(label)),
      ['Reverted turn 1', 'Rewound to before turn 1'],
    );
    await workbench.screenshot('operations of two folders');
    await workbench.pick('Rewound to before turn 1', 'Operations');
    await workbench.dialog();
    await workbench.answerDialog('Undo');
    await until(
      'the work in the other folder',
      () => existsSync(path.join(second.workspace, 'test/count.test.js')) || undefined,
    );
    await timeline.showsTakenBack([1]);
  });
});

test('turns whose saved states are gone say so, and offer no way back', async (t) => {
  const demo = await sampleProject(t);
  await replayTurns(demo, turns);
  const app = openTimelineApp({
    home: demo.timelineHome,
    now: Date.now,
    log: () => undefined,
    retention: () => ({ maxBytes: 1, maxAgeDays: 0 }),
  });
  await replayTurns(demo, [{ ...turns[1]!, steps: [] }], 'a newer session');
  app.ingest();
  app.dispose();
  await withDemoWindow(t, demo, async (workbench, timeline) => {
    await timeline.open();
    await workbench.runCommand('Memcode: Select Session…');
    await workbench.pick('Count lines', 'Select Session');
    await timeline.showsTurns([5, 4, 3, 2, 1]);
    assert.deepEqual(await timeline.marks(4), ['States removed']);
    await workbench.screenshot('turns whose states are removed');
    assert.match(await timeline.rewindLabel(4), /cannot be rewound: Its saved states were removed/);
    await timeline.openMenu(4);
    const items = await workbench.menuItems();
    assert.ok(items.includes('Show Turn Changes'));
    assert.deepEqual(
      items.filter((item) => /Rewind|Revert|Restore/.test(item)),
      [],
    );
  });
});
