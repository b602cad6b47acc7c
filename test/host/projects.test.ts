/** Projects in the extension host: the rows of their view, commands on them, the tab of their page. */
import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import type { ProjectSummary } from '../../src/core/project.ts';
import { commandIds, memoryScheme, projectViewType } from '../../src/extension/names.ts';
import { ProjectActions } from '../../src/extension/projectActions.ts';
import { ProjectTree } from '../../src/extension/projectTree.ts';
import type { TimelineHub } from '../../src/extension/timelineHub.ts';
import { memcode, ownFolder, recordTurn, secondHub, untilEvent } from './hostFixture.ts';
import { type HostTestContext, test } from './hostTest.ts';

/** A project with a session of one turn, and a hub over an app of its own. */
async function projectWithTurn(
  t: HostTestContext,
  session: string,
): Promise<{ readonly hub: TimelineHub; readonly project: ProjectSummary }> {
  await memcode();
  const folder = ownFolder(t);
  const file = vscode.Uri.joinPath(folder, 'a.txt');
  await recordTurn(session, 'Make a file', [{ file, content: 'a\n' }]);
  const hub = secondHub(t);
  const { app, model } = await hub.opened();
  const made = app.projects.create({ workdir: folder.fsPath, name: session });
  const found = model.sessions.find(({ summary }) => summary.id === session);
  assert.ok(found);
  const project = app.projects.attach(made.id, found.summary.id);
  t.after(() => app.projects.remove(project.id));
  return { hub, project };
}

test('the Projects view: a project, its session below it, the turns below that', async (t) => {
  const { hub, project } = await projectWithTurn(t, 'project rows');
  const tree = new ProjectTree(hub, () => project.id);
  const top = tree.getChildren().find((node) => 'project' in node && node.project === project.id);
  assert.ok(top);
  const row = tree.getTreeItem(top);
  assert.deepEqual(
    [row.label, row.description],
    ['project rows', 'active · 1 session · this folder'],
  );
  assert.equal(row.contextValue, 'project.active');
  const [session, ...others] = tree.getChildren(top);
  assert.ok(session);
  assert.deepEqual(others, []);
  assert.equal(tree.getTreeItem(session).label, 'Make a file');
  const [turn] = tree.getChildren(session);
  assert.ok(turn);
  const shown = tree.getTreeItem(turn);
  assert.deepEqual([shown.label, shown.description], ['Turn 1: Make a file', '1 file']);
  assert.equal(shown.command?.command, commandIds.openTurn);
});

test('commands take a row of the view; the page opens in a tab and goes with its project', async (t) => {
  const { hub, project } = await projectWithTurn(t, 'project commands');
  const { app } = await hub.opened();
  const row = { kind: 'project', project: project.id };
  await vscode.commands.executeCommand(commandIds.pauseProject, row);
  assert.equal(app.projects.get(project.id).status, 'paused');
  await vscode.commands.executeCommand(commandIds.resumeProject, row);
  assert.equal(app.projects.get(project.id).status, 'active');
  const [session] = app.projects.sessions(project.id);
  assert.ok(session);
  await vscode.commands.executeCommand(commandIds.detachSession, { session: session.id });
  assert.deepEqual(app.projects.get(project.id).sessions, []);

  const tab = () =>
    vscode.window.tabGroups.all
      .flatMap(({ tabs }) => tabs)
      .find(
        ({ input }) =>
          input instanceof vscode.TabInputWebview && input.viewType.endsWith(projectViewType),
      );
  t.after(async () => {
    const left = tab();
    if (left !== undefined) await vscode.window.tabGroups.close(left);
  });
  await vscode.commands.executeCommand(commandIds.openProject, row);
  await untilEvent(
    [vscode.window.tabGroups.onDidChangeTabs],
    () => tab()?.label === 'project commands',
  );
  app.projects.change(project.id, { name: 'renamed' });
  await untilEvent([vscode.window.tabGroups.onDidChangeTabs], () => tab()?.label === 'renamed');
});

test('a note of a project opens in an editor that saves by the rules of memory', async (t) => {
  const { hub, project } = await projectWithTurn(t, 'project note');
  const { app } = await hub.opened();
  const memory = await app.memory();
  const root = app.rootOf(project.workdir);
  const write = { act: 'remember', scope: 'project', name: 'Paged', body: 'Before.' } as const;
  await memory.write(root, write, { actor: 'person' });
  t.after(() => vscode.commands.executeCommand('workbench.action.closeAllEditors'));
  const actions = new ProjectActions({
    hub,
    current: () => undefined,
    openPage: async () => undefined,
  });
  await actions.openNote(project.id, 'Paged');
  const { document } = vscode.window.activeTextEditor!;
  assert.deepEqual([document.uri.scheme, document.getText()], [memoryScheme, 'Before.']);
  const edit = new vscode.WorkspaceEdit();
  edit.insert(document.uri, new vscode.Position(0, 7), ' After.');
  await vscode.workspace.applyEdit(edit);
  assert.equal(await document.save(), true);
  assert.equal((await memory.show(root, 'Paged')).body, 'Before. After.');
  await memory.write(root, { act: 'forget', scope: 'project', name: 'Paged' }, { actor: 'person' });
});
