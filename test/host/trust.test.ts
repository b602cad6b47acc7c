/** Reverting, restoring and merging with real files and real editors. */
import assert from 'node:assert/strict';
import fs from 'node:fs';
import * as vscode from 'vscode';
import { asTurnId } from '../../src/core/ids.ts';
import type { FlowOutcome } from '../../src/extension/flowContext.ts';
import { openHandMerges } from '../../src/extension/handMerges.ts';
import { restoreFlow } from '../../src/extension/restoreFlow.ts';
import { revertFlow } from '../../src/extension/revertFlow.ts';
import { undoFlow } from '../../src/extension/undoFlow.ts';
import { type FlowScript, flowScript, typeInto } from './flowScript.ts';
import { ownFolder, recordTurn, textOf, untilEvent } from './hostFixture.ts';
import { type HostTestContext, test } from './hostTest.ts';

const lines = (...all: readonly string[]): string => `${all.join('\n')}\n`;
const original = lines('one', 'two', 'three', 'four', 'five', 'six', 'seven');
const agents = lines('ONE', 'two', 'three', 'four', 'five', 'six', 'SEVEN');
const further = lines('ONE and more', 'two', 'three', 'mine', 'five', 'six', 'SEVEN');
/** What the merge editor begins with: what does not overlap is merged, the rest stands as the agent left it. */
const prepared = lines('ONE', 'two', 'three', 'mine', 'five', 'six', 'seven');

/** Files that a turn has changed and a person has changed further. */
async function overlapping(t: HostTestContext, session: string, ...names: readonly string[]) {
  const folder = ownFolder(t);
  const files = names.map((name) => vscode.Uri.joinPath(folder, name));
  for (const file of files) fs.writeFileSync(file.fsPath, original);
  const edits = files.map((file) => ({ file, content: agents }));
  const { id } = await recordTurn(session, 'Change them', edits);
  for (const file of files) fs.writeFileSync(file.fsPath, further);
  return { files, id };
}

function revert({ run, target }: FlowScript, turn: string): Promise<FlowOutcome | undefined> {
  return run((context) => revertFlow(target(turn), context));
}

/** The document of a file, once it is what one expects. */
function documentOf(file: vscode.Uri): vscode.TextDocument | undefined {
  return vscode.workspace.textDocuments.find(({ uri }) => uri.toString() === file.toString());
}

function closeWithoutSaving(t: HostTestContext, files: readonly vscode.Uri[]): void {
  t.after(async () => {
    for (const file of files) {
      await vscode.window.showTextDocument(file, { preview: false });
      await vscode.commands.executeCommand('workbench.action.files.revert');
    }
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
  });
}

test('what overlaps opens in the merge editor, one after the other; the disk stays as it is', async (t) => {
  const { files, id } = await overlapping(t, 'merge editor', 'first.txt', 'second.txt');
  closeWithoutSaving(t, files);
  const script = flowScript(t, 'go');
  const outcome = await revert(script, id);
  assert.equal(outcome?.byHand.length, 2);
  assert.equal(outcome.report.complete, true);
  const { app: store, root } = script;
  await openHandMerges(outcome.byHand, outcome.report.operation!, { store, root });
  const tabs = vscode.window.tabGroups.all.flatMap((group) => group.tabs);
  assert.deepEqual(
    tabs.map(({ label, isDirty }) => [label, isDirty]),
    [
      ['Merging: first.txt', true],
      ['Merging: second.txt', true],
    ],
  );
  for (const file of files) {
    assert.equal(documentOf(file)?.getText(), prepared);
    assert.equal(textOf(file), further);
  }
});

test('undoing brings back what was there before a merge by hand', async (t) => {
  const { files, id } = await overlapping(t, 'merge undone', 'file.txt');
  const [file] = files;
  const script = flowScript(
    t,
    'go',
    'choose',
    relative(file!),
    'Take the Old State',
    'Undo with These Choices',
  );
  const outcome = await revert(script, id);
  fs.writeFileSync(file!.fsPath, 'merged by hand\n');
  const { app, root, run } = script;
  const operation = app.operations(root).find((one) => one.id === outcome?.report.operation);
  await run((context) => undoFlow({ operation: operation!, root, isAsking: false }, context));
  assert.equal(textOf(file!), further);
  assert.equal(app.turn(asTurnId(id)).rewoundBy, null);
});

test('unsaved text takes part in a merge; the editor then shows the disk and is not dirty', async (t) => {
  const file = vscode.Uri.joinPath(ownFolder(t), 'unsaved.txt');
  fs.writeFileSync(file.fsPath, original);
  const content = original.replace('seven', 'SEVEN');
  const { id } = await recordTurn('unsaved merged', 'Change it', [{ file, content }]);
  const document = await typeInto(t, file, 'mine, ');
  const script = flowScript(t, 'go');
  const outcome = await revert(script, id);
  assert.match(script.asked[0]?.detail ?? '', /1 editor has unsaved changes\. It is saved/);
  assert.deepEqual(outcome?.byHand, []);
  assert.equal(textOf(file), `mine, ${original}`);
  await untilEvent(
    [vscode.workspace.onDidChangeTextDocument, vscode.workspace.onDidSaveTextDocument],
    () => document.getText() === `mine, ${original}` && !document.isDirty,
  );
});

test('a turn is taken out of the middle, and later turns stay', async (t) => {
  const file = vscode.Uri.joinPath(ownFolder(t), 'file.txt');
  fs.writeFileSync(file.fsPath, original);
  const turns = ['one', 'four', 'seven'].map((word, index, words) => {
    const content = words
      .slice(0, index + 1)
      .reduce((text, each) => text.replace(each, each.toUpperCase()), original);
    return { prompt: `Shout ${word}`, edits: [{ file, content }] };
  });
  const ids: string[] = [];
  for (const { prompt, edits } of turns) ids.push((await recordTurn('middle', prompt, edits)).id);
  const outcome = await revert(flowScript(t, 'go'), ids[1]!);
  assert.deepEqual(
    outcome?.report.paths.map(({ result }) => result),
    ['merged'],
  );
  assert.equal(textOf(file), original.replace('one', 'ONE').replace('seven', 'SEVEN'));
});

test('a file goes back to before or after a turn, and is asked about only when something is lost', async (t) => {
  const file = vscode.Uri.joinPath(ownFolder(t), 'file.txt');
  fs.writeFileSync(file.fsPath, 'zero\n');
  const { id } = await recordTurn('restored', 'First', [{ file, content: 'first\n' }]);
  await recordTurn('restored', 'Second', [{ file, content: 'second\n' }]);
  const restore = (side: 'before' | 'after', ...answers: string[]) => {
    const script = flowScript(t, ...answers);
    const turn = script.target(id).turn;
    const old = { turn: turn.id, path: relative(file), side };
    const { root } = script;
    return {
      script,
      outcome: script.run((context) => restoreFlow({ turn, old, root }, context)),
    };
  };
  const after = restore('after');
  assert.equal((await after.outcome)?.report.kind, 'restore');
  assert.deepEqual([textOf(file), after.script.asked], ['first\n', []]);
  await assert.rejects(restore('after').outcome, { code: 'nothingToDo' });
  fs.writeFileSync(file.fsPath, 'mine\n');
  const cancelled = restore('before');
  assert.equal(await cancelled.outcome, undefined);
  assert.deepEqual([textOf(file), cancelled.script.asked.length], ['mine\n', 1]);
  await restore('before', 'take').outcome;
  assert.equal(textOf(file), 'zero\n');
});

test('an old state stands beside the working file, which can be edited', async (t) => {
  t.after(() => vscode.commands.executeCommand('workbench.action.closeAllEditors'));
  const file = vscode.Uri.joinPath(ownFolder(t), 'file.txt');
  fs.writeFileSync(file.fsPath, original);
  const { id } = await recordTurn('compared', 'Change it', [{ file, content: agents }]);
  await vscode.commands.executeCommand('memcode.compareWithWorkingFile', id, relative(file));
  const tab = vscode.window.tabGroups.activeTabGroup.activeTab;
  assert.equal(tab?.label, 'file.txt (before turn 1 ↔ working file)');
  assert.ok(tab.input instanceof vscode.TabInputTextDiff);
  const { original: left, modified } = tab.input;
  assert.equal(modified.toString(), file.toString());
  assert.equal((await vscode.workspace.openTextDocument(left)).getText(), original);
  fs.rmSync(file.fsPath);
});

function relative(file: vscode.Uri): string {
  return vscode.workspace.asRelativePath(file);
}
