/** The extension in VS Code: it activates, and what the manifest promises is there. */
import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { commandIds, settingIds, viewIds } from '../../src/extension/names.ts';
import { extensionId, memcode } from './hostFixture.ts';
import { test } from './hostTest.ts';

test('the extension activates and exports its API', async () => {
  const api = await memcode();
  assert.deepEqual(Object.keys(api).toSorted(), [
    'beginTurn',
    'endTurn',
    'list',
    'restore',
    'snapshot',
    'version',
  ]);
  assert.equal(vscode.extensions.getExtension(extensionId)?.isActive, true);
});

test('every command is registered', async () => {
  await memcode();
  const registered = new Set(await vscode.commands.getCommands(true));
  const missing = Object.values(commandIds).filter((id) => !registered.has(id));
  assert.deepEqual(missing, []);
});

test('views can be focused and settings have their defaults', async () => {
  await memcode();
  const registered = new Set(await vscode.commands.getCommands(true));
  for (const view of Object.values(viewIds)) assert.ok(registered.has(`${view}.focus`), view);
  const settings = vscode.workspace.getConfiguration();
  assert.equal(settings.get(settingIds.showStatusBar), true);
  assert.equal(settings.get(settingIds.followNewestSession), true);
});
