/** Conversations in VS Code: import old ones, search all, read one whole, go to a branch, open a mirror. */
import fs from 'node:fs';
import path from 'node:path';
import * as vscode from 'vscode';
import type { ImportReport } from '../app/sessionHistory.ts';
import { isUserError, UserError } from '../core/errors.ts';
import type { SearchHit } from '../core/history.ts';
import { asTurnId, type Root, type SessionId } from '../core/ids.ts';
import { complain, tellQuietly } from './dialogs.ts';
import { hasProblems, importPercent, importReportText, importSummary } from './importTexts.ts';
import { messageName } from './messageText.ts';
import { needTrust } from './needTrust.ts';
import { openText } from './openText.ts';
import { pickBySearch } from './pickBySearch.ts';
import { pickEntry } from './pickEntry.ts';
import { branchEntries, hitEntries, newestHits, sessionEntries } from './sessionEntries.ts';
import { cutText } from './shortText.ts';
import { storedText } from './storedText.ts';
import type { OpenTimeline, TimelineHub } from './timelineHub.ts';
import type { TextFile } from './turnUri.ts';

export interface SessionActionsOptions {
  readonly hub: TimelineHub;
  /** Shows in the timeline the turn that is looked at now. */
  readonly followCursor: () => void;
}

/** Rows of a search. */
const mostHits = 100;
/** Of imports, to be read in an editor. */
const keptReports = 10;

export class SessionActions {
  readonly #options: SessionActionsOptions;
  readonly #reports = new Map<string, string>();
  #imports = 0;

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
    const { node, number } = hit;
    const name = fileName(vscode.l10n.t('Turn {0} {1}', number, messageName(node, vscode.l10n)));
    await openText({ message: node.id, of: asTurnId(node.turn), path: name });
  }

  /** All branches of one session, every prompt and reply. */
  async showHistory(): Promise<void> {
    const session = await this.#pick(vscode.l10n.t('Show Session History'));
    if (session === undefined) return;
    const { summary } = session;
    await openText({ conversation: summary.id, path: fileName(cutText(summary.title, 40)) });
  }

  /** The git repository of one session, written first as far as it is behind. */
  async openMirror(): Promise<void> {
    needTrust();
    const session = await this.#pick(vscode.l10n.t('Open Session Mirror in Terminal'));
    if (session === undefined) return;
    const { app } = await this.#options.hub.opened();
    const { id, title } = session.summary;
    const isCancelled = await vscode.window.withProgress(
      {
        location: vscode.ProgressLocation.Notification,
        title: vscode.l10n.t('Writing the mirror of the session'),
        cancellable: true,
      },
      async (_, token) => {
        const stop = new AbortController();
        token.onCancellationRequested(() => stop.abort());
        await app.history.syncMirrors({ session: id, signal: stop.signal });
        return stop.signal.aborted;
      },
    );
    if (isCancelled) return;
    const { folder, failure } = app.history.mirrorState(id);
    if (!fs.existsSync(path.join(folder, '.git')))
      throw new UserError(
        'notFound',
        failure === null
          ? vscode.l10n.t('This session has no mirror.')
          : vscode.l10n.t('This session has no mirror: {0}', failure),
      );
    if (failure !== null)
      void complain(vscode.l10n.t('The mirror lacks the newest turns: {0}', failure), []);
    const name = vscode.l10n.t('Session {0}', cutText(title, 30));
    vscode.window.createTerminal({ name, cwd: folder }).show();
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
    const id: SessionId | undefined = await pickEntry(entries, {
      title,
      placeholder: vscode.l10n.t('Session that is meant'),
      empty: vscode.l10n.t('No agent turn has been recorded in this window yet.'),
    });
    return sessions.find(({ summary }) => summary.id === id);
  }
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
