/** What people do in the Memory view, with questions answered from a script over a real store and real editors. */
import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import * as vscode from 'vscode';
import type { MemoryContextUse } from '../../src/app/memoryContextUse.ts';
import type { MemoryUse } from '../../src/app/memoryUse.ts';
import { memoryFolder } from '../../src/base/home.ts';
import type { Root } from '../../src/core/ids.ts';
import { MemoryActions } from '../../src/extension/memoryActions.ts';
import { memoryBranches } from '../../src/extension/memoryBranches.ts';
import type { MemoryNode } from '../../src/extension/memoryNode.ts';
import { readMemorySights } from '../../src/extension/memorySights.ts';
import { MemoryTexts } from '../../src/extension/memoryTexts.ts';
import { MemoryTree } from '../../src/extension/memoryTree.ts';
import { memoryScheme } from '../../src/extension/names.ts';
import type { RootFolder } from '../../src/extension/timelineModel.ts';
import { memcode, ownFolder, secondHub, untilEvent, workspaceFolder } from './hostFixture.ts';
import { type HostTestContext, test } from './hostTest.ts';
import { type ScriptedWindow, scriptedWindow } from './scriptedWindow.ts';

interface Stage {
  readonly actions: MemoryActions;
  readonly memory: MemoryUse;
  readonly window: ScriptedWindow;
  readonly folders: readonly RootFolder[];
  readonly context: MemoryContextUse;
  /** After each act that changed memory. */
  readonly onDidChange: vscode.Event<void>;
  /** As the view shows it: label, or label: what is below it. */
  rows(): Promise<readonly string[]>;
  /** Reads for a view. */
  show(tree: MemoryTree): Promise<void>;
}

/** @param names of folders in the window; none: the workspace */
async function stage(t: HostTestContext, ...names: readonly string[]): Promise<Stage> {
  await memcode();
  const hub = secondHub(t);
  const { app } = await hub.opened();
  const parent = names.length === 0 ? undefined : ownFolder(t);
  const folders = (parent === undefined ? [''] : names).map((folder): RootFolder => {
    const at = parent === undefined ? workspaceFolder().fsPath : path.join(parent.fsPath, folder);
    if (parent !== undefined) fs.mkdirSync(path.join(at, '.git'), { recursive: true });
    return { root: app.rootOf(at), folder };
  });
  const rootNamed = (name: string): Root | null => folders.find(({ root }) => root === name)!.root;
  const texts = new MemoryTexts({ app: async () => app, root: rootNamed, l10n: vscode.l10n });
  const changed = new vscode.EventEmitter<void>();
  t.after(() => changed.dispose());
  const actions = new MemoryActions({
    ...{ hub, texts, rootNamed },
    memoryFolder: memoryFolder(process.env['MEMCODE_TIMELINE_HOME']!),
    root: () => folders[0]!.root,
    folders: () => folders,
    words: () => undefined,
    search: async () => undefined,
    changed: async () => changed.fire(),
  });
  t.after(() => vscode.commands.executeCommand('workbench.action.closeAllEditors'));
  const show = async (tree: MemoryTree): Promise<void> =>
    tree.show(memoryBranches(await readMemorySights(app, folders), undefined, 'en', vscode.l10n));
  return {
    ...{ actions, folders, window: scriptedWindow(t), onDidChange: changed.event },
    memory: await app.memory(),
    context: await app.memoryContext(),
    show,
    async rows() {
      const tree = new MemoryTree();
      await show(tree);
      const below = (node?: MemoryNode): string[] =>
        tree.getChildren(node).map((each) => {
          const { label } = tree.getTreeItem(each);
          const children = below(each);
          return children.length === 0 ? `${label}` : `${label}: ${children.join(', ')}`;
        });
      return below();
    },
  };
}

const note = (name: string, root?: string) =>
  ({ kind: 'note', scope: 'project', name, ...(root && { root }) }) as const;

async function facts({ memory, folders }: Stage) {
  const sheets = await memory.facts(folders[0]!.root);
  return Object.fromEntries(sheets.flatMap((s) => s.facts.map(({ key, value }) => [key, value])));
}

test('a fact is added, edited, forgotten and brought back', async (t) => {
  const on = await stage(t);
  const { actions, window } = on;
  window.answer({ pick: 'About this project' }, { type: 'test_command' }, { type: 'npm test' });
  await actions.add.fact(undefined);
  assert.deepEqual(await facts(on), { test_command: 'npm test' });
  const node = { kind: 'fact', scope: 'environment', key: 'test_command' } as const;
  window.answer({ type: 'npm run check' });
  await actions.edit(node);
  assert.deepEqual(await facts(on), { test_command: 'npm run check' });
  window.answer({ press: 'Forget' }, { press: 'Undo' });
  let changes = 0;
  // The message is answered after the act, and nobody waits for it.
  const undone = untilEvent([on.onDidChange], () => changes++ === 2);
  await actions.forget(node);
  await undone;
  assert.deepEqual(await facts(on), { test_command: 'npm run check' });
  window.answer({ press: 'Forget' }, { press: 'Close' });
  await actions.forget(node);
  assert.deepEqual(await facts(on), {});
  await assert.rejects(actions.edit(node), { code: 'notFound' });
});

test('the view asks for rows anew only where they changed', async (t) => {
  const { folders, memory, show } = await stage(t, 'shop');
  const tree = new MemoryTree();
  let changes = 0;
  const listener = tree.onDidChangeTreeData(() => changes++);
  t.after(() => listener.dispose());
  const write = (body: string) =>
    memory.write(
      folders[0]!.root,
      { act: 'remember', scope: 'project', name: 'New', body },
      { actor: 'person' },
    );
  await write('Text.');
  await show(tree);
  await show(tree);
  assert.equal(changes, 1);
  await write('Another text.');
  await show(tree);
  assert.equal(changes, 2);
});

test('a note is renamed, given in one mode, forgotten, and found in its history', async (t) => {
  const on = await stage(t);
  const { actions, memory, window, folders } = on;
  const [{ root }] = folders as [RootFolder];
  window.answer({ pick: 'For this project' }, { type: 'Run npm ci first.' }, { type: 'Setup' });
  await actions.add.note(undefined);
  window.answer({ type: 'Installation' });
  await actions.rename(note('Setup'));
  window.answer({ pick: 'Only in cowork' });
  await actions.setMode(note('Installation'));
  const { mode, body } = await memory.show(root, 'Installation');
  assert.deepEqual([mode, body], ['cowork', 'Run npm ci first.']);
  await memory.edit(root, 'Installation', { body: 'Run npm install first.' });
  window.answer({ pick: 'In all modes' });
  await actions.setMode(note('Installation'));
  assert.equal((await memory.show(root, 'Installation')).mode, null);

  window.answer({ press: 'Forget' }, { press: 'Close' });
  await actions.forget(note('Installation'));
  assert.deepEqual(await memory.list(root), []);
  window.answer(
    { pick: 'A note that was forgotten…' },
    { type: 'Installation' },
    { pick: 'Removed', button: 0 },
  );
  await actions.past.history(undefined);
  assert.equal((await memory.show(root, 'Installation')).body, 'Run npm install first.');
  window.answer({ pick: 'Written', nth: 1, button: 0 });
  await actions.past.history(note('Installation'));
  assert.equal((await memory.show(root, 'Setup')).body, 'Run npm ci first.');
  window.answer({ press: 'Forget' }, { press: 'Close' });
  await actions.forget(note('Setup'));
});

test('a line goes to a person’s own document of the folder, which opens', async (t) => {
  const { actions, window } = await stage(t);
  const file = vscode.Uri.joinPath(workspaceFolder(), 'AGENTS.local.md');
  t.after(() => fs.rmSync(file.fsPath));
  window.answer({ pick: 'Yours, here' }, { type: 'Ask before you push.' }, { press: 'Open' });
  const opened = new Promise((resolve) => {
    const listener = vscode.window.onDidChangeActiveTextEditor((editor) => {
      if (editor?.document.uri.toString() === file.toString()) resolve(undefined);
    });
    t.after(() => listener.dispose());
  });
  await actions.add.toDocument(undefined);
  assert.match(fs.readFileSync(file.fsPath, 'utf8'), /## Notes\n+- Ask before you push\.\n/);
  await opened;
});

test('memory goes into the AGENTS.md of a folder and comes back, asked where somebody changed it', async (t) => {
  const { actions, folders, memory, window } = await stage(t, 'shop', 'site');
  const [shop, site] = folders as [RootFolder, RootFolder];
  const file = path.join(site.root, 'AGENTS.md');
  await memory.write(
    site.root,
    { act: 'setFact', scope: 'environment', key: 'port', value: '80' },
    { actor: 'person' },
  );
  window.answer({ pick: 'site' }, { press: 'Close' });
  await actions.exchange.export(undefined);
  assert.match(fs.readFileSync(file, 'utf8'), /- port: 80\n/);
  assert.equal(fs.existsSync(path.join(shop.root, 'AGENTS.md')), false);

  const node = { kind: 'folder', root: site.root } as const;
  const edited = fs.readFileSync(file, 'utf8').replace('80', '8080');
  fs.writeFileSync(file, edited);
  window.answer({ press: 'Cancel' });
  await actions.exchange.export(node);
  assert.equal(fs.readFileSync(file, 'utf8'), edited);
  window.answer({ press: 'Import First' }, { press: 'Take What AGENTS.md Says' });
  await actions.exchange.export(node);
  const [, sheet] = await memory.facts(site.root);
  assert.deepEqual(sheet?.facts, [{ key: 'port', value: '8080' }]);
  await memory.write(
    site.root,
    { act: 'setFact', scope: 'environment', key: 'port', value: '90' },
    { actor: 'person' },
  );
  window.answer({ press: 'Write Over It' }, { press: 'Close' });
  await actions.exchange.export(node);
  assert.match(fs.readFileSync(file, 'utf8'), /- port: 90\n/);
});

test('a preset is added, its text written in an editor, used, and removed', async (t) => {
  const { actions, context, window, rows } = await stage(t);
  window.answer({ type: 'Terse' });
  await actions.presets.add();
  const { document } = vscode.window.activeTextEditor!;
  assert.equal(document.uri.scheme, memoryScheme);
  const edit = new vscode.WorkspaceEdit();
  edit.insert(document.uri, new vscode.Position(0, 0), 'Say little.');
  await vscode.workspace.applyEdit(edit);
  assert.equal(await document.save(), true);
  window.answer({ pick: 'Terse' });
  await actions.presets.switch();
  const shown = (await rows()).find((row) => row.startsWith('Presets'));
  assert.match(shown ?? '', /Terse/);
  const { set } = context.presets();
  const terse = set.items.find(({ name }) => name === 'Terse');
  assert.deepEqual([terse?.content, set.active], ['Say little.', terse?.id]);
  window.answer({ press: 'Remove' });
  await actions.presets.remove(terse!.id);
  assert.doesNotMatch((await rows()).join(), /Terse/);
});

test('where a window has several folders each has its own memory, and one picks whose is meant', async (t) => {
  const { actions, context, folders, memory, rows, window } = await stage(t, 'shop', 'site');
  const [shop, site] = folders as [RootFolder, RootFolder];
  fs.writeFileSync(path.join(site.root, 'AGENTS.md'), 'Be kind.');
  window.answer({ pick: 'For site' }, { type: 'Deploys on Friday.' }, { type: 'Deploy' });
  await actions.add.note(undefined);
  assert.deepEqual(window.offered[0], ['For shop', 'For site', 'For all projects']);
  window.answer({ type: 'Never deploys.' }, { type: 'Deploy' });
  await actions.add.note({ kind: 'folder', root: shop.root });
  window.answer({ pick: 'About site' }, { type: 'port' }, { type: '8080' });
  await actions.add.fact(undefined);
  memory.setAgentWrites('ask');
  const asked = { act: 'remember', scope: 'project', name: 'Later', body: 'Wait.' } as const;
  const agent = { actor: 'agent', agent: 'host-test' } as const;
  const waits = await memory.write(site.root, asked, agent);
  const shown = await rows();
  assert.deepEqual(shown.slice(0, 2), [
    'shop: Notes of This Project: Deploy',
    'site: Waiting for Approval: Remember Later, Notes of This Project: Deploy, Facts About This Project: port, Documents: AGENTS.md',
  ]);
  assert.ok(shown.slice(2).every((row) => !/Deploy|port|Later|AGENTS/.test(row)));

  window.answer({ type: 'Release' });
  await actions.rename(note('Deploy', site.root));
  assert.equal((await memory.show(site.root, 'Release')).body, 'Deploys on Friday.');
  assert.equal((await memory.show(shop.root, 'Deploy')).body, 'Never deploys.');
  assert.ok(waits.kind === 'staged');
  const row = { kind: 'waiting', waiting: waits.pending.id, root: site.root };
  await actions.waiting.approve(row, undefined);
  assert.equal((await memory.show(site.root, 'Later')).scope, 'project');

  await actions.move(note('Release', site.root));
  const moved = { kind: 'note', scope: 'global', name: 'Release' } as const;
  window.answer({ pick: 'shop' });
  await actions.move(moved);
  assert.equal((await memory.show(shop.root, 'Release')).scope, 'project');
  await memory.edit(shop.root, 'Release', { body: 'On Monday.' });
  window.answer({ pick: 'Release' }, { pick: 'Changed', nth: 1, button: 0 });
  await actions.past.history(undefined);
  assert.ok(window.offered.at(-2)?.includes('Later'));
  const back = await memory.show(shop.root, 'Release');
  assert.deepEqual([back.scope, back.body], ['project', 'Deploys on Friday.']);
  window.answer({ pick: 'Of the project, shared' }, { type: 'Be quick.' }, { press: 'Close' });
  await actions.add.toDocument({ kind: 'group', group: 'documents', root: site.root });
  assert.match(context.raw(site.root, path.join(site.root, 'AGENTS.md')) ?? '', /- Be quick\.\n$/);
});
