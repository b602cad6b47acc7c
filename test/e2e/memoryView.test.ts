/** The Memory view in a real VS Code: what is added, asked for, approved and switched, clicked as a person would. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Locator } from 'playwright-core';
import { type Demo, demoEnvironment, replayTurns } from '../demo/prepareDemo.ts';
import { readScenario } from '../demo/scenario.ts';
import { projectFolder } from '../tools/paths.ts';
import { until, type Workbench, withWorkbench } from '../tools/workbench.ts';
import { withMemory } from './demoMemory.ts';
import { sampleProject, withDemoWindow } from './demoWindow.ts';

test('a note is added, seen, edited, pinned, forgotten and brought back', async (t) => {
  const demo = await sampleProject(t);
  await withDemoWindow(t, demo, async (workbench) => {
    const view = await openMemory(workbench);
    await view.getByText('Nothing is remembered here yet.').waitFor();
    await workbench.screenshot('memory: nothing yet');
    await workbench.runCommand('Memcode: Add Note…');
    await workbench.pick('For this project', 'Add Note');
    await workbench.answerInput('Text of the Note', 'Indent with tabs.');
    await workbench.answerInput('Name of the Note', 'Style');
    await row(view, 'Style').waitFor();
    assert.match(await text(row(view, 'Style')), /Style.*you · Indent with tabs\./);

    await row(view, 'Style').click();
    const editor = workbench.page.locator('.editor-group-container.active .view-lines');
    await editor.getByText('Indent with tabs.').click();
    await workbench.page.keyboard.press('ControlOrMeta+End');
    await workbench.page.keyboard.type(' Always.');
    await workbench.page.keyboard.press('ControlOrMeta+S');
    await until('the edited note', async () => {
      const note = await withMemory(demo, ({ memory, root }) => memory.show(root, 'Style'));
      return note.body === 'Indent with tabs. Always.' || undefined;
    });
    await view.getByText('Always.').waitFor();
    await workbench.screenshot('memory: a note in its editor');

    await workbench.page.keyboard.type(' Key: ghp_0123456789abcdefghijABCDEFGHIJ012345');
    await workbench.page.keyboard.press('ControlOrMeta+S');
    await workbench.notification("Failed to save 'Style.md'");
    await workbench.screenshot('memory: a secret is not saved');
    const kept = await withMemory(demo, ({ memory, root }) => memory.show(root, 'Style'));
    assert.equal(kept.body, 'Indent with tabs. Always.');
    await workbench.runCommand('File: Revert File');
    await workbench.page.locator('.tab.dirty').waitFor({ state: 'detached' });

    await press(row(view, 'Style'), 'Pin');
    await row(view, 'Style').locator('.codicon-pinned').first().waitFor();
    await press(row(view, 'Style'), 'Forget…');
    assert.equal((await workbench.dialog()).message, 'Forget Style?');
    await workbench.answerDialog('Forget');
    await row(view, 'Style').waitFor({ state: 'detached' });
    await workbench.answerNotification('Style is forgotten.', 'Undo');
    await row(view, 'Style').waitFor();

    await workbench.runCommand('Memcode: Memory History…');
    await workbench.pick('Style', 'Memory History');
    const versions = await workbench.picks('History of Style');
    assert.deepEqual(
      versions.filter((label) => /^(Written|Changed|Removed)$/.test(label)),
      ['Written', 'Removed', 'Changed', 'Changed', 'Written'],
    );
    await workbench.screenshot('memory: history of a note');
    await workbench.pick('Removed', 'History of Style');
    await workbench.page.locator('.monaco-diff-editor').waitFor();
  });
});

test('what an agent asks to remember waits, shows its diff, and is approved or rejected', async (t) => {
  const demo = await sampleProject(t);
  await replayTurns(demo, readScenario().slice(0, 2));
  await ask(demo, 'Aligning', 'Columns are aligned by columns.js.');
  await ask(demo, 'Junk', 'The sky is blue.');
  await withDemoWindow(t, demo, async (workbench) => {
    await workbench.page
      .locator('.activitybar .action-item', {
        has: workbench.page.locator('[aria-label^="Memcode"]'),
      })
      .locator('.badge-content', { hasText: '2' })
      .waitFor();
    const view = await openMemory(workbench);
    const waiting = row(view, 'Remember Aligning');
    await waiting.waitFor();
    assert.match(await text(waiting), /Gemini CLI, turn 2/);
    await waiting.click();
    const diff = workbench.page.locator('.monaco-diff-editor');
    await diff.getByText('Columns are aligned by columns.js.').waitFor();
    await workbench.screenshot('memory: a write waits');
    await diff.locator('.modified-in-monaco-diff-editor .view-lines').click();
    await workbench.page.keyboard.press('ControlOrMeta+End');
    await workbench.page.keyboard.type(' Not by hand.');
    await workbench.pressInEditorTitle('Approve Write to Memory');
    await waiting.waitFor({ state: 'detached' });
    await workbench.showsNoEditors();
    await row(view, 'Aligning').waitFor();
    const note = await withMemory(demo, ({ memory, root }) => memory.show(root, 'Aligning'));
    assert.equal(note.body, 'Columns are aligned by columns.js. Not by hand.');
    assert.equal(note.origin?.actor, 'agent');

    const junk = row(view, 'Remember Junk');
    await until('the other one rejected', async () => {
      await press(junk, 'Reject Write to Memory');
      const isGone = await junk.waitFor({ state: 'detached', timeout: 3_000 }).then(
        () => true,
        () => undefined,
      );
      // While VS Code asks for the rows anew it does not say which one was pressed, and one is asked.
      if (!isGone) await workbench.page.keyboard.press('Escape');
      return isGone;
    });
    assert.deepEqual(await withMemory(demo, ({ memory, root }) => memory.pending(root)), []);
    await workbench.screenshot('memory: approved');
    const names = await withMemory(demo, ({ memory, root }) => memory.list(root));
    assert.deepEqual(
      names.map(({ name }) => name),
      ['Aligning'],
    );

    const changes = workbench.page.locator('.multiDiffEntry').first();
    await until('the changes of the turn', async () => {
      // A menu that opens under the pointer may take the key for another item.
      await row(view, 'Aligning').click({ button: 'right' });
      await workbench.chooseFromMenu('Show the Turn That Wrote It');
      return changes.waitFor({ timeout: 5_000 }).then(
        () => true,
        () => undefined,
      );
    });
    await workbench.runCommand('View: Close All Editors');

    await ask(demo, 'Aligning', 'Nothing is aligned.');
    await withMemory(demo, ({ memory, root }) =>
      memory.edit(root, 'Aligning', { body: 'Columns are aligned by hand.' }),
    );
    const stale = row(view, 'Update Aligning');
    await stale.getByText('changed since').waitFor();
    await press(stale, 'Approve Write to Memory');
    const question = await workbench.dialog();
    assert.equal(question.message, 'Update Aligning, although it was changed since?');
    await workbench.screenshot('memory: a write that is out of date');
    assert.equal(question.buttons.at(-1), 'Show the Difference', 'Enter only looks');
    await workbench.answerDialog('Show the Difference');
    await workbench.page.locator('.monaco-diff-editor').getByText('by hand.').waitFor();
    await workbench.pressInEditorTitle('Reject Write to Memory');
    await workbench.showsNoEditors();
    await stale.waitFor({ state: 'detached' });

    await workbench.runCommand('Memcode: Add Fact…');
    await workbench.pick('About this project', 'Add Fact');
    await workbench.answerInput('Name of the Fact', 'test_command');
    await workbench.answerInput('Value of test_command', 'npm test');
    await row(view, 'test_command').waitFor();
    await workbench.runCommand('Memcode: Search Memory…');
    await workbench.answerInput('Search Memory', 'by hand');
    await row(view, 'test_command').waitFor({ state: 'detached' });
    await row(view, 'Aligning').waitFor();
    await workbench.page.getByText('What has “by hand” is shown.').waitFor();
    await workbench.screenshot('memory: searched');
    await workbench.runCommand('Memcode: Clear Search of Memory');
    await row(view, 'test_command').waitFor();

    await workbench.runCommand('Memcode: Memory As Of Turn…');
    await workbench.pick('Turn 1', 'Memory As Of Turn');
    const editor = workbench.page.locator('.editor-group-container.active .view-lines');
    await editor.getByText('Nothing was remembered.').waitFor();
  });
});

test('a preset is switched from the status bar and written in an editor', async (t) => {
  const demo = await sampleProject(t);
  await withDemoWindow(t, demo, async (workbench) => {
    await workbench.pressInStatusHover('tally', 'Switch Preset…');
    const presets = await workbench.picks('Switch Preset');
    assert.equal(presets[0], 'None');
    assert.equal(presets.at(-1), 'New Preset…');
    await workbench.screenshot('memory: switch preset');
    const wanted = presets[1] ?? '';
    await workbench.pick(wanted, 'Switch Preset');
    await workbench.notification(`The preset ${wanted} is active.`);
    const view = await openMemory(workbench);
    await view.getByRole('treeitem', { name: 'Presets' }).getByText(wanted).waitFor();

    await workbench.runCommand('Memcode: New Preset…');
    await workbench.answerInput('New Preset', 'Terse');
    await workbench.page.locator('.tab.active[data-resource-name="Terse.md"]').waitFor();
    await workbench.page.locator('.editor-group-container.active .view-lines').click();
    await workbench.page.keyboard.type('Answer in one sentence.');
    await workbench.page.keyboard.press('ControlOrMeta+S');
    await workbench.page.locator('.tab.dirty').waitFor({ state: 'detached' });
    await workbench.screenshot('memory: presets');
    const { set } = await withMemory(demo, ({ context }) => context.presets());
    assert.equal(
      set.items.find(({ name }) => name === 'Terse')?.content,
      'Answer in one sentence.',
    );

    await view.getByRole('treeitem', { name: 'Portrait' }).click();
    await row(view, 'dev.md').click();
    await workbench.page.locator('.tab.active[data-resource-name="dev.md"]').waitFor();
    await workbench.page.locator('.editor-group-container.active .view-lines').click();
    await workbench.page.keyboard.type('Knows the code well.');
    await workbench.page.keyboard.press('ControlOrMeta+S');
    await view.getByText('20 bytes').waitFor();
    await workbench.screenshot('memory: a portrait');
  });
});

test('in restricted mode nothing of the folder is shown, and the view says so', async (t) => {
  const demo = await sampleProject(t);
  await withMemory(demo, async ({ memory, root }) => {
    const person = { actor: 'person' } as const;
    const act = 'remember';
    await memory.write(root, { act, scope: 'project', name: 'Style', body: 'Tabs.' }, person);
    await memory.write(root, { act, scope: 'global', name: 'Tone', body: 'Brief.' }, person);
  });
  const options = {
    workspace: demo.workspace,
    install: [projectFolder],
    env: demoEnvironment(demo),
    trust: true,
  };
  await withWorkbench(t.name, options, async (workbench) => {
    const view = await openMemory(workbench);
    await row(view, 'Tone').waitFor();
    await workbench.screenshot('memory: restricted mode');
    await workbench.page.getByText('nothing of it is read').first().waitFor();
    assert.equal(await row(view, 'Style').count(), 0);
  });
});

async function openMemory(workbench: Workbench): Promise<Locator> {
  await workbench.runCommand('Memcode: Focus on Memory View');
  return workbench.page.locator('.pane', {
    has: workbench.page.locator('[aria-label^="Memory Section"]'),
  });
}

function row(view: Locator, label: string): Locator {
  return view
    .locator('.monaco-list-row', { has: view.page().getByText(label, { exact: true }) })
    .first();
}

async function text(locator: Locator): Promise<string> {
  return ((await locator.textContent()) ?? '').replaceAll('\u00a0', ' ');
}

/** A button of a row. */
async function press(of: Locator, button: string): Promise<void> {
  await of.hover();
  await of.locator(`.action-label[aria-label^="${button}"]`).click();
}

/** As the agent of the newest turn would. */
async function ask(demo: Demo, name: string, body: string): Promise<void> {
  await withMemory(demo, ({ app, memory, root }) => {
    const [newest] = app.sessions(root);
    return memory.write(
      root,
      { act: 'remember', scope: 'project', name, body },
      { actor: 'agent', session: newest?.id },
    );
  });
}
