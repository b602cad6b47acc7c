/** Both sides of a turn's files as VS Code reads them. */
import assert from 'node:assert/strict';
import fs from 'node:fs';
import * as vscode from 'vscode';
import type { Side } from '../../src/app/timelineApp.ts';
import { asTurnId } from '../../src/core/ids.ts';
import { storedUriParts } from '../../src/extension/turnUri.ts';
import { ownFolder, recordTurn, workspaceFolder } from './hostFixture.ts';
import { test } from './hostTest.ts';

function sideUri(turn: string, file: vscode.Uri, side: Side): vscode.Uri {
  const path = file.path.slice(workspaceFolder().path.length + 1);
  return vscode.Uri.from({
    scheme: 'memcode',
    ...storedUriParts({ turn: asTurnId(turn), path, side }),
  });
}

test('before and after are served byte for byte, and cannot be written', async (t) => {
  const folder = ownFolder(t);
  const file = vscode.Uri.joinPath(folder, 'ä #1?.bin');
  const before = Uint8Array.from({ length: 256 }, (_, index) => index);
  const after = Uint8Array.from([0, 255, 10, 13]);
  fs.writeFileSync(file.fsPath, before);
  const { id } = await recordTurn('bytes', 'Rewrite it', [{ file, content: after }]);
  fs.writeFileSync(file.fsPath, 'later');
  const read = (side: Side) => vscode.workspace.fs.readFile(sideUri(id, file, side));
  assert.deepEqual(new Uint8Array(await read('before')), before);
  assert.deepEqual(new Uint8Array(await read('after')), after);
  const uri = sideUri(id, file, 'before');
  assert.equal((await vscode.workspace.fs.stat(uri)).size, 256);
  assert.equal(vscode.workspace.fs.isWritableFileSystem('memcode'), false);
  await assert.rejects(Promise.resolve(vscode.workspace.fs.writeFile(uri, after)));
});

test('a file that was not there is empty, and what is not stored says why', async (t) => {
  const file = vscode.Uri.joinPath(ownFolder(t), 'new.txt');
  const { id } = await recordTurn('absent', 'Create it', [{ file, content: 'hello\n' }]);
  const text = async (uri: vscode.Uri) =>
    Buffer.from(await vscode.workspace.fs.readFile(uri)).toString();
  assert.equal(await text(sideUri(id, file, 'before')), '');
  assert.equal(await text(sideUri(id, file, 'after')), 'hello\n');
  const other = vscode.Uri.joinPath(workspaceFolder(), 'README.md');
  assert.match(await text(sideUri(id, other, 'after')), /^This content cannot be shown: .+\n$/);
  const unknown = sideUri('no such turn', file, 'after');
  assert.match(await text(unknown), /^This content cannot be shown: .+\n$/);
});

test('a file of a turn opens as a diff with a title, all files as one editor', async (t) => {
  t.after(() => vscode.commands.executeCommand('workbench.action.closeAllEditors'));
  const folder = ownFolder(t);
  const one = vscode.Uri.joinPath(folder, 'one.txt');
  const two = vscode.Uri.joinPath(folder, 'two.txt');
  fs.writeFileSync(one.fsPath, 'before\n');
  const { id } = await recordTurn('diffs', 'Write both', [
    { file: one, content: 'after\n' },
    { file: two, content: 'new\n' },
  ]);
  const path = one.path.slice(workspaceFolder().path.length + 1);
  await vscode.commands.executeCommand('memcode.openFileDiff', id, path);
  const tab = vscode.window.tabGroups.activeTabGroup.activeTab;
  assert.equal(tab?.label, 'one.txt (turn 1)');
  assert.ok(tab.input instanceof vscode.TabInputTextDiff);
  const texts = [tab.input.original, tab.input.modified].map(async (uri) =>
    (await vscode.workspace.openTextDocument(uri)).getText(),
  );
  assert.deepEqual(await Promise.all(texts), ['before\n', 'after\n']);
  await vscode.commands.executeCommand('memcode.showTurnChanges', id);
  assert.match(
    vscode.window.tabGroups.activeTabGroup.activeTab?.label ?? '',
    /^Turn 1: Write both/,
  );
});
