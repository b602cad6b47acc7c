/** The extension's composition root: wires store, views, commands and notices, and shows the model after each change. */
import os from 'node:os';
import path from 'node:path';
import * as vscode from 'vscode';
import type { SideContent, TimelineApp } from '../app/timelineApp.ts';
import { asTurnId } from '../core/ids.ts';
import type { Intent, ViewCommand } from '../protocol/messages.ts';
import { viewStrings } from '../protocol/viewStrings.ts';
import { AgentActions } from './agentActions.ts';
import type { MemcodeApi } from './api.ts';
import { registerCommands } from './commands.ts';
import { Edge } from './edge.ts';
import { EditorOffers } from './editorOffers.ts';
import { exportedApi } from './exportedApi.ts';
import type { Installation } from './installation.ts';
import { KnownSnapshots } from './knownSnapshots.ts';
import { LookActions } from './lookActions.ts';
import { MemoryHost } from './memoryHost.ts';
import { type CommandId, commandIds, contextKeys, turnScheme, viewIds } from './names.ts';
import { OperationRunner } from './operationRunner.ts';
import { ProjectHost } from './projectHost.ts';
import { RecoveryActions } from './recoveryActions.ts';
import { RewindActions } from './rewindActions.ts';
import { SessionActions } from './sessionActions.ts';
import { firstLine } from './shortText.ts';
import { SnapshotActions } from './snapshotActions.ts';
import { startState } from './startState.ts';
import { registerStartView } from './startView.ts';
import { StatusBar } from './statusBar.ts';
import { type StatusFacts, shortFolder } from './statusText.ts';
import { storedContent } from './storedContent.ts';
import { localFolders, TimelineHub } from './timelineHub.ts';
import { TimelinePresenter } from './timelinePresenter.ts';
import { TimelineView } from './timelineView.ts';
import { translated } from './translated.ts';
import { TurnEditors } from './turnEditors.ts';
import { TurnFileSystem } from './turnFileSystem.ts';
import { type AnyStoredFile, isTextFile } from './turnUri.ts';

export interface HostOptions {
  readonly context: vscode.ExtensionContext;
  readonly log: vscode.LogOutputChannel;
  /** @throws UserError when the store cannot be opened. */
  readonly openApp: () => Promise<TimelineApp>;
  readonly installation: Installation;
}

const commandOfView: Readonly<Record<ViewCommand, CommandId>> = {
  showHistory: commandIds.viewFullHistory,
  connectAgent: commandIds.connectAgent,
  showLog: commandIds.showLog,
  refresh: commandIds.refresh,
};

export class TimelineHost implements vscode.Disposable {
  readonly api: MemcodeApi;
  readonly #disposables: vscode.Disposable[] = [];
  readonly #edge: Edge;
  readonly #hub: TimelineHub;
  readonly #presenter: TimelinePresenter;
  readonly #view: TimelineView;
  readonly #status: StatusBar;
  readonly #files: TurnFileSystem;
  readonly #look: LookActions;
  readonly #rewind: RewindActions;
  readonly #snapshots: SnapshotActions;
  readonly #sessions: SessionActions;
  readonly #projects: ProjectHost;
  readonly #memory: MemoryHost;
  readonly #recovery: RecoveryActions;
  readonly #editors: TurnEditors;
  readonly #agents: AgentActions;
  readonly #installation: Installation;
  #isPageFocused = false;

  /** Registers everything and reads nothing; reading begins with `start`. */
  constructor({ context, log, openApp, installation }: HostOptions) {
    const show = (): void => this.#show();
    const announce = (sentence: string): void => this.#view.announce(sentence);
    const edge = new Edge(log, (sentence) => this.#view.announce(sentence, true));
    const hub = this.#keep(
      new TimelineHub({
        openApp,
        memory: context.workspaceState,
        log,
      }),
    );
    const snapshots = new KnownSnapshots();
    const presenter = new TimelinePresenter({
      l10n: vscode.l10n,
      locale: vscode.env.language,
      strings: translated(viewStrings),
      now: Date.now,
      trusted: () => vscode.workspace.isTrusted,
      snapshots: (root) => snapshots.of(root),
    });
    this.#edge = edge;
    this.#hub = hub;
    this.#presenter = presenter;
    this.#view = new TimelineView(context.extensionUri, {
      state: () => presenter.state(hub.current?.model, hub.problem),
      intent: (intent) => edge.start(`Intent ${intent.type}`, () => this.#obey(intent)),
      warn: (sentence) => log.warn(sentence),
    });
    this.#status = this.#keep(new StatusBar());
    this.#files = this.#keep(new TurnFileSystem((file) => this.#content(file), Date.now));
    this.#editors = this.#keep(new TurnEditors());
    const isPageFocused = (): boolean => this.#isPageFocused;
    this.#look = new LookActions({
      ...{ hub, presenter, editors: this.#editors, show, isPageFocused },
    });
    const offers = this.#keep(new EditorOffers());
    const runner = new OperationRunner({ hub, presenter, edge, show, announce, offers });
    this.#rewind = new RewindActions(hub, runner);
    this.#snapshots = new SnapshotActions({ hub, runner, known: snapshots, show });
    this.#sessions = this.#keep(
      new SessionActions({
        ...{ hub, edge, extensionUri: context.extensionUri },
        warn: (sentence) => log.warn(sentence),
        followCursor: () => this.#look.followCursor(),
        showChanges: (turn) => this.#look.showTurnChanges(turn),
      }),
    );
    this.#projects = this.#keep(
      new ProjectHost({
        ...{ hub, edge, memory: context.workspaceState, extensionUri: context.extensionUri },
        warn: (sentence) => log.warn(sentence),
      }),
    );
    this.#memory = this.#keep(
      new MemoryHost({
        ...{ hub, edge, timelineHome: installation.timelineHome },
        warn: (sentence) => log.warn(sentence),
      }),
    );
    this.#recovery = new RecoveryActions(hub);
    this.#agents = this.#keep(new AgentActions({ hub, edge, show, installation, offers }));
    this.#installation = installation;
    this.api = exportedApi(hub);
    this.#register(log, offers);
  }

  /** Opens the store and shows what is in it. Never rejects. */
  async start(): Promise<void> {
    const edge = this.#edge;
    this.#show();
    edge.start('Writing the launcher', () => this.#installation.writeLauncher());
    if (localFolders().length === 0) return;
    const opened = await edge.run('Opening the timeline', () => this.#hub.opened());
    if (opened === undefined) return;
    edge.start('Recovery', () => this.#recovery.offer());
    await edge.run('Looking at connections', () => this.#agents.look());
    edge.start('Snapshots', () => this.#snapshots.refresh(this.#agents.connected));
    this.#show();
  }

  dispose(): void {
    vscode.Disposable.from(...this.#disposables.reverse()).dispose();
  }

  #register(log: vscode.LogOutputChannel, offers: EditorOffers): void {
    const edge = this.#edge;
    const { workspace } = vscode;
    const restart = (): void => edge.start('Folders', () => this.#restart());
    this.#keep(vscode.window.registerWebviewViewProvider(viewIds.timeline, this.#view));
    this.#keep(registerStartView());
    this.#keep(this.#sessions.restorePages());
    this.#keep(
      workspace.registerFileSystemProvider(turnScheme, this.#files, {
        isReadonly: true,
        isCaseSensitive: true,
      }),
    );
    this.#keep(
      registerCommands({
        look: this.#look,
        rewind: this.#rewind,
        snapshots: this.#snapshots,
        sessions: this.#sessions,
        projects: this.#projects,
        memory: this.#memory,
        recovery: this.#recovery,
        editors: this.#editors,
        agents: this.#agents,
        edge,
        offers,
        showLog: () => log.show(),
        showAgentsSee: async () => (await import('./showAgentsSee.ts')).showAgentsSee(this.#hub),
      }),
    );
    this.#keep(this.#hub.onDidChange(() => this.#changed()));
    this.#keep(
      workspace.onDidSaveTextDocument(({ uri }) => {
        if (uri.scheme === 'file') this.#hub.current?.app.noteSave(uri.fsPath);
      }),
    );
    this.#keep(workspace.onDidChangeWorkspaceFolders(restart));
    this.#keep(workspace.onDidGrantWorkspaceTrust(restart));
    this.#keep(
      workspace.onDidChangeConfiguration((event) => {
        if (event.affectsConfiguration('memcode')) this.#show();
      }),
    );
  }

  async #restart(): Promise<void> {
    if (this.#hub.current === undefined) {
      await this.start();
    } else {
      await this.#agents.look();
      this.#hub.reload();
    }
  }

  #changed(): void {
    this.#edge.start('Projects', () => this.#projects.changed());
    this.#memory.changed();
    this.#show();
    this.#edge.start('Open diffs', () => this.#files.refresh());
  }

  /** Shows the model as it is: view, status bar, context keys. */
  #show(): void {
    const model = this.#hub.current?.model;
    this.#view.show();
    this.#status.show(this.#statusFacts());
    const state = startState({
      folders: localFolders().length,
      trusted: vscode.workspace.isTrusted,
      sessions: model?.sessions.length,
      connected: this.#agents.connected,
      failed: this.#hub.failed,
    });
    setContext(contextKeys.state, state);
    setContext(contextKeys.hasPrevious, model !== undefined && model.cursor > 1);
    setContext(contextKeys.hasNext, model !== undefined && model.cursor < model.turns.length);
    setContext(contextKeys.canRedo, model?.redoable !== undefined);
  }

  #statusFacts(): StatusFacts | undefined {
    const folder = localFolders()[0]?.name;
    if (folder === undefined) return undefined;
    const model = this.#hub.current?.model;
    const current = this.#projects.current;
    return {
      folder: model?.session?.folder ?? folder,
      project: current && {
        name: current.project.name,
        folder: shortFolder(current.project.workdir, os.homedir(), path.sep),
        skipped: current.skipped,
      },
      cursor: model?.cursor ?? 0,
      total: model?.turns.length ?? 0,
      prompt: firstLine(model?.currentTurn?.prompt ?? '', 80),
      running: model?.turns.at(-1)?.end === 'running',
      busy: this.#presenter.busy,
    };
  }

  async #content(file: AnyStoredFile): Promise<SideContent> {
    const opened = await this.#hub.opened();
    const { app } = opened;
    if (isTextFile(file)) {
      const text = this.#sessions.text(file, opened);
      return { kind: 'bytes', bytes: new TextEncoder().encode(text), verified: true };
    }
    if ('context' in file) {
      const { agentsSeeText } = await import('./showAgentsSee.ts');
      const text = await agentsSeeText(file, app, this.#hub.roots());
      return { kind: 'bytes', bytes: new TextEncoder().encode(text), verified: true };
    }
    if ('snapshot' in file) {
      // Of a folder of this window only: the name may come from anywhere.
      const root = this.#hub.roots().find((one) => one.root === file.root)?.root;
      if (root === undefined) return { kind: 'absent' };
      return app.snapshots(root).content(file.snapshot, file.path);
    }
    return storedContent(app, file);
  }

  /** What the page asked for; the same acts as the commands. */
  #obey(intent: Intent): unknown {
    switch (intent.type) {
      case 'ready':
        return this.#view.show();
      case 'focus':
        this.#isPageFocused = intent.focused;
        return setContext(contextKeys.focus, intent.focused);
      case 'selectSession':
        return this.#look.selectSession(intent.session);
      case 'select':
        return this.#look.select(intent.number);
      case 'previous':
        return this.#look.step(-1);
      case 'next':
        return this.#look.step(1);
      case 'showWindow':
        return this.#look.showWindow(intent.index);
      case 'openTurn':
        return this.#look.showTurnChanges(asTurnId(intent.turn));
      case 'openDiff':
        return this.#look.openFileDiff(asTurnId(intent.turn), intent.path);
      case 'readTurn':
        return this.#look.readTurn(asTurnId(intent.turn));
      case 'compareSnapshot':
        return this.#snapshots.compare(intent.snapshot);
      case 'restoreSnapshot':
        return this.#snapshots.restore(intent.snapshot);
      case 'rewind':
        return this.#rewind.rewind(asTurnId(intent.turn));
      case 'undo':
        return this.#rewind.undo();
      case 'command':
        return vscode.commands.executeCommand(commandOfView[intent.command]);
    }
  }

  #keep<T extends vscode.Disposable>(disposable: T): T {
    this.#disposables.push(disposable);
    return disposable;
  }
}

/** Setting a context key cannot fail in a way that anybody could act on. */
function setContext(key: string, value: unknown): void {
  void vscode.commands.executeCommand('setContext', key, value);
}
