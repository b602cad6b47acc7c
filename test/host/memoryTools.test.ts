/** Memory inside VS Code: the tools that language models are offered, and commands over the store. */
import assert from 'node:assert/strict';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import * as vscode from 'vscode';
import type { TimelineApp } from '../../src/app/timelineApp.ts';
import { asSessionId } from '../../src/core/ids.ts';
import { commandIds, memoryScheme, toolIds, waitingScheme } from '../../src/extension/names.ts';
import { shareMemory } from '../../src/extension/shareMemory.ts';
import { memcode, secondApp, workspaceFolder } from './hostFixture.ts';
import { test } from './hostTest.ts';

async function call(tool: string, input: object): Promise<string> {
  const result = await vscode.lm.invokeTool(tool, { input, toolInvocationToken: undefined });
  return result.content
    .filter((part) => part instanceof vscode.LanguageModelTextPart)
    .map(({ value }) => value)
    .join('');
}

async function openedMemory(app: TimelineApp) {
  const root = app.rootOf(workspaceFolder().fsPath);
  return { root, memory: await app.memory() };
}

test('tools of memory are offered to language models, with what they take', async () => {
  await memcode();
  const offered = vscode.lm.tools.filter(({ name }) => name.startsWith('memcode_'));
  assert.deepEqual(offered.map(({ name }) => name).sort(), Object.values(toolIds).sort());
  for (const { description, inputSchema } of offered) {
    assert.notEqual(description, '');
    assert.ok(inputSchema && 'properties' in inputSchema);
  }
});

test('a tool remembers as the person has set: at once, after approval, or not at all', async (t) => {
  await memcode();
  const app = secondApp(t);
  const { memory, root } = await openedMemory(app);
  t.after(() => memory.setAgentWrites('ask'));
  memory.setAgentWrites('off');
  assert.match(
    await call(toolIds.remember, { body: 'Nothing.', name: 'Off' }),
    /switched that off/,
  );
  memory.setAgentWrites('ask');
  assert.match(
    await call(toolIds.remember, { body: 'Later.', name: 'Asked' }),
    /waits for the appr/,
  );
  assert.match(await call(toolIds.recall, { name: 'Asked' }), /no note/i);
  const [asked] = await memory.pending(root);
  // Which agent's it is depends on whether a turn runs in the folder: that is another test's question.
  assert.equal(asked?.origin.actor, 'agent');
  await vscode.commands.executeCommand(commandIds.approveMemoryWrite, {
    kind: 'waiting',
    waiting: asked?.id,
  });
  assert.match(await call(toolIds.recall, { query: 'later' }), /> Later\./);
  memory.setAgentWrites('auto');
  assert.equal(
    await call(toolIds.remember, { body: 'Now.', name: 'Stored' }),
    'Remembered "Stored" (project).',
  );
  assert.equal(await call(toolIds.forget, { name: 'Asked' }), 'Forgot "Asked".');
  assert.match(await call(toolIds.remember, { body: `ghp_${'a1B2'.repeat(9)}` }), /token/);
  assert.deepEqual(
    (await memory.list(root)).map(({ name }) => name),
    ['Stored'],
  );
  await memory.write(
    root,
    { act: 'forget', scope: 'project', name: 'Stored' },
    { actor: 'person' },
  );
});

test('several writes that are selected are approved together', async (t) => {
  await memcode();
  const app = secondApp(t);
  const { memory, root } = await openedMemory(app);
  memory.setAgentWrites('ask');
  const names = ['First of both', 'Second of both'];
  for (const name of names) await call(toolIds.remember, { body: `${name}.`, name });
  const rows = (await memory.pending(root)).map(({ id }) => ({ kind: 'waiting', waiting: id }));
  assert.equal(rows.length, 2);
  await vscode.commands.executeCommand(commandIds.approveMemoryWrite, rows[0], rows);
  assert.deepEqual(await memory.pending(root), []);
  const kept = (await memory.list(root)).map(({ name }) => name);
  assert.deepEqual(kept.filter((name) => names.includes(name)).sort(), names);
  for (const name of names)
    await memory.write(root, { act: 'forget', scope: 'project', name }, { actor: 'person' });
});

test('what a tool remembers belongs to the turn that runs in the folder', async (t) => {
  await memcode();
  const app = secondApp(t);
  const { memory, root } = await openedMemory(app);
  memory.setAgentWrites('auto');
  t.after(() => memory.setAgentWrites('ask'));
  const session = asSessionId('memory of a turn');
  const recorder = app.recorder(root, session, 'host-test');
  const { turn } = recorder.begin('Remember it');
  await call(toolIds.remember, { body: 'In a turn.', name: 'Turned' });
  recorder.end('Done.');
  const note = await memory.show(root, 'Turned');
  assert.deepEqual([note.origin?.turn, note.origin?.session], [turn, session]);
  await memory.write(
    root,
    { act: 'forget', scope: 'project', name: 'Turned' },
    { actor: 'person' },
  );
});

test('a note opens in an editor that saves through its rules; pinned, moved, and read-only texts', async (t) => {
  await memcode();
  const app = secondApp(t);
  const { memory, root } = await openedMemory(app);
  const person = { actor: 'person' } as const;
  const write = { act: 'remember', scope: 'project', name: 'Edited', body: 'Before.' } as const;
  await memory.write(root, write, person);
  t.after(() => vscode.commands.executeCommand('workbench.action.closeAllEditors'));
  const node = { kind: 'note', scope: 'project', name: 'Edited' };
  await vscode.commands.executeCommand(commandIds.editMemory, node);
  const editor = vscode.window.activeTextEditor!;
  assert.equal(editor.document.uri.scheme, memoryScheme);
  assert.equal(editor.document.getText(), 'Before.');
  await editor.edit((edit) => edit.insert(new vscode.Position(0, 7), ' After.'));
  assert.equal(await editor.document.save(), true);
  assert.equal((await memory.show(root, 'Edited')).body, 'Before. After.');

  await vscode.commands.executeCommand(commandIds.pinNote, node);
  assert.equal((await memory.show(root, 'Edited')).pinned, true);
  await vscode.commands.executeCommand(commandIds.moveNote, node);
  assert.equal((await memory.show(root, 'Edited')).scope, 'global');

  memory.setAgentWrites('ask');
  await call(toolIds.forget, { name: 'Edited' });
  const [asked] = await memory.pending(root);
  const waiting = { kind: 'waiting', waiting: asked?.id };
  await vscode.commands.executeCommand(commandIds.reviewMemoryWrite, waiting);
  const tab = vscode.window.tabGroups.activeTabGroup.activeTab;
  assert.ok(tab?.input instanceof vscode.TabInputTextDiff);
  assert.equal(tab.input.modified.scheme, waitingScheme);
  const replaced = await vscode.workspace.openTextDocument(tab.input.original);
  assert.equal(replaced.getText(), 'Before. After.');
  await vscode.commands.executeCommand(commandIds.rejectMemoryWrite, tab.input.modified);
  assert.deepEqual(await memory.pending(root), []);
  assert.equal((await memory.show(root, 'Edited')).body, 'Before. After.');
  await memory.write(root, { act: 'forget', scope: 'global', name: 'Edited' }, person);
});

test('a folder of the window that is gone from the disk is in nobody’s way', async (t) => {
  await memcode();
  const home = fs.mkdtempSync(path.join(os.tmpdir(), 'memcode-share-'));
  t.after(() => fs.rmSync(home, { recursive: true, force: true }));
  const own = Object.getOwnPropertyDescriptor(vscode.workspace, 'workspaceFolders');
  assert.ok(own);
  t.after(() => Object.defineProperty(vscode.workspace, 'workspaceFolders', own));
  const gone = { uri: vscode.Uri.file(path.join(home, 'gone')), name: 'gone', index: 1 };
  const folders = [...(vscode.workspace.workspaceFolders ?? []), gone];
  Object.defineProperty(vscode.workspace, 'workspaceFolders', { ...own, get: () => folders });
  (await shareMemory(home)).dispose();
});
