/** Memory in VS Code: the view, the texts of editors, the tools, and the parts that are loaded when somebody does something. */
import path from 'node:path';
import * as vscode from 'vscode';
import { memoryFolder } from '../base/home.ts';
import { isUserError, messageOf, UserError } from '../core/errors.ts';
import type { Root } from '../core/ids.ts';
import type { Edge } from './edge.ts';
import { registerLanguageTools } from './languageTools.ts';
import { Latest } from './latest.ts';
import type { MemoryActions } from './memoryActions.ts';
import { memoryBranches } from './memoryBranches.ts';
import { MemoryFiles } from './memoryFiles.ts';
import type { MemoryNode } from './memoryNode.ts';
import type { MemoryFilter } from './memoryRows.ts';
import {
  type MemorySights,
  pendingIn,
  readMemorySights,
  rootsOf,
  waitingCount,
} from './memorySights.ts';
import { MemoryTexts } from './memoryTexts.ts';
import { MemoryTree } from './memoryTree.ts';
import { contextKeys, memoryScheme, viewIds, waitingScheme } from './names.ts';
import type { OpenTimeline, TimelineHub } from './timelineHub.ts';
import type { RootFolder } from './timelineModel.ts';

export interface MemoryHostOptions {
  readonly hub: TimelineHub;
  readonly edge: Edge;
  /** Our home store; absolute. */
  readonly timelineHome: string;
  readonly warn: (sentence: string) => void;
}

export class MemoryHost implements vscode.Disposable {
  readonly #options: MemoryHostOptions;
  readonly #tree = new MemoryTree();
  readonly #view: vscode.TreeView<MemoryNode>;
  readonly #texts: MemoryTexts;
  readonly #files: MemoryFiles;
  readonly #disposables: vscode.Disposable[] = [];
  readonly #reads = new Latest(() => this.#read());
  #words: string | undefined;
  #actions: Promise<MemoryActions> | undefined;

  constructor(options: MemoryHostOptions) {
    const { hub, edge, timelineHome } = options;
    this.#options = options;
    this.#texts = new MemoryTexts({
      app: async () => (await hub.opened()).app,
      root: (name) => this.#rootNamed(name),
      l10n: vscode.l10n,
    });
    this.#files = new MemoryFiles(this.#texts);
    this.#view = vscode.window.createTreeView(viewIds.memory, {
      treeDataProvider: this.#tree,
      showCollapseAll: true,
      canSelectMany: true,
    });
    const look = (): void => this.changed();
    const files = { isCaseSensitive: true };
    this.#disposables.push(
      this.#view,
      this.#files,
      vscode.workspace.registerFileSystemProvider(memoryScheme, this.#files, files),
      vscode.workspace.registerFileSystemProvider(waitingScheme, this.#files, files),
      registerLanguageTools({ hub, root: () => this.root }),
      this.#view.onDidChangeVisibility(({ visible }) => {
        if (visible && !hub.failed) edge.start('Memory', () => this.#open());
      }),
      vscode.workspace.onDidSaveTextDocument(look),
      vscode.workspace.onDidChangeConfiguration((event) => {
        if (event.affectsConfiguration('memcode.memory')) look();
      }),
      this.#watch(memoryFolder(timelineHome), look),
    );
  }

  /** Whose memory is meant by who names no folder; null for that of all projects alone. */
  get root(): Root | null {
    if (!vscode.workspace.isTrusted) return null;
    const { hub } = this.#options;
    return hub.current?.model.session?.root ?? hub.roots()[0]?.root ?? null;
  }

  /** Whose memory is shown: nothing of a folder that is not trusted is read. */
  #folders(): readonly RootFolder[] {
    return vscode.workspace.isTrusted ? this.#options.hub.roots() : [];
  }

  /** Something was remembered, recorded or decided, here or elsewhere. */
  changed(): void {
    if (this.#options.hub.current !== undefined) void this.#readQuietly();
  }

  async act<T>(act: (actions: MemoryActions) => T): Promise<Awaited<T>> {
    this.#actions ??= this.#load();
    return await act(await this.#actions);
  }

  /** @param words undefined: everything is shown */
  async search(words: string | undefined): Promise<void> {
    this.#words = words;
    // Setting a context key cannot fail in a way that anybody could act on.
    void vscode.commands.executeCommand(
      'setContext',
      contextKeys.memorySearched,
      words !== undefined,
    );
    await this.#reads.ask();
  }

  dispose(): void {
    vscode.Disposable.from(...this.#disposables.reverse()).dispose();
  }

  async #open(): Promise<void> {
    await this.#options.hub.opened();
    await this.#reads.ask();
  }

  async #load(): Promise<MemoryActions> {
    const { MemoryActions: Actions } = await import('./memoryActions.ts');
    return new Actions({
      hub: this.#options.hub,
      texts: this.#texts,
      memoryFolder: memoryFolder(this.#options.timelineHome),
      root: () => this.root,
      folders: () => this.#folders(),
      rootNamed: (name) => this.#rootNamed(name),
      words: () => this.#words,
      search: (words) => this.search(words),
      changed: () => this.#reads.ask(),
    });
  }

  /** Nobody has asked for this: a failure is told in the view, and the next change tries again. */
  async #readQuietly(): Promise<void> {
    try {
      await this.#reads.ask();
    } catch (error) {
      this.#options.warn(messageOf(error));
      this.#view.message = messageOf(error);
    }
  }

  /** What nobody sees costs little: without the view only what waits is read. */
  async #read(): Promise<void> {
    const { hub } = this.#options;
    const { app } = hub.current ?? {};
    if (app === undefined) return;
    const folders = this.#folders();
    if (this.#view.visible) {
      const sights = await readMemorySights(app, folders);
      this.#show(sights, await this.#filter(app, folders));
      this.#showWaiting(waitingCount(sights));
    } else this.#showWaiting((await pendingIn(app, folders)).length);
    await this.#files.refresh();
  }

  #show(sights: MemorySights, filter: MemoryFilter | undefined): void {
    const branches = memoryBranches(sights, filter, vscode.env.language, vscode.l10n);
    this.#view.message = messageFor(sights, filter, branches.length) ?? '';
    this.#tree.show(branches);
  }

  #showWaiting(count: number): void {
    const tooltip =
      count === 1
        ? vscode.l10n.t('1 write to memory waits for your approval')
        : vscode.l10n.t('{0} writes to memory wait for your approval', count);
    this.#view.badge = count === 0 ? undefined : { value: count, tooltip };
  }

  async #filter(
    app: OpenTimeline['app'],
    folders: readonly RootFolder[],
  ): Promise<MemoryFilter | undefined> {
    const words = this.#words;
    if (words === undefined) return undefined;
    const memory = await app.memory();
    const found = new Set<string>();
    for (const root of rootsOf(folders)) {
      const { notes } = await memory.recall(root, { words, limit: 50 });
      for (const note of notes) found.add(note.path);
    }
    return { words, found };
  }

  #rootNamed(name: string): Root | null {
    if (name === '') return null;
    const { hub } = this.#options;
    const known = [...hub.roots().map(({ root }) => root), ...this.#rootsOfProjects()];
    const root = known.find((each) => each === name);
    if (root !== undefined && vscode.workspace.isTrusted) return root;
    throw new UserError('notFound', vscode.l10n.t('That folder is not of this window.'));
  }

  /** Their pages open notes, whatever folders the window has. */
  #rootsOfProjects(): readonly Root[] {
    const { app } = this.#options.hub.current ?? {};
    if (app === undefined) return [];
    return app.projects.list().flatMap(({ workdir, isMissing }) => {
      try {
        return isMissing ? [] : [app.rootOf(workdir)];
      } catch (error) {
        // It went a moment ago.
        if (!isUserError(error, 'notFound')) throw error;
        return [];
      }
    });
  }

  /** People edit files of memory by hand too. Where they cannot be watched, the next refresh shows it. */
  #watch(folder: string, changed: () => void): vscode.Disposable {
    const pattern = '{notes,facts,presets,portrait,documents,projects}/**';
    const watchers = [
      new vscode.RelativePattern(vscode.Uri.file(folder), pattern),
      '**/{AGENTS,CLAUDE}*.md',
    ].flatMap((glob) => {
      try {
        return [vscode.workspace.createFileSystemWatcher(glob)];
      } catch (error) {
        this.#options.warn(`${path.basename(folder)} cannot be watched: ${messageOf(error)}`);
        return [];
      }
    });
    const listen = watchers.flatMap((watcher) => [
      watcher,
      watcher.onDidChange(changed),
      watcher.onDidCreate(changed),
      watcher.onDidDelete(changed),
    ]);
    return vscode.Disposable.from(...listen);
  }
}

function messageFor(
  { common: { documents } }: MemorySights,
  filter: MemoryFilter | undefined,
  shown: number,
): string | undefined {
  const { l10n, workspace } = vscode;
  const told = [
    ...(workspace.isTrusted
      ? []
      : [
          l10n.t(
            'This workspace is in Restricted Mode: nothing of it is read. What is remembered for all projects is shown.',
          ),
        ]),
    ...(documents.isTrusted
      ? []
      : [l10n.t('This folder is not trusted: none of its documents is read.')]),
    ...(filter === undefined
      ? []
      : [
          shown === 0
            ? l10n.t('Nothing has “{0}”.', filter.words)
            : l10n.t('What has “{0}” is shown.', filter.words),
        ]),
  ];
  return told.length === 0 ? undefined : told.join(' ');
}
