/**
 * Opens the store at the first need and keeps what is shown up to date: one `TimelineApp`, one model over it, one event
 * after each reload. Owns the app's life.
 */
import fs from 'node:fs';
import * as vscode from 'vscode';
import type { TimelineApp } from '../app/timelineApp.ts';
import { isUserError, messageOf, UserError } from '../core/errors.ts';
import type { Root } from '../core/ids.ts';
import type { TurnSummary } from '../core/timeline.ts';
import { settingIds } from './names.ts';
import { Paced } from './paced.ts';
import { type Memory, type RootFolder, TimelineModel } from './timelineModel.ts';

export interface OpenTimeline {
  readonly app: TimelineApp;
  readonly model: TimelineModel;
}

export interface HubOptions {
  /** @throws UserError when the store cannot be opened. */
  readonly openApp: () => Promise<TimelineApp>;
  readonly memory: Memory;
  readonly log: vscode.LogOutputChannel;
}

export class TimelineHub implements vscode.Disposable {
  readonly #options: HubOptions;
  readonly #changed = new vscode.EventEmitter<void>();
  #opening: Promise<OpenTimeline> | undefined;
  #current: OpenTimeline | undefined;
  #subscription: vscode.Disposable | undefined;
  #failed = false;
  #problem: string | null = null;
  #disposed = false;
  /** A session of 10,000 turns takes a third of a second to read; an agent may cause ten changes a second. */
  readonly #reloads = new Paced(() => this.#reloadQuietly(), {
    now: () => performance.now(),
    setTimer,
  });
  /** After each reload, and after a failure to open. */
  readonly onDidChange = this.#changed.event;

  constructor(options: HubOptions) {
    this.#options = options;
  }

  /** What is open, if it is. */
  get current(): OpenTimeline | undefined {
    return this.#current;
  }

  /** The last attempt to open failed. */
  get failed(): boolean {
    return this.#failed;
  }

  /** Why the last reload after somebody else's change failed, as long as none has worked since: a sentence. */
  get problem(): string | null {
    return this.#problem;
  }

  /** Opens what is not open. A failure is not kept: the next call tries again. */
  opened(): Promise<OpenTimeline> {
    this.#opening ??= this.#open().catch((error: unknown) => {
      this.#opening = undefined;
      this.#failed = true;
      this.#changed.fire();
      throw error;
    });
    return this.#opening;
  }

  /** Reads everything again and shows it. Does nothing before the store is open. */
  reload(): void {
    if (this.#current === undefined) return;
    this.#current.model.reload(this.roots());
    this.#problem = null;
    this.#changed.fire();
  }

  /** The root of a turn's files, also of one that was recorded just now. @throws UserError `notFound`. */
  async rootOfTurn(turn: TurnSummary): Promise<Root> {
    const { model } = await this.opened();
    if (model.rootOfTurn(turn) === undefined) this.reload();
    const root = model.rootOfTurn(turn);
    if (root !== undefined) return root;
    throw new UserError('notFound', vscode.l10n.t('That turn is not of a folder in this window.'));
  }

  /** The stores of this window's folders, each once. */
  roots(): readonly RootFolder[] {
    const app = this.#current?.app;
    if (app === undefined) return [];
    const byRoot = new Map<string, RootFolder>();
    for (const { name, uri } of localFolders()) {
      const root = this.#rootOf(app, uri.fsPath);
      if (root !== undefined && !byRoot.has(root)) byRoot.set(root, { root, folder: name });
    }
    return [...byRoot.values()];
  }

  dispose(): void {
    this.#disposed = true;
    this.#reloads.dispose();
    this.#subscription?.dispose();
    this.#current?.app.dispose();
    this.#current = undefined;
    this.#changed.dispose();
  }

  async #open(): Promise<OpenTimeline> {
    const app = await this.#options.openApp();
    if (this.#disposed) {
      app.dispose();
      throw new vscode.CancellationError();
    }
    const model = new TimelineModel(app, this.#options.memory, () => ({
      followNewest: vscode.workspace
        .getConfiguration()
        .get<boolean>(settingIds.followNewestSession, true),
    }));
    this.#current = { app, model };
    this.#failed = false;
    this.#subscription = app.onDidChange(() => this.#reloads.ask());
    app.ingest();
    this.reload();
    return this.#current;
  }

  /** Nobody has asked for this: a failure is shown in the view and logged, and the next change tries again. */
  #reloadQuietly(): void {
    try {
      this.reload();
    } catch (error) {
      this.#problem = messageOf(error);
      this.#options.log.error(error instanceof Error ? error : new Error(this.#problem));
      this.#changed.fire();
    }
  }

  /** A folder that is gone has no store; the window will lose it soon. */
  #rootOf(app: TimelineApp, folder: string): RootFolder['root'] | undefined {
    try {
      return app.rootOf(folder);
    } catch (error) {
      if (!isUserError(error)) throw error;
      this.#options.log.warn(error.message);
      return undefined;
    }
  }
}

/** Of these the ones that are there: a window keeps the name of a folder that was moved or is not mounted. */
export function presentFolders(): readonly vscode.WorkspaceFolder[] {
  return localFolders().filter(({ uri }) => fs.existsSync(uri.fsPath));
}

/** Folders on a disk that this extension host can reach. */
export function localFolders(): readonly vscode.WorkspaceFolder[] {
  return (vscode.workspace.workspaceFolders ?? []).filter(({ uri }) => uri.scheme === 'file');
}

function setTimer(run: () => void, milliseconds: number): { cancel(): void } {
  const timer = setTimeout(run, milliseconds);
  return { cancel: () => clearTimeout(timer) };
}
