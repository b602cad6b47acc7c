/** Conflicts, merges, and taking back just a part, in a real VS Code, clicked as a person would. */
import assert from 'node:assert/strict';
import fs from 'node:fs/promises';
import path from 'node:path';
import { test } from 'node:test';
import { type Demo, replayTurns } from '../demo/prepareDemo.ts';
import { readScenario } from '../demo/scenario.ts';
import { until, type Workbench } from '../tools/workbench.ts';
import { filesOf, sampleProject, withDemoWindow } from './demoWindow.ts';

const turns = readScenario();

/** A file of the sample project, to be read and written as people do. */
function fileOf(demo: Demo, name: string) {
  const file = path.join(demo.workspace, name);
  return {
    text: () => fs.readFile(file, 'utf8'),
    put: (text: string) => fs.writeFile(file, text),
    /** Waits until it holds the text, or what the pattern matches. */
    holds: (wanted: string | RegExp) =>
      until(`${name} with ${wanted}`, async () => {
        const text = await fs.readFile(file, 'utf8');
        return (typeof wanted === 'string' ? text === wanted : wanted.test(text)) || undefined;
      }),
  };
}

/** In the list of files in conflict. */
async function choose(workbench: Workbench, file: string, choice: string): Promise<void> {
  await workbench.pick(file);
  await workbench.pick(choice, file);
}

test('a choice for each file: merged, put back, kept; unsaved text takes part', async (t) => {
  const demo = await sampleProject(t);
  await replayTurns(demo, turns.slice(0, 2));
  const afterTwo = await filesOf(demo.workspace);
  await replayTurns(demo, turns.slice(2));
  const readme = fileOf(demo, 'README.md');
  const columns = fileOf(demo, 'src/columns.js');
  const poem = fileOf(demo, 'data/second.txt');
  await readme.put((await readme.text()).replace('# tally', '# My tally'));
  await columns.put(`${await columns.text()}// mine\n`);
  await withDemoWindow(t, demo, async (workbench, timeline) => {
    await workbench.openFile('data/second.txt');
    await workbench.page.keyboard.press('ControlOrMeta+Home');
    await workbench.page.keyboard.type('Typed. ');
    await timeline.open();
    await timeline.showsTurns([5, 4, 3, 2, 1]);

    await timeline.rewind(3);
    const question = await workbench.dialog();
    assert.equal(question.buttons.at(-1), 'Show Preview', 'Enter only looks');
    await workbench.answerDialog('Choose for Each File…');
    await workbench.screenshot('choices for files in conflict');
    await choose(workbench, 'README.md', 'Merge');
    await choose(workbench, 'src/columns.js', 'Take the Old State');
    await workbench.pick('Rewind with These Choices');
    await workbench.notification(
      'Rewound to before turn 3: 3 files changed. 1 file merged. 1 file kept',
    );

    assert.equal(
      await readme.text(),
      afterTwo['README.md']?.replace(/^\d+ /, '').replace('# tally', '# My tally'),
    );
    assert.ok(!Object.keys(await filesOf(demo.workspace)).includes('src/columns.js'));
    const editor = workbench.page.locator('.editor-group-container.active .view-lines');
    await editor.filter({ hasText: 'Typed. Two' }).waitFor();
    assert.doesNotMatch(await poem.text(), /Typed/, 'kept: not even saved');

    await workbench.answerNotification('Rewound to before turn 3', 'Undo');
    await workbench.notification('The rewind is undone: 3 files changed.');
    assert.match(await readme.text(), /# My tally[\s\S]*all files together/);
    assert.match(await columns.text(), /\/\/ mine/);
  });
});

test('an unsaved editor gives way: it shows the disk, and undo brings its text back', async (t) => {
  const demo = await sampleProject(t);
  await replayTurns(demo, turns.slice(0, 3));
  const afterThree = await filesOf(demo.workspace);
  await replayTurns(demo, turns.slice(3));
  const program = fileOf(demo, 'src/cli.js');
  const left = await program.text();
  await withDemoWindow(t, demo, async (workbench, timeline) => {
    await workbench.openFile('src/cli.js');
    await workbench.page.keyboard.press('ControlOrMeta+Home');
    await workbench.page.keyboard.type('typed; ');
    const editor = workbench.page.locator('.editor-group-container.active');
    await editor.locator('.tab.dirty').waitFor();
    await timeline.open();
    await timeline.rewind(4);
    await workbench.dialog();
    await workbench.answerDialog('Choose for Each File…');
    await choose(workbench, 'src/cli.js', 'Take the Old State');
    await workbench.pick('Rewind with These Choices');
    await workbench.notification('Rewound to before turn 4: 3 files changed.');

    assert.deepEqual(await filesOf(demo.workspace), afterThree);
    await editor.locator('.view-line', { hasText: 'typed;' }).waitFor({ state: 'detached' });
    assert.equal(await editor.locator('.tab.dirty').count(), 0);

    await workbench.answerNotification('Rewound to before turn 4', 'Undo');
    await workbench.notification('The rewind is undone');
    assert.equal(await program.text(), `typed; ${left}`);
    await editor.locator('.view-line', { hasText: 'typed;' }).waitFor();
    assert.equal(await editor.locator('.tab.dirty').count(), 0);
  });
});

test('what overlaps is merged in the merge editor', async (t) => {
  const demo = await sampleProject(t);
  await replayTurns(demo, turns);
  const program = fileOf(demo, 'src/cli.js');
  const mine = (await program.text()).replace("'lines'", "'LINES'");
  await program.put(mine);
  await withDemoWindow(t, demo, async (workbench, timeline) => {
    await timeline.open();
    await timeline.showsTurns([5, 4, 3, 2, 1]);
    await timeline.rewind(3);
    await workbench.dialog();
    await workbench.answerDialog('Choose for Each File…');
    await choose(workbench, 'src/cli.js', 'Merge');
    await workbench.pick('Rewind with These Choices');
    await workbench.notification(
      'Rewound to before turn 3: 3 files changed. 1 file is yours to merge.',
    );
    await timeline.showsTakenBack([5, 4, 3]);

    const merge = workbench.page.locator('.merge-editor');
    await merge.getByText('1 Conflict Remaining').waitFor();
    assert.deepEqual(await workbench.editorTabs(), ['Merging: cli.js']);
    await merge.getByText('before turn 3').waitFor();
    await workbench.screenshot('merge editor');
    assert.equal(await program.text(), mine, 'nothing is written before the merge is complete');

    await merge.getByText('Accept Mine', { exact: true }).first().click();
    await workbench.runCommand('Merge Editor: Complete Merge');
    await program.holds(/^import \{ readFileSync[^\n]*\nimport \{ countLines[\s\S]*'LINES'/);
    assert.doesNotMatch(await program.text(), /columns\.js/, 'what did not overlap is taken back');

    await timeline.undo();
    await workbench.dialog();
    await workbench.answerDialog('Choose for Each File…');
    await choose(workbench, 'src/cli.js', 'Take the Old State');
    await workbench.pick('Undo with These Choices');
    await workbench.notification('The rewind is undone');
    assert.equal(await program.text(), mine, 'what was there before the merge');
  });
});

test('reverts one turn, keeps later ones, and lists what was done', async (t) => {
  const demo = await sampleProject(t);
  await replayTurns(demo, turns.slice(0, 3));
  const afterThree = await filesOf(demo.workspace);
  await replayTurns(demo, turns.slice(3));
  const afterFive = await filesOf(demo.workspace);
  const readme = fileOf(demo, 'README.md');
  await withDemoWindow(t, demo, async (workbench, timeline) => {
    await timeline.open();
    await timeline.showsTurns([5, 4, 3, 2, 1]);
    await timeline.chooseOfTurn(4, 'Revert This Turn…');
    const question = await workbench.dialog();
    assert.equal(question.message, 'Revert turn 4?');
    assert.match(question.detail, /restore src\/cli\.js[\s\S]*delete data\/second\.txt/);
    await workbench.answerDialog('Show Preview');
    await workbench.page.locator('.multiDiffEntry').first().waitFor();
    await workbench.answerNotification('taken out with turn 4', 'Revert');
    await workbench.showsNoEditors();
    assert.ok(!(await workbench.notifications()).some((text) => text.includes('taken out with')));
    await workbench.notification('Turn 4 is taken out: 2 files changed.');
    const { 'README.md': later = '', ...rest } = await filesOf(demo.workspace);
    const { 'README.md': _before, ...others } = afterThree;
    assert.deepEqual(rest, others);
    assert.equal(later, afterFive['README.md'], 'turn 5 stays');
    await timeline.showsTakenBack([4]);

    await readme.put((await readme.text()).replace('# tally', '# My tally'));
    await workbench.runCommand('Memcode: Revert This Turn…');
    await workbench.pick('Turn 5: ');
    assert.match((await workbench.dialog()).detail, /1 file was changed further[\s\S]*README\.md/);
    await workbench.screenshot('question before a revert');
    await workbench.answerDialog('Revert and Merge');
    await workbench.notification('Turn 5 is taken out: 1 file changed. 1 file merged.');
    assert.match(await readme.text(), /# My tally[\s\S]*Counts the words of a text file\./);

    await workbench.runCommand('Memcode: Operations…');
    assert.deepEqual(
      (await workbench.picks('Operations')).filter((label) => label.includes('Reverted')),
      ['Reverted turn 5', 'Reverted turn 4'],
    );
    await workbench.screenshot('operations');
    await workbench.pickButton('Reverted turn 4', 'Undo');
    assert.equal((await workbench.dialog()).message, 'Undo “Reverted turn 4”?');
    await workbench.answerDialog('Undo');
    await workbench.notification('The revert is undone: 2 files changed.');
    await timeline.showsTakenBack([5]);
    assert.equal((await filesOf(demo.workspace))['src/cli.js'], afterFive['src/cli.js']);
  });
});

test('restores a file to before and after a turn, and asks only when something is lost', async (t) => {
  const demo = await sampleProject(t);
  await replayTurns(demo, turns.slice(0, 2));
  const program = fileOf(demo, 'src/cli.js');
  const before = await program.text();
  await replayTurns(demo, turns.slice(2, 3));
  const after = await program.text();
  await replayTurns(demo, turns.slice(3));
  const last = await program.text();
  await withDemoWindow(t, demo, async (workbench, timeline) => {
    await timeline.open();
    await timeline.showsTurns([5, 4, 3, 2, 1]);
    await timeline.expand(3);
    await timeline.chooseOfFile(3, 'src/cli.js', 'Restore File…');
    await workbench.screenshot('states of a file');
    await workbench.pick('Before Turn 3');
    await workbench.notification('src/cli.js is what it was before turn 3.');
    assert.equal(await program.text(), before);
    await workbench.answerNotification('before turn 3', 'Undo');
    await workbench.notification('The restore is undone');
    assert.equal(await program.text(), last);

    const mine = `${last}// mine\n`;
    await program.put(mine);
    await timeline.openDiff(3, 'src/cli.js');
    await workbench.page.locator('.monaco-diff-editor .view-line').first().waitFor();
    await workbench.chooseFromEditorTitle('Restore File…');
    await workbench.pick('After Turn 3');
    const question = await workbench.dialog();
    assert.equal(question.message, 'Restore src/cli.js to after turn 3?');
    await workbench.answerDialog('Cancel');
    assert.equal(await program.text(), mine);
    await workbench.chooseFromEditorTitle('Restore File…');
    await workbench.pick('After Turn 3');
    await workbench.dialog();
    await workbench.answerDialog('Merge');
    await workbench.notification('src/cli.js is merged with what it was after turn 3.');
    assert.equal(await program.text(), `${after}// mine\n`);
  });
});

test('takes a single change back, beside the working file', async (t) => {
  const demo = await sampleProject(t);
  await replayTurns(demo, turns);
  const program = fileOf(demo, 'src/cli.js');
  const last = await program.text();
  await withDemoWindow(t, demo, async (workbench, timeline) => {
    await timeline.open();
    await timeline.expand(3);
    await timeline.chooseOfFile(3, 'src/cli.js', 'Compare With Working File');
    const diff = workbench.page.locator('.editor-group-container.active .monaco-diff-editor');
    await diff.getByRole('button', { name: 'Revert Block' }).first().click();
    await workbench.page.keyboard.press('ControlOrMeta+S');
    await program.holds(last.replace("import { columns } from './columns.js';\n", ''));

    await timeline.openChanges(3);
    const multi = workbench.page.locator('.multiDiffEntry');
    await multi.filter({ hasText: 'columns.js' }).first().waitFor();
    await workbench.pressInEditorTitle('Compare With Working File');
    await until(
      'all files beside the working ones',
      async () =>
        (await workbench.editorTabs()).some((tab) => tab.startsWith('Before turn 3 ↔')) ||
        undefined,
    );
    await workbench.screenshot('turn beside the working files');
  });
});
