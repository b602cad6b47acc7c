/** The open pages of projects, one tab a project: opens them, shows what is known, has done what they ask for. */
import * as vscode from 'vscode';
import { isUserError } from '../core/errors.ts';
import { asProjectId, asSessionId, asTurnId, type ProjectId } from '../core/ids.ts';
import type { ProjectSummary } from '../core/project.ts';
import { parseProjectIntent } from '../protocol/parseProjectIntent.ts';
import type {
  ProjectAct,
  ProjectIntent,
  ProjectMemory,
  ProjectState,
} from '../protocol/projectMessages.ts';
import { projectStrings } from '../protocol/projectStrings.ts';
import type { Edge } from './edge.ts';
import { projectViewType } from './names.ts';
import { PagePanel } from './pagePanel.ts';
import type { ProjectActions } from './projectActions.ts';
import { projectMemory } from './projectMemory.ts';
import { projectState } from './projectState.ts';
import type { TimelineHub } from './timelineHub.ts';
import { translated } from './translated.ts';

export interface ProjectPagesOptions {
  readonly hub: TimelineHub;
  readonly edge: Edge;
  readonly extensionUri: vscode.Uri;
  readonly warn: (sentence: string) => void;
  readonly actions: ProjectActions;
}

interface OpenPage {
  readonly panel: PagePanel<ProjectState, ProjectIntent>;
  disk: number | null;
  memory: ProjectMemory | null;
}

type App = NonNullable<TimelineHub['current']>['app'];

const mostCommits = 50;

export class ProjectPages implements vscode.Disposable {
  readonly #options: ProjectPagesOptions;
  readonly #pages = new Map<ProjectId, OpenPage>();
  readonly #subscription: vscode.Disposable;
  #version = 0;

  constructor(options: ProjectPagesOptions) {
    this.#options = options;
    this.#subscription = options.hub.onDidChange(() => {
      for (const [id, { panel }] of this.#pages) {
        panel.show();
        if (panel.visible) this.#readMemory(id);
      }
    });
  }

  /** Opens the page of a project, or brings it to the front. @throws UserError `notFound`. */
  async open(id: ProjectId): Promise<void> {
    const { app } = await this.#options.hub.opened();
    const { name } = app.projects.get(id);
    const known = this.#pages.get(id);
    if (known === undefined)
      this.#create(
        id,
        app,
        vscode.window.createWebviewPanel(projectViewType, name, vscode.ViewColumn.Active),
      );
    else {
      known.panel.reveal();
      this.#measure(id, app);
    }
  }

  /** Fills a tab that VS Code brought back. @param saved what its page had kept */
  async restore(panel: vscode.WebviewPanel, saved: unknown): Promise<void> {
    const id = projectOf(saved);
    if (id === undefined || this.#pages.has(id)) {
      panel.dispose();
      return;
    }
    const { app } = await this.#options.hub.opened();
    this.#create(id, app, panel);
  }

  dispose(): void {
    this.#subscription.dispose();
    for (const { panel } of [...this.#pages.values()]) panel.dispose();
  }

  #create(id: ProjectId, app: App, raw: vscode.WebviewPanel): void {
    const { edge, extensionUri, warn } = this.#options;
    const panel = new PagePanel<ProjectState, ProjectIntent>(raw, extensionUri, {
      bundle: 'project',
      title: () => known(app, id)?.name ?? vscode.l10n.t('Project'),
      state: () => this.#state(app, id),
      parse: parseProjectIntent,
      intent: (intent) =>
        edge.start(`Project page ${intent.type}`, () => this.#obey(id, intent, panel)),
      warn,
      closed: () => this.#pages.delete(id),
    });
    this.#pages.set(id, { panel, disk: null, memory: null });
    this.#measure(id, app);
  }

  /** Nobody waits for it: it is shown when it is known. */
  #measure(id: ProjectId, app: App): void {
    if (known(app, id) === undefined) return;
    this.#options.edge.start('Measuring a project', async () => {
      const disk = await app.projects.diskUse(id);
      const page = this.#pages.get(id);
      if (page === undefined) return;
      page.disk = disk;
      page.panel.show();
    });
  }

  /** What is remembered of the folder; nothing where it is missing. */
  #readMemory(id: ProjectId): void {
    const page = this.#pages.get(id);
    if (page === undefined) return;
    this.#options.edge.start('Memory of a project', async () => {
      const { app } = await this.#options.hub.opened();
      const project = known(app, id);
      if (project === undefined || project.isMissing) return;
      const read = await projectMemory(await app.memory(), app.rootOf(project.workdir));
      if (JSON.stringify(read) === JSON.stringify(page.memory)) return;
      page.memory = read;
      page.panel.show();
    });
  }

  #state(app: App, id: ProjectId): ProjectState {
    const project = known(app, id);
    const { projects } = app;
    return projectState({
      version: ++this.#version,
      now: Date.now(),
      locale: vscode.env.language,
      strings: translated(projectStrings),
      trusted: vscode.workspace.isTrusted,
      disk: this.#pages.get(id)?.disk ?? null,
      memory: this.#pages.get(id)?.memory ?? null,
      project,
      sessions: project === undefined ? [] : projects.sessions(id),
      commits: project === undefined ? [] : projects.commits(id, mostCommits),
      turn: (commit) => orNothing(() => app.turn(commit.turn)),
    });
  }

  async #obey(
    id: ProjectId,
    intent: ProjectIntent,
    panel: PagePanel<ProjectState, ProjectIntent>,
  ): Promise<void> {
    const { actions } = this.#options;
    switch (intent.type) {
      case 'ready':
        this.#readMemory(id);
        break;
      case 'act':
        await this.#act(id, intent.act);
        break;
      case 'setStatus':
        await actions.setStatus(intent.status, id);
        break;
      case 'setAutoCommit':
        await actions.setAutoCommit(id, intent.mode);
        break;
      case 'setJoins':
        await actions.setJoins(id, intent.byFolder);
        break;
      case 'openTurn':
        await actions.openTurn(asTurnId(intent.turn));
        break;
      case 'commitTurn':
        await actions.commitTurn(asTurnId(intent.turn));
        break;
      case 'openSession':
        await actions.openSession(asSessionId(intent.session));
        break;
      case 'openNote':
        await actions.openNote(id, intent.name);
        break;
      case 'detach':
        await actions.detach(asSessionId(intent.session));
        break;
    }
    // Also where nothing came of it: a list in the page goes back to what is so.
    panel.show();
  }

  #act(id: ProjectId, act: ProjectAct): unknown {
    const { actions } = this.#options;
    switch (act) {
      case 'rename':
        return actions.rename(id);
      case 'remove':
        return actions.remove(id);
      case 'locate':
        return actions.locate(id);
      case 'attach':
        return actions.attach({ project: id });
      case 'openFolder':
        return actions.openFolder(id);
      case 'showSettings':
        return vscode.commands.executeCommand(
          'workbench.action.openSettings',
          '@ext:memcode.memcode-timeline',
        );
      case 'initRepository':
        return actions.initRepository(id);
    }
  }
}

function known(app: App, id: ProjectId): ProjectSummary | undefined {
  return orNothing(() => app.projects.get(id));
}

function orNothing<T>(look: () => T): T | undefined {
  try {
    return look();
  } catch (error) {
    if (isUserError(error, 'notFound')) return undefined;
    throw error;
  }
}

function projectOf(saved: unknown): ProjectId | undefined {
  if (typeof saved !== 'object' || saved === null || !('project' in saved)) return undefined;
  return typeof saved.project === 'string' ? asProjectId(saved.project) : undefined;
}
