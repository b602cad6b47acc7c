/** What a person saves in an editor is noted, for the time when an agent's command runs. */
import assert from 'node:assert/strict';
import fs from 'node:fs';
import * as vscode from 'vscode';
import { editorSavesFile } from '../../src/base/home.ts';
import type { Root } from '../../src/core/ids.ts';
import { ownFolder, recordTurn, secondApp } from './hostFixture.ts';
import { test } from './hostTest.ts';

test('a save in an editor is noted with its time and bytes', async (t) => {
  const file = vscode.Uri.joinPath(ownFolder(t), 'saved.txt');
  t.after(() => vscode.commands.executeCommand('workbench.action.closeAllEditors'));
  // Something is kept of the folder, and the store is open.
  await recordTurn('saves', 'Make a file', [{ file, content: 'first\n' }]);
  const document = await vscode.workspace.openTextDocument(file);
  const edit = new vscode.WorkspaceEdit();
  edit.insert(file, new vscode.Position(0, 0), 'mine\n');
  assert.ok(await vscode.workspace.applyEdit(edit));
  assert.ok(await document.save());
  assert.equal(fs.readFileSync(file.fsPath, 'utf8'), 'mine\nfirst\n');
  const root: Root = secondApp(t).rootOf(file.fsPath.replace(/[\\/][^\\/]*$/, ''));
  const noted = fs.readFileSync(
    editorSavesFile(process.env['MEMCODE_TIMELINE_HOME'] ?? '', root),
    'utf8',
  );
  const last = JSON.parse(noted.trim().split('\n').at(-1) ?? '');
  assert.match(last.path, /test-[^/]*\/saved\.txt$/);
  assert.equal(last.size, 11);
});
