/** The rewind flow with real files, real editors and answers from a script. */
import assert from 'node:assert/strict';
import fs from 'node:fs';
import * as vscode from 'vscode';
import { asTurnId } from '../../src/core/ids.ts';
import { rewindFlow } from '../../src/extension/rewindFlow.ts';
import { undoFlow } from '../../src/extension/undoFlow.ts';
import { flowScript, typeInto } from './flowScript.ts';
import { ownFolder, recordTurn, textOf, untilEvent } from './hostFixture.ts';
import { type HostTestContext, test } from './hostTest.ts';

/** A rewind and its undoing, with scripted answers. */
function script(t: HostTestContext, ...answers: string[]) {
  const { app, root, asked, run, target } = flowScript(t, ...answers);
  return {
    app,
    asked,
    rewind: async (turn: string) =>
      (await run((context) => rewindFlow(target(turn), context)))?.report,
    async redo() {
      const operation = app.redoable(root);
      assert.ok(operation);
      await run((context) => undoFlow({ operation, root, isAsking: false }, context));
    },
  };
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
  const { asked, rewind, redo } = script(t, 'go');
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
  const { asked, rewind } = script(t, 'go');
  const report = await rewind(id);
  assert.match(
    asked[0]?.detail ?? '',
    /1 editor has unsaved changes\..*\n {2}test-\w+\/unsaved\.txt/,
  );
  assert.deepEqual(
    asked[0]?.labels,
    ['Choose for Each File…', 'Rewind and Keep My Changes'],
    'there is nothing to preview but what is kept',
  );
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
  const all = ['Take the Old State', 'Rewind with These Choices'];
  const { rewind, redo } = script(t, 'choose', relative(file), ...all);
  const report = await rewind(id);
  assert.equal(report?.complete, true);
  assert.equal(textOf(file), 'before\n');
  await shows(document, 'before\n');
  await redo();
  assert.equal(textOf(file), 'mine after\n');
  await shows(document, 'mine after\n');
});

/** As quick picks name it. */
function relative(file: vscode.Uri): string {
  return vscode.workspace.asRelativePath(file);
}

test('cancelling changes nothing', async (t) => {
  const file = vscode.Uri.joinPath(ownFolder(t), 'file.txt');
  fs.writeFileSync(file.fsPath, 'before\n');
  const { id } = await recordTurn('cancelled', 'Change it', [{ file, content: 'after\n' }]);
  const { rewind, app } = script(t);
  assert.equal(await rewind(id), undefined);
  assert.equal(textOf(file), 'after\n');
  assert.equal(app.turn(asTurnId(id)).rewoundBy, null);
});
