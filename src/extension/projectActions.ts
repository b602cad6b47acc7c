/** What people do with projects, with VS Code's pickers and dialogs. Loaded with its first use. */
import path from 'node:path';
import * as vscode from 'vscode';
import type { AutoCommitMode } from '../core/autoCommit.ts';
import { UserError } from '../core/errors.ts';
import type { ProjectId, SessionId, TurnId } from '../core/ids.ts';
import type { ProjectStatus, ProjectSummary } from '../core/project.ts';
import type { SessionSummary } from '../core/timeline.ts';
import { askModally, tellQuietly } from './dialogs.ts';
import { inputLine } from './inputLine.ts';
import { memoryUri } from './memoryFiles.ts';
import { commandIds } from './names.ts';
import { needTrust } from './needTrust.ts';
import { pickEntry, pickUnlessOnly } from './pickEntry.ts';
import { pickMany } from './pickMany.ts';
import {
  autoCommitFlow,
  importProjectsFlow,
  isSameFolder,
  type NewProjectFacts,
  newProjectFlow,
  type ProjectFlowContext,
  removeProjectFlow,
} from './projectFlows.ts';
import { projectRow } from './projectItems.ts';
import { committedText } from './projectNotice.ts';
import { revertCommitsFlow } from './revertCommitsFlow.ts';
import { sessionEntries } from './sessionEntries.ts';
import { type OpenTimeline, presentFolders, type TimelineHub } from './timelineHub.ts';

export interface ProjectActionsOptions {
  readonly hub: TimelineHub;
  /** The project of what is looked at. */
  readonly current: () => ProjectSummary | undefined;
  readonly openPage: (id: ProjectId) => Promise<void>;
}

export class ProjectActions {
  readonly #options: ProjectActionsOptions;

  constructor(options: ProjectActionsOptions) {
    this.#options = options;
  }

  async create(): Promise<void> {
    needTrust();
    const { app, model } = await this.#options.hub.opened();
    const folders = this.#folders(app);
    const { summary: session } = model.session ?? {};
    const made = await newProjectFlow({ folders, ...(session && { session }) }, this.#context(app));
    if (made !== undefined) await this.#options.openPage(made.id);
  }

  /** @param id default: that of what is looked at, or one that is picked. */
  async openPage(id?: ProjectId): Promise<void> {
    const wanted = id ?? this.#options.current()?.id ?? (await this.#meant(undefined))?.id;
    if (wanted !== undefined) await this.#options.openPage(wanted);
  }

  async rename(id?: ProjectId): Promise<void> {
    needTrust();
    const project = await this.#meant(id);
    const name =
      project &&
      (await inputLine({
        title: vscode.l10n.t('Rename Project'),
        prompt: vscode.l10n.t('Name of the project in {0}', project.workdir),
        value: project.name,
        empty: vscode.l10n.t('A project needs a name.'),
      }));
    if (name !== undefined) await this.#change(project, { name });
  }

  async setStatus(status: ProjectStatus, id?: ProjectId): Promise<void> {
    needTrust();
    const project = await this.#meant(id, (one) => one.status !== status);
    if (project !== undefined) await this.#change(project, { status });
  }

  async setJoins(id: ProjectId, joinsByFolder: boolean): Promise<void> {
    needTrust();
    await this.#change(await this.#meant(id), { joinsByFolder });
  }

  async setAutoCommit(id?: ProjectId, mode?: AutoCommitMode): Promise<void> {
    needTrust();
    const { app } = await this.#options.hub.opened();
    const project = await this.#meant(id);
    if (project !== undefined) await autoCommitFlow(project, mode, this.#context(app));
  }

  async remove(id?: ProjectId): Promise<void> {
    needTrust();
    const { app } = await this.#options.hub.opened();
    const project = await this.#meant(id);
    if (project !== undefined) await removeProjectFlow(project, this.#context(app));
  }

  /** Says where the folder of a project is now. */
  async locate(id?: ProjectId): Promise<void> {
    needTrust();
    const { app } = await this.#options.hub.opened();
    const project = await this.#meant(id);
    const folder =
      project && (await chooseFolder(vscode.l10n.t('Where is {0} now?', project.name)));
    if (project !== undefined && folder !== undefined) app.projects.relocate(project.id, folder);
  }

  async attach(given: {
    readonly project?: ProjectId;
    readonly session?: SessionId;
  }): Promise<void> {
    needTrust();
    const { app, model } = await this.#options.hub.opened();
    const session =
      given.session ??
      (await pickSession(
        model,
        vscode.l10n.t('Attach Session to Project'),
        vscode.l10n.t('No agent turn has been recorded in this window yet.'),
      ));
    if (session === undefined) return;
    const project = await this.#meant(given.project, ({ sessions }) => !sessions.includes(session));
    if (project === undefined) return;
    app.projects.attach(project.id, session);
    const sentence = vscode.l10n.t(
      'The session belongs to {0}. Its turns from now on count for the project.',
      project.name,
    );
    void tellQuietly(sentence, []);
  }

  /** @param given default: the person picks one that belongs to a project. */
  async detach(given?: SessionId): Promise<void> {
    needTrust();
    const { app, model } = await this.#options.hub.opened();
    const session =
      given ??
      (await pickSession(
        model,
        vscode.l10n.t('Take Session Out of Project'),
        vscode.l10n.t('No session of this window belongs to a project.'),
        ({ project }) => project !== undefined,
      ));
    if (session === undefined) return;
    app.projects.detach(session);
    if (given === undefined)
      void tellQuietly(vscode.l10n.t('The session belongs to no project any more.'), []);
  }

  async importProjects(): Promise<void> {
    needTrust();
    const { app } = await this.#options.hub.opened();
    const folders = this.#folders(app).map(({ path: at }) => at);
    const made = await importProjectsFlow(folders, this.#context(app));
    const [only, ...others] = made;
    if (only === undefined) return;
    const sentence =
      others.length === 0
        ? vscode.l10n.t('{0} is a project now.', only.name)
        : vscode.l10n.t('{0} folders are projects now.', made.length);
    void tellQuietly(sentence, []);
  }

  async initRepository(id: ProjectId): Promise<void> {
    needTrust();
    const { app } = await this.#options.hub.opened();
    app.projects.initRepository(id);
  }

  /** Commits what the agent alone changed in a turn that was skipped. */
  async commitTurn(turn: TurnId): Promise<void> {
    needTrust();
    const { app } = await this.#options.hub.opened();
    const commit = await app.projects.commitAgentPaths(turn);
    const project = app.projects.get(commit.project);
    const { number } = app.turn(turn);
    void tellQuietly(committedText(commit, project, number, vscode.l10n), []);
  }

  /** @param of a root; default: that of the session that is looked at, or of the first folder. */
  async revertCommits(of?: string): Promise<void> {
    needTrust();
    const { app, model } = await this.#options.hub.opened();
    const roots = this.#options.hub.roots();
    const named = roots.find(({ root }) => root === of)?.root;
    const root = named ?? model.session?.root ?? roots[0]?.root;
    if (root === undefined) throw new UserError('nothingToDo', vscode.l10n.t('No folder is open.'));
    const { l10n } = vscode;
    const done = await revertCommitsFlow(root, { app, l10n, ask: askModally });
    if (done !== undefined) void tellQuietly(done, []);
  }

  /** Its changes; what was said, where its files are not of this window. */
  async openTurn(turn: TurnId): Promise<void> {
    const { app, model } = await this.#options.hub.opened();
    const summary = app.turn(turn);
    const isHere = model.rootOfTurn(summary) !== undefined && summary.files.length > 0;
    const command = isHere ? commandIds.showTurnChanges : commandIds.readTurn;
    await vscode.commands.executeCommand(command, turn);
  }

  /** In the timeline. @throws UserError `notFound` for one of another window's folder. */
  async openSession(session: SessionId): Promise<void> {
    const { model } = await this.#options.hub.opened();
    if (!model.sessions.some(({ summary }) => summary.id === session))
      throw new UserError('notFound', vscode.l10n.t('That session is not of this window.'));
    await vscode.commands.executeCommand(commandIds.selectSession, session);
    await vscode.commands.executeCommand(commandIds.openTimeline);
  }

  /** A note of the project in an editor that saves by memory's rules. @throws UserError `notFound`. */
  async openNote(id: ProjectId, name: string): Promise<void> {
    const { app } = await this.#options.hub.opened();
    const memory = await app.memory();
    const root = app.rootOf(app.projects.get(id).workdir);
    const note = await memory.show(root, name, 'project');
    const text = { kind: 'note', root, scope: 'project', name: note.name } as const;
    await vscode.commands.executeCommand('vscode.open', memoryUri(text, note.name));
  }

  async openFolder(id: ProjectId): Promise<void> {
    const { app } = await this.#options.hub.opened();
    const { workdir } = app.projects.get(id);
    await vscode.commands.executeCommand('vscode.openFolder', vscode.Uri.file(workdir), {
      forceNewWindow: true,
    });
  }

  /** Of this window; with the top of the repository, where a folder is a part of one. */
  #folders(app: OpenTimeline['app']): NewProjectFacts['folders'] {
    const all = presentFolders().flatMap(({ name, uri }) => {
      const root = app.rootOf(uri.fsPath);
      const own = { name, path: uri.fsPath };
      return isSameFolder(root, own.path)
        ? [own]
        : [own, { name: path.basename(root), path: root }];
    });
    return all.filter((each, index) => all.findIndex((one) => one.path === each.path) === index);
  }

  async #change(
    project: ProjectSummary | undefined,
    change: Parameters<OpenTimeline['app']['projects']['change']>[1],
  ): Promise<void> {
    const { app } = await this.#options.hub.opened();
    if (project !== undefined) app.projects.change(project.id, change);
  }

  /** The project that is named, or one that is picked. @throws UserError `nothingToDo` without any, `notFound`. */
  async #meant(
    id: ProjectId | undefined,
    fits: (project: ProjectSummary) => boolean = () => true,
  ): Promise<ProjectSummary | undefined> {
    const { app } = await this.#options.hub.opened();
    if (id !== undefined) return app.projects.get(id);
    const here = this.#options.current()?.id;
    const entries = app.projects
      .list()
      .filter(fits)
      .map((project) => {
        const isHere = project.id === here;
        const { label, description, icon } = projectRow(project, isHere, null, vscode.l10n);
        const shown = { label, description, icon, detail: project.workdir };
        return { kind: 'item' as const, ...shown, value: project, active: isHere };
      });
    return pickUnlessOnly(entries, {
      title: vscode.l10n.t('Projects'),
      placeholder: vscode.l10n.t('Which project?'),
      empty: vscode.l10n.t('There is no such project. Make one with “New Project…”.'),
    });
  }

  #context(app: OpenTimeline['app']): ProjectFlowContext {
    return {
      projects: app.projects,
      l10n: vscode.l10n,
      ask: askModally,
      pick: pickEntry,
      pickMany,
      input: inputLine,
      chooseFolder,
    };
  }
}

function pickSession(
  { sessions, session }: OpenTimeline['model'],
  title: string,
  empty: string,
  fits: (session: SessionSummary) => boolean = () => true,
): Promise<SessionId | undefined> {
  const fitting = sessions.filter(({ summary }) => fits(summary));
  return pickUnlessOnly(
    sessionEntries(fitting, session?.summary.id, vscode.env.language, vscode.l10n),
    { title, placeholder: vscode.l10n.t('Which session?'), empty },
  );
}

async function chooseFolder(title: string): Promise<string | undefined> {
  const [chosen] =
    (await vscode.window.showOpenDialog({
      title,
      canSelectFiles: false,
      canSelectFolders: true,
      openLabel: vscode.l10n.t('Choose'),
    })) ?? [];
  return chosen?.fsPath;
}
