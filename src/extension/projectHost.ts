/** Projects in VS Code: the view, what is watched, and the parts that are loaded when somebody does something. */
import * as vscode from 'vscode';
import type { Edge } from './edge.ts';
import { projectViewType, viewIds } from './names.ts';
import type { ProjectActions } from './projectActions.ts';
import type { ProjectPages } from './projectPages.ts';
import { ProjectTree } from './projectTree.ts';
import { type CurrentProject, ProjectWatch } from './projectWatch.ts';
import type { TimelineHub } from './timelineHub.ts';
import type { Memory } from './timelineModel.ts';

export interface ProjectHostOptions {
  readonly hub: TimelineHub;
  readonly edge: Edge;
  readonly memory: Memory;
  readonly extensionUri: vscode.Uri;
  readonly warn: (sentence: string) => void;
}

interface Parts {
  readonly actions: ProjectActions;
  readonly pages: ProjectPages;
}

export class ProjectHost implements vscode.Disposable {
  readonly #options: ProjectHostOptions;
  readonly #watch: ProjectWatch;
  readonly #tree: ProjectTree;
  readonly #disposable: vscode.Disposable;
  #parts: Promise<Parts> | undefined;
  #pages: ProjectPages | undefined;

  constructor(options: ProjectHostOptions) {
    const { hub, edge, memory } = options;
    this.#options = options;
    this.#watch = new ProjectWatch(hub, edge, memory);
    this.#tree = new ProjectTree(hub, () => this.#watch.current?.project.id);
    const view = vscode.window.createTreeView(viewIds.projects, { treeDataProvider: this.#tree });
    this.#disposable = vscode.Disposable.from(
      view,
      // A window without a folder opens the store only when somebody looks at projects.
      view.onDidChangeVisibility(({ visible }) => {
        if (visible && !hub.failed) edge.start('Projects', () => hub.opened());
      }),
      vscode.window.registerWebviewPanelSerializer(projectViewType, {
        deserializeWebviewPanel: async (panel, saved: unknown) => {
          await edge.run('Project page', async () =>
            (await this.#loaded()).pages.restore(panel, saved),
          );
        },
      }),
    );
  }

  get current(): CurrentProject | undefined {
    return this.#watch.current;
  }

  /** Something was recorded, committed or changed. */
  changed(): void {
    this.#watch.look();
    this.#tree.refresh();
  }

  async act<T>(act: (actions: ProjectActions) => T): Promise<Awaited<T>> {
    return await act((await this.#loaded()).actions);
  }

  dispose(): void {
    this.#disposable.dispose();
    this.#pages?.dispose();
  }

  #loaded(): Promise<Parts> {
    this.#parts ??= this.#load();
    return this.#parts;
  }

  async #load(): Promise<Parts> {
    const { hub, edge, extensionUri, warn } = this.#options;
    const { ProjectActions: Actions } = await import('./projectActions.ts');
    const { ProjectPages: Pages } = await import('./projectPages.ts');
    const actions = new Actions({
      hub,
      current: () => this.#watch.current?.project,
      openPage: (id) => pages.open(id),
    });
    const pages = new Pages({ hub, edge, extensionUri, warn, actions });
    this.#pages = pages;
    return { actions, pages };
  }
}
