/** The rewind flow with real files, real editors and answers from a script. */
import assert from 'node:assert/strict';
import fs from 'node:fs';
import * as vscode from 'vscode';
import { asTurnId } from '../../src/core/ids.ts';
import type { OperationReport } from '../../src/core/timeline.ts';
import { OpenEditors } from '../../src/extension/openEditors.ts';
import type { Ask } from '../../src/extension/question.ts';
import { redoFlow } from '../../src/extension/redoFlow.ts';
import { type FlowContext, rewindFlow } from '../../src/extension/rewindFlow.ts';
import {
  ownFolder,
  recordTurn,
  secondApp,
  textOf,
  untilEvent,
  workspaceFolder,
} from './hostFixture.ts';
import { type HostTestContext, test } from './hostTest.ts';

/** Answers in order; keeps what was asked. */
function script(t: HostTestContext, ...answers: string[]) {
  const app = secondApp(t);
  const root = app.rootOf(workspaceFolder().fsPath);
  const asked: { message: string; detail: string; labels: string[] }[] = [];
  const ask: Ask = async ({ message, detail, choices }) => {
    asked.push({ message, detail, labels: choices.map((choice) => choice.label) });
    const answer = answers.shift();
    return choices.find((choice) => choice.id === answer)?.id;
  };
  const context: FlowContext = {
    app,
    l10n: vscode.l10n,
    ask,
    editors: new OpenEditors(),
    busy: (_sentence, task) => task(),
    showPreview: async () => undefined,
  };
  return {
    app,
    asked,
    rewind: (turn: string): Promise<OperationReport | undefined> =>
      rewindFlow({ turn: app.turn(asTurnId(turn)), root }, context),
    redo: () => redoFlow(app.redoable(root), root, context),
  };
}

async function typeInto(t: HostTestContext, file: vscode.Uri, text: string) {
  const document = await vscode.workspace.openTextDocument(file);
  const editor = await vscode.window.showTextDocument(document);
  await editor.edit((edit) => edit.insert(new vscode.Position(0, 0), text));
  assert.equal(document.isDirty, true);
  t.after(async () => {
    await vscode.window.showTextDocument(document);
    await vscode.commands.executeCommand('workbench.action.revertAndCloseActiveEditor');
  });
  return document;
}

const shows = (document: vscode.TextDocument, text: string) =>
  untilEvent(
    [vscode.workspace.onDidChangeTextDocument, vscode.workspace.onDidSaveTextDocument],
    () => document.getText() === text && !document.isDirty,
  );

test('an open editor shows the disk after a rewind and after its undoing, and is never dirty', async (t) => {
  const file = vscode.Uri.joinPath(ownFolder(t), 'open.txt');
  fs.writeFileSync(file.fsPath, 'before\n');
  const { id } = await recordTurn('open editor', 'Change it', [{ file, content: 'after\n' }]);
  const document = await vscode.workspace.openTextDocument(file);
  await vscode.window.showTextDocument(document);
  t.after(() => vscode.commands.executeCommand('workbench.action.closeActiveEditor'));
  const { asked, rewind, redo } = script(t, 'keep');
  const report = await rewind(id);
  assert.equal(report?.complete, true);
  assert.equal(textOf(file), 'before\n');
  assert.match(
    asked[0]?.detail ?? '',
    /Changes 1 file:\n {2}restore test-\w+\/open\.txt \(\+1 −1\)/,
  );
  await shows(document, 'before\n');
  await redo();
  await shows(document, 'after\n');
  assert.equal(textOf(file), 'after\n');
});

test('unsaved text is named in the question and kept', async (t) => {
  const file = vscode.Uri.joinPath(ownFolder(t), 'unsaved.txt');
  fs.writeFileSync(file.fsPath, 'before\n');
  const { id } = await recordTurn('unsaved kept', 'Change it', [{ file, content: 'after\n' }]);
  const document = await typeInto(t, file, 'mine ');
  const { asked, rewind } = script(t, 'keep');
  const report = await rewind(id);
  assert.match(
    asked[0]?.detail ?? '',
    /1 editor has unsaved changes\..*\n {2}test-\w+\/unsaved\.txt/,
  );
  assert.deepEqual(asked[0]?.labels, [
    'Show Preview',
    'Rewind and Keep My Changes',
    'Rewind and Take Old State',
  ]);
  assert.deepEqual(
    report?.paths.map(({ result }) => result),
    ['kept'],
  );
  assert.equal(document.getText(), 'mine after\n');
  assert.equal(document.isDirty, true);
  assert.equal(textOf(file), 'after\n');
});

test('unsaved text gives way when asked to, and undoing brings it back', async (t) => {
  const file = vscode.Uri.joinPath(ownFolder(t), 'unsaved.txt');
  fs.writeFileSync(file.fsPath, 'before\n');
  const { id } = await recordTurn('unsaved taken', 'Change it', [{ file, content: 'after\n' }]);
  const document = await typeInto(t, file, 'mine ');
  const { rewind, redo } = script(t, 'take');
  const report = await rewind(id);
  assert.equal(report?.complete, true);
  assert.equal(textOf(file), 'before\n');
  await shows(document, 'before\n');
  await redo();
  assert.equal(textOf(file), 'mine after\n');
  await shows(document, 'mine after\n');
});

test('cancelling changes nothing', async (t) => {
  const file = vscode.Uri.joinPath(ownFolder(t), 'file.txt');
  fs.writeFileSync(file.fsPath, 'before\n');
  const { id } = await recordTurn('cancelled', 'Change it', [{ file, content: 'after\n' }]);
  const { rewind, app } = script(t);
  assert.equal(await rewind(id), undefined);
  assert.equal(textOf(file), 'after\n');
  assert.equal(app.turn(asTurnId(id)).rewoundBy, null);
});
