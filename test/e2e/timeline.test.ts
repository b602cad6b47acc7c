/** The timeline in a real VS Code, clicked as a person would: looking, rewinding, undoing. */
import assert from 'node:assert/strict';
import fs from 'node:fs/promises';
import path from 'node:path';
import { test } from 'node:test';
import { replayTurns } from '../demo/prepareDemo.ts';
import { readScenario } from '../demo/scenario.ts';
import { until } from '../tools/workbench.ts';
import { filesOf, sampleProject, withDemoWindow } from './demoWindow.ts';

const turns = readScenario();

test('steps through the turns and reads what each changed', async (t) => {
  const demo = await sampleProject(t);
  await replayTurns(demo, turns);
  const before = await filesOf(demo.workspace);
  await withDemoWindow(t, demo, async (workbench, timeline) => {
    await timeline.open();
    await timeline.showsTurns([5, 4, 3, 2, 1]);
    assert.deepEqual(
      (await timeline.turns()).map(({ prompt }) => prompt),
      turns.map(({ prompt }) => prompt).toReversed(),
    );
    await timeline.showsCurrent(5, 5);
    await workbench.statusItem('tally · turn 5/5').waitFor();

    await timeline.previous();
    await timeline.previous();
    await timeline.showsCurrent(3, 5);
    await timeline.next();
    await timeline.showsCurrent(4, 5);
    await workbench.runCommand('Memcode: Previous Turn');
    await timeline.showsCurrent(3, 5);
    await workbench.statusItem('tally · turn 3/5').waitFor();

    assert.deepEqual(await timeline.expand(3), ['src/cli.js', 'src/columns.js']);
    await timeline.openDiff(3, 'src/cli.js');
    const diff = workbench.page.locator('.editor-group-container.active .monaco-diff-editor');
    await diff.locator('.modified .view-line', { hasText: 'columns([' }).waitFor();
    await diff.locator('.original .view-line', { hasText: 'words`' }).waitFor();
    assert.deepEqual(await workbench.editorTabs(), ['cli.js (turn 3)']);
    await workbench.screenshot('diff of a file');

    await timeline.openChanges(3);
    await until(
      'all changes of turn 3',
      async () =>
        (await workbench.editorTabs()).some((tab) => tab.startsWith('Turn 3: ')) || undefined,
    );
    const multi = workbench.page.locator('.multiDiffEntry');
    await multi.filter({ hasText: 'columns.js' }).first().waitFor();
    assert.equal(await multi.count(), 2);
    await workbench.screenshot('changes of a turn');

    const showsChangesOf = (number: number): Promise<true> =>
      until(`just the changes of turn ${number}`, async () => {
        const [tab = '', ...others] = await workbench.editorTabs();
        return (tab.startsWith(`Turn ${number}: `) && others.length === 0) || undefined;
      });
    await timeline.next();
    await showsChangesOf(4);
    await timeline.hasKeyboard();
    await workbench.page.keyboard.press('[');
    await showsChangesOf(3);
    await timeline.showsCurrent(3, 5);
    await timeline.openChanges(5);
    await showsChangesOf(5);
    await timeline.showsCurrent(5, 5);
  });
  assert.deepEqual(await filesOf(demo.workspace), before, 'looking changes nothing');
});

test('rewinds after a question that names the files, and undoes it, byte for byte', async (t) => {
  const demo = await sampleProject(t);
  await replayTurns(demo, turns.slice(0, 2));
  const afterTwo = await filesOf(demo.workspace);
  await replayTurns(demo, turns.slice(2));
  const afterFive = await filesOf(demo.workspace);
  await withDemoWindow(t, demo, async (workbench, timeline) => {
    await timeline.open();
    await timeline.showsTurns([5, 4, 3, 2, 1]);

    await timeline.rewind(3);
    const question = await workbench.dialog();
    await workbench.screenshot('question before a rewind');
    assert.equal(question.message, 'Rewind to before turn 3?');
    for (const line of [
      /restore README\.md/,
      /restore src\/cli\.js/,
      /delete data\/second\.txt/,
      /delete src\/columns\.js/,
    ])
      assert.match(question.detail, line);
    await workbench.answerDialog('Cancel');
    assert.deepEqual(await filesOf(demo.workspace), afterFive, 'cancelled: nothing changed');

    await timeline.rewind(3);
    await workbench.dialog();
    await workbench.answerDialog('Rewind');
    await workbench.notification('Rewound to before turn 3: 4 files changed.');
    assert.deepEqual(await filesOf(demo.workspace), afterTwo);
    await timeline.showsTakenBack([5, 4, 3]);
    await workbench.screenshot('after a rewind');

    await workbench.answerNotification('Rewound to before turn 3', 'Undo');
    await workbench.notification('The rewind is undone: 4 files changed.');
    assert.deepEqual(await filesOf(demo.workspace), afterFive);
    await timeline.showsTakenBack([]);

    await workbench.runCommand('Memcode: Rewind to Turn…');
    await workbench.pick('Turn 3: ');
    await workbench.dialog();
    await workbench.answerDialog('Rewind');
    await timeline.showsTakenBack([5, 4, 3]);
    assert.deepEqual(await filesOf(demo.workspace), afterTwo);
    await timeline.undo();
    await timeline.showsTakenBack([]);
    assert.deepEqual(await filesOf(demo.workspace), afterFive);
  });
});

test('keeps what people changed, on disk and in editors', async (t) => {
  const demo = await sampleProject(t);
  await replayTurns(demo, turns);
  const readme = path.join(demo.workspace, 'README.md');
  await fs.appendFile(readme, 'Written by hand.\n');
  const mine = await fs.readFile(readme, 'utf8');
  const program = await fs.readFile(path.join(demo.workspace, 'src/cli.js'), 'utf8');
  await withDemoWindow(t, demo, async (workbench, timeline) => {
    await workbench.openFile('src/cli.js');
    await workbench.page.keyboard.press('ControlOrMeta+Home');
    await workbench.page.keyboard.type('// typed, not saved\n');
    await timeline.open();
    await timeline.showsTurns([5, 4, 3, 2, 1]);

    await timeline.rewind(3);
    const question = await workbench.dialog();
    await workbench.screenshot('question with conflicts');
    assert.match(question.detail, /editor has unsaved changes[\s\S]*src\/cli\.js/);
    assert.match(question.detail, /README\.md/);
    await workbench.answerDialog('Show Preview');
    await workbench.notification('Not among it, since kept unless you choose otherwise: ');
    await until(
      'the preview of the two files that would change',
      async () =>
        (await workbench.editorTabs()).includes('Now ↔ before turn 3 (2 files)') || undefined,
    );
    await workbench.screenshot('preview of a rewind');
    await workbench.pressInEditorTitle('Go On with What Is Shown');
    await workbench.dialog();
    await workbench.answerDialog('Rewind and Keep My Changes');
    await workbench.notification('2 files kept as you left');
    await until(
      'the mark of what was kept',
      async () =>
        (await timeline.marks(3)).includes('Taken back in part: 2 files kept') || undefined,
    );
    assert.equal((await workbench.editorTabs()).length, 1, 'the preview went with the rewind');

    assert.equal(await fs.readFile(readme, 'utf8'), mine);
    assert.equal(await fs.readFile(path.join(demo.workspace, 'src/cli.js'), 'utf8'), program);
    const rest = Object.keys(await filesOf(demo.workspace));
    assert.ok(!rest.includes('src/columns.js') && !rest.includes('data/second.txt'), String(rest));
    const editor = workbench.page.locator('.editor-group-container.active .view-lines');
    await editor.filter({ hasText: 'typed, not saved' }).waitFor();
  });
});

test('shows a turn that another process records, and stays where it was over a reload', async (t) => {
  const demo = await sampleProject(t);
  await replayTurns(demo, turns.slice(0, 4));
  await withDemoWindow(t, demo, async (workbench, timeline) => {
    await timeline.open();
    await timeline.showsTurns([4, 3, 2, 1]);
    await replayTurns(demo, turns.slice(4));
    await timeline.showsTurns([5, 4, 3, 2, 1]);
    await timeline.previous();
    await timeline.previous();
    await timeline.showsCurrent(3, 5);
    await workbench.reload();
    await timeline.showsTurns([5, 4, 3, 2, 1]);
    await timeline.showsCurrent(3, 5);
  });
});
