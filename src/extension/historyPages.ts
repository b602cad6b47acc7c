/** The open histories of this window, one tab a session: opens them, obeys what their pages ask for. */
import * as vscode from 'vscode';
import { UserError } from '../core/errors.ts';
import { asSessionId, asTurnId, type SessionId } from '../core/ids.ts';
import type { HistoryIntent, HistoryState } from '../protocol/historyMessages.ts';
import { historyStrings } from '../protocol/historyStrings.ts';
import { parseHistoryIntent } from '../protocol/parseHistoryIntent.ts';
import type { Edge } from './edge.ts';
import { HistoryModel } from './historyModel.ts';
import { historyViewType } from './names.ts';
import { PagePanel } from './pagePanel.ts';
import type { TimelineHub } from './timelineHub.ts';
import { translated } from './translated.ts';

export interface HistoryPagesOptions {
  readonly hub: TimelineHub;
  readonly edge: Edge;
  readonly extensionUri: vscode.Uri;
  readonly warn: (sentence: string) => void;
  /** Acts that are not this page's own. */
  readonly acts: HistoryActs;
}

export interface HistoryActs {
  readMessage(turn: string, message: string): unknown;
  showChanges(turn: string): unknown;
  readAll(session: SessionId): unknown;
  openMirror(session: SessionId): unknown;
  /** A person looks at another turn of this session now. */
  lookedAt(turn: string | null): void;
}

interface OpenPage {
  readonly model: HistoryModel;
  readonly panel: PagePanel<HistoryState, HistoryIntent>;
}

export class HistoryPages implements vscode.Disposable {
  readonly #options: HistoryPagesOptions;
  readonly #pages = new Map<SessionId, OpenPage>();
  readonly #subscription: vscode.Disposable;

  constructor(options: HistoryPagesOptions) {
    this.#options = options;
    this.#subscription = options.hub.onDidChange(() => {
      for (const { model, panel } of this.#pages.values()) {
        model.invalidate();
        panel.show();
      }
    });
  }

  /** Opens the history of a session, or brings it to the front. @param at a turn to read, and a message of it */
  async open(
    session: SessionId,
    at?: { readonly turn: string; readonly message: string },
  ): Promise<void> {
    const known = this.#pages.get(session);
    const page = known ?? (await this.#create(session));
    if (at !== undefined) page.model.open(at.turn, at.message);
    if (known !== undefined) known.panel.reveal();
    page.panel.show();
  }

  /** Fills a tab that VS Code brought back. @param saved what its page had kept */
  async restore(panel: vscode.WebviewPanel, saved: unknown): Promise<void> {
    const session = sessionOf(saved);
    if (session === undefined || this.#pages.has(session)) {
      panel.dispose();
      return;
    }
    await this.#create(session, panel);
  }

  /** The tabs stay: VS Code brings them back with the next window. */
  dispose(): void {
    this.#subscription.dispose();
  }

  async #create(session: SessionId, given?: vscode.WebviewPanel): Promise<OpenPage> {
    const { hub, edge, extensionUri, warn } = this.#options;
    const { app, model: timeline } = await hub.opened();
    if (!timeline.sessions.some(({ summary }) => summary.id === session)) {
      given?.dispose();
      throw new UserError('notFound', vscode.l10n.t('That session is not of this window.'));
    }
    const model = new HistoryModel({
      app,
      session,
      sessions: () => timeline.sessions,
      roots: () => hub.roots().map(({ root }) => root),
      l10n: vscode.l10n,
      locale: vscode.env.language,
      strings: translated(historyStrings),
      now: Date.now,
    });
    const raw =
      given ??
      vscode.window.createWebviewPanel(historyViewType, model.title, vscode.ViewColumn.Active);
    const panel = new PagePanel<HistoryState, HistoryIntent>(raw, extensionUri, {
      bundle: 'history',
      title: () => vscode.l10n.t('History: {0}', model.title),
      state: () => model.state(),
      parse: parseHistoryIntent,
      intent: (intent) =>
        edge.start(`History ${intent.type}`, async () => {
          await this.#obey(session, intent);
        }),
      warn,
      closed: () => this.#pages.delete(session),
    });
    const page = { model, panel };
    this.#pages.set(session, page);
    return page;
  }

  async #obey(session: SessionId, intent: HistoryIntent): Promise<void> {
    const page = this.#pages.get(session);
    if (page === undefined) return;
    const { model, panel } = page;
    const { acts } = this.#options;
    switch (intent.type) {
      case 'ready':
        break;
      case 'showWindow':
        model.showWindow(intent.index);
        break;
      case 'openTurn':
        model.open(intent.turn);
        break;
      case 'openHit':
        await this.#openHit(session, intent.turn, intent.message);
        return;
      case 'search':
        model.search(intent.text, intent.everywhere);
        break;
      case 'step':
      case 'goTo':
      case 'switchBranch':
        this.#move(model, intent);
        break;
      case 'readMessage':
        await acts.readMessage(intent.turn, intent.message);
        return;
      case 'showChanges':
        await acts.showChanges(intent.turn);
        return;
      case 'readAll':
        await acts.readAll(session);
        return;
      case 'openMirror':
        await acts.openMirror(session);
        return;
    }
    panel.show();
  }

  #move(
    model: HistoryModel,
    intent: Extract<HistoryIntent, { type: 'step' | 'goTo' | 'switchBranch' }>,
  ): void {
    if (intent.type === 'step') model.step(intent.step);
    else if (intent.type === 'goTo') model.goTo(intent.turn);
    else model.switchBranch(intent.branch);
    this.#options.acts.lookedAt(model.position.turn);
  }

  /** A message may be of another session, whose tab then opens. */
  async #openHit(from: SessionId, turn: string, message: string): Promise<void> {
    const { app } = await this.#options.hub.opened();
    const { session } = app.turn(asTurnId(turn));
    if (session !== from) {
      await this.open(session, { turn, message });
      return;
    }
    const page = this.#pages.get(from);
    page?.model.open(turn, message);
    page?.panel.show();
  }
}

function sessionOf(saved: unknown): SessionId | undefined {
  if (typeof saved !== 'object' || saved === null || !('session' in saved)) return undefined;
  return typeof saved.session === 'string' ? asSessionId(saved.session) : undefined;
}
