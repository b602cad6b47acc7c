/** Snapshots in a real VS Code: taken by hand, compared with the present, gone back to, undone. */
import assert from 'node:assert/strict';
import fs from 'node:fs/promises';
import path from 'node:path';
import { test } from 'node:test';
import { replayTurns } from '../demo/prepareDemo.ts';
import { readScenario } from '../demo/scenario.ts';
import { until } from '../tools/workbench.ts';
import { filesOf, sampleProject, withDemoWindow } from './demoWindow.ts';

test('a snapshot by hand: compared with, gone back to, and back again', async (t) => {
  const demo = await sampleProject(t);
  await replayTurns(demo, readScenario());
  const before = await filesOf(demo.workspace);
  await withDemoWindow(t, demo, async (workbench, timeline) => {
    await timeline.open();
    await timeline.showsTurns([5, 4, 3, 2, 1]);
    await workbench.runCommand('Memcode: Create Snapshot…');
    await workbench.answerInput('Create Snapshot', 'good state');
    assert.match(await workbench.notification('Snapshot taken'), /^Snapshot taken: \d+ files\./);
    await timeline.showsSnapshots(['good state']);
    await workbench.screenshot('snapshot taken');

    await fs.rm(path.join(demo.workspace, 'src'), { recursive: true });
    await fs.writeFile(path.join(demo.workspace, 'README.md'), 'Nothing is left.\n');
    await fs.mkdir(path.join(demo.workspace, 'mess'));
    await fs.writeFile(path.join(demo.workspace, 'mess', 'new.txt'), 'new\n');
    const messy = await filesOf(demo.workspace);

    await workbench.runCommand('Memcode: Compare with Snapshot…');
    await workbench.pick('good state');
    await until(
      'the changes since',
      async () =>
        (await workbench.editorTabs()).some((tab) => tab.includes('good state')) || undefined,
    );
    const multi = workbench.page.locator('.multiDiffEntry');
    await multi.filter({ hasText: 'README.md' }).first().waitFor();
    await workbench.screenshot('compared with a snapshot');
    assert.deepEqual(await filesOf(demo.workspace), messy, 'looking changes nothing');

    await workbench.runCommand('Memcode: Restore Snapshot…');
    await workbench.screenshot('snapshots to pick from');
    await workbench.pick('good state');
    const question = await workbench.dialog();
    await workbench.screenshot('question before a snapshot is restored');
    assert.match(question.message, /^Restore the snapshot “good state”/);
    assert.match(question.detail, /restore README\.md/);
    assert.match(question.detail, /delete mess\/new\.txt/);
    await workbench.answerDialog('Restore');
    await workbench.notification('The folder is back to “good state”');
    assert.deepEqual(await filesOf(demo.workspace), before);

    await workbench.answerNotification('The folder is back to', 'Undo');
    await workbench.notification('The restore is undone');
    assert.deepEqual(await filesOf(demo.workspace), messy);
  });
});
