/** Conversations in VS Code: import old ones, search all, read one whole, go to a branch, open a mirror. */
import * as vscode from 'vscode';
import type { ImportReport } from '../app/sessionHistory.ts';
import { isUserError, UserError } from '../core/errors.ts';
import type { MessageNode, SearchHit } from '../core/history.ts';
import { asTurnId, type Root, type SessionId, type TurnId } from '../core/ids.ts';
import { tellQuietly } from './dialogs.ts';
import type { Edge } from './edge.ts';
import type { HistoryPages } from './historyPages.ts';
import { hasProblems, importPercent, importReportText, importSummary } from './importTexts.ts';
import { messageName } from './messageText.ts';
import { openMirrorOf, pushMirrorOf } from './mirrorActions.ts';
import { historyViewType } from './names.ts';
import { needTrust } from './needTrust.ts';
import { openText } from './openText.ts';
import { pickBySearch } from './pickBySearch.ts';
import { pickEntry, pickUnlessOnly } from './pickEntry.ts';
import { branchEntries, hitEntries, newestHits, sessionEntries } from './sessionEntries.ts';
import { cutText } from './shortText.ts';
import { storedText } from './storedText.ts';
import type { OpenTimeline, TimelineHub } from './timelineHub.ts';
import type { SessionInFolder } from './timelineModel.ts';
import type { TextFile } from './turnUri.ts';

export interface SessionActionsOptions {
  readonly hub: TimelineHub;
  readonly edge: Edge;
  readonly extensionUri: vscode.Uri;
  readonly warn: (sentence: string) => void;
  /** Shows in the timeline the turn that is looked at now. */
  readonly followCursor: () => void;
  readonly showChanges: (turn: TurnId) => unknown;
}

/** Rows of a search. */
const mostHits = 100;
/** Of imports, to be read in an editor. */
const keptReports = 10;

export class SessionActions implements vscode.Disposable {
  readonly #options: SessionActionsOptions;
  readonly #reports = new Map<string, string>();
  #imports = 0;
  /** Loaded with the first history that is opened. */
  #pages: Promise<HistoryPages> | undefined;

  constructor(options: SessionActionsOptions) {
    this.#options = options;
  }

  /** From the transcripts of agents below the person's home. */
  async importSessions(): Promise<void> {
    needTrust();
    const { app } = await this.#options.hub.opened();
    const report = await vscode.window.withProgress(
      {
        location: vscode.ProgressLocation.Notification,
        title: vscode.l10n.t('Importing sessions'),
        cancellable: true,
      },
      (progress, token) => {
        const stop = new AbortController();
        token.onCancellationRequested(() => stop.abort());
        let percent = 0;
        return app.history.importSessions({
          signal: stop.signal,
          progress(done) {
            const now = importPercent(done);
            progress.report({
              message: vscode.l10n.t('{0} of {1} transcripts', done.files, done.of),
              increment: now - percent,
            });
            percent = now;
          },
        });
      },
    );
    this.#options.hub.reload();
    await this.#tellImport(report);
  }

  /** Messages of all sessions of this window's folders; the one that is picked opens in full. */
  async search(): Promise<void> {
    const { app } = await this.#options.hub.opened();
    const roots = this.#options.hub.roots().map(({ root }) => root);
    const find = (text: string) =>
      hitEntries(
        newestHits(
          roots.map((root) => searched(app, text, root)),
          mostHits,
        ),
        vscode.env.language,
        vscode.l10n,
      );
    const hit = await pickBySearch(find, {
      title: vscode.l10n.t('Search Sessions'),
      placeholder: vscode.l10n.t('Words of a message, "in quotes" one after the other'),
      none: vscode.l10n.t('Nothing found.'),
    });
    if (hit === undefined) return;
    await openMessage(hit.node, hit.number);
  }

  /** All branches of one session in a tab: every turn, and what was said in it. */
  async showHistory(): Promise<void> {
    const session = await this.#pick(vscode.l10n.t('Show Session History'));
    if (session !== undefined) await (await this.#historyPages()).open(session.summary.id);
  }

  /** The history of the session that the timeline shows. @throws UserError `notFound` when there is none. */
  async viewFullHistory(): Promise<void> {
    const { model } = await this.#options.hub.opened();
    if (model.session === undefined)
      throw new UserError(
        'notFound',
        vscode.l10n.t('No agent turn has been recorded in this window yet.'),
      );
    await (await this.#historyPages()).open(model.session.summary.id);
  }

  /** Fills the tabs with histories that VS Code brings back over a reload. */
  restorePages(): vscode.Disposable {
    return vscode.window.registerWebviewPanelSerializer(historyViewType, {
      deserializeWebviewPanel: (panel, saved) =>
        this.#options.edge.run('Bringing a history back', async () =>
          (await this.#historyPages()).restore(panel, saved),
        ),
    });
  }

  /** The git repository of one session, written first as far as it is behind. */
  async openMirror(): Promise<void> {
    needTrust();
    const session = await this.#pick(vscode.l10n.t('Open Session Mirror in Terminal'));
    if (session !== undefined) await openMirrorOf(session, (await this.#options.hub.opened()).app);
  }

  /** Names where the mirror of one session is pushed after each turn, or takes that back, and pushes it. */
  async pushMirror(): Promise<void> {
    needTrust();
    const session = await this.#pick(vscode.l10n.t('Push Session Mirror To'));
    if (session !== undefined) await pushMirrorOf(session, (await this.#options.hub.opened()).app);
  }

  /** Looks at the end of another branch. Changes neither messages nor files. */
  async switchBranch(): Promise<void> {
    const session = await this.#pick(vscode.l10n.t('Switch Branch'));
    if (session === undefined) return;
    const { app, model } = await this.#options.hub.opened();
    const { history } = app;
    const { id } = session.summary;
    const branches = history.branches(id);
    if (branches.length < 2)
      throw new UserError('nothingToDo', vscode.l10n.t('This conversation has one branch only.'));
    const looked = history.position(id).branch;
    const entries = branchEntries(branches, history.turns(id), looked, vscode.l10n);
    const branch = await pickEntry(entries, {
      title: vscode.l10n.t('Switch Branch'),
      placeholder: vscode.l10n.t('Branch to look at; no file changes'),
      empty: '',
    });
    if (branch === undefined) return;
    const position = history.switchTo(id, branch.name);
    model.reveal(app.turn(branch.tip));
    this.#options.followCursor();
    const sentence = vscode.l10n.t(
      'Looking at {0}, turn {1} of {2}.',
      position.branch,
      position.index,
      position.count,
    );
    const more = vscode.l10n.t(
      "The next prompt counts as going on from there, unless the agent's own transcript says otherwise.",
    );
    void tellQuietly(position.isLatest ? sentence : `${sentence} ${more}`, []);
  }

  /** What an editor shows. @throws UserError `notFound`. */
  text(file: TextFile, { app, model }: OpenTimeline): string {
    const sources = { app, sessions: model.sessions, reports: this.#reports };
    return storedText(file, sources, vscode.env.language, vscode.l10n);
  }

  dispose(): void {
    void this.#pages?.then((pages) => pages.dispose());
  }

  #historyPages(): Promise<HistoryPages> {
    this.#pages ??= this.#loadPages();
    return this.#pages;
  }

  async #loadPages(): Promise<HistoryPages> {
    const { HistoryPages: Pages } = await import('./historyPages.ts');
    const { followCursor, showChanges, ...options } = this.#options;
    return new Pages({
      ...options,
      acts: {
        showChanges: (turn) => showChanges(asTurnId(turn)),
        readMessage: (turn, message) => this.#readMessage(asTurnId(turn), message),
        readAll: async (session) => {
          const { summary } = await this.#sessionOf(session);
          await openText({ conversation: summary.id, path: fileName(cutText(summary.title, 40)) });
        },
        openMirror: async (session) => {
          needTrust();
          const { app } = await options.hub.opened();
          await openMirrorOf(await this.#sessionOf(session), app);
        },
        lookedAt: (turn) => {
          const opened = options.hub.current;
          if (turn === null || opened === undefined) return;
          opened.model.reveal(opened.app.turn(asTurnId(turn)));
          followCursor();
        },
      },
    });
  }

  /** @throws UserError `notFound`. */
  async #sessionOf(id: SessionId): Promise<SessionInFolder> {
    const { model } = await this.#options.hub.opened();
    const found = model.sessions.find(({ summary }) => summary.id === id);
    if (found !== undefined) return found;
    throw new UserError('notFound', vscode.l10n.t('That session is not of this window.'));
  }

  async #readMessage(turn: TurnId, message: string): Promise<void> {
    const { app } = await this.#options.hub.opened();
    const node = app.history.nodes(turn).find(({ id }) => id === message);
    if (node === undefined)
      throw new UserError('notFound', vscode.l10n.t('That message is not there any more.'));
    await openMessage(node, app.turn(turn).number);
  }

  async #tellImport(report: ImportReport): Promise<void> {
    const choices = hasProblems(report)
      ? [{ id: 'report' as const, label: vscode.l10n.t('Show Report') }]
      : [];
    if ((await tellQuietly(importSummary(report, vscode.l10n), choices)) === undefined) return;
    this.#imports++;
    const name = String(this.#imports);
    this.#reports.set(name, importReportText(report, vscode.l10n));
    this.#reports.delete(String(this.#imports - keptReports));
    await openText({ report: name, path: fileName(vscode.l10n.t('Imported Sessions')) });
  }

  async #pick(title: string): Promise<OpenTimeline['model']['session']> {
    const { model } = await this.#options.hub.opened();
    const { sessions, session } = model;
    const entries = sessionEntries(sessions, session?.summary.id, vscode.env.language, vscode.l10n);
    const id: SessionId | undefined = await pickUnlessOnly(entries, {
      title,
      placeholder: vscode.l10n.t('Which session?'),
      empty: vscode.l10n.t('No agent turn has been recorded in this window yet.'),
    });
    return sessions.find(({ summary }) => summary.id === id);
  }
}

async function openMessage(node: MessageNode, number: number): Promise<void> {
  const name = fileName(vscode.l10n.t('Turn {0} {1}', number, messageName(node, vscode.l10n)));
  await openText({ message: node.id, of: asTurnId(node.turn), path: name });
}

/** Quotes or signs alone are no words yet: nothing is found then. */
function searched(app: OpenTimeline['app'], text: string, root: Root): readonly SearchHit[] {
  try {
    return app.history.search({ text, root, limit: mostHits });
  } catch (error) {
    if (isUserError(error, 'usage')) return [];
    throw error;
  }
}

/** No such file is anywhere: a name for the tab. */
function fileName(text: string): string {
  return `${text.replaceAll(/[\\/:*?"<>|\p{Cc}]+/gu, ' ').trim() || '-'}.md`;
}
