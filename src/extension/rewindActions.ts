/** Rewinding, undoing it, and mending a rewind that a crash cut short: the flows with VS Code's dialogs and editors. */
import * as vscode from 'vscode';
import type { PendingOperation } from '../app/timelineApp.ts';
import { UserError } from '../core/errors.ts';
import type { OperationId, Root, TurnId } from '../core/ids.ts';
import type { OperationReport, RewindPreview, TurnSummary } from '../core/timeline.ts';
import { askModally, tellQuietly } from './dialogs.ts';
import type { Edge } from './edge.ts';
import { contextKeys, viewIds } from './names.ts';
import { needTrust } from './needTrust.ts';
import { OpenEditors } from './openEditors.ts';
import { pickEntry } from './pickEntry.ts';
import type { Choice } from './question.ts';
import { recoveryFlow } from './recoveryFlow.ts';
import { redoFlow } from './redoFlow.ts';
import { type FlowContext, rewindFlow } from './rewindFlow.ts';
import { hasDetails, reportDetail, reportSentence } from './rewindTexts.ts';
import type { OpenTimeline, TimelineHub } from './timelineHub.ts';
import type { TimelinePresenter } from './timelinePresenter.ts';
import { afterLastChange } from './timelineState.ts';
import { openRewindPreview } from './turnDiffs.ts';
import { turnEntries } from './turnItems.ts';

export interface RewindContext {
  readonly hub: TimelineHub;
  readonly presenter: TimelinePresenter;
  readonly edge: Edge;
  readonly show: () => void;
  readonly announce: (sentence: string) => void;
}

export class RewindActions {
  readonly #context: RewindContext;
  readonly #editors = new OpenEditors();
  /** One rewind at a time: the second would be asked about a state that the first is changing. */
  #active = false;

  constructor(context: RewindContext) {
    this.#context = context;
  }

  /** @param id default: the person picks one. */
  async rewind(id?: TurnId): Promise<void> {
    needTrust();
    const { app, model } = await this.#context.hub.opened();
    const turn = id === undefined ? await this.#pickTurn(model) : model.turn(id);
    if (turn === undefined) return;
    const root = model.rootOfTurn(turn);
    if (root === undefined) {
      throw new UserError(
        'notFound',
        vscode.l10n.t('That turn is not of a folder in this window.'),
      );
    }
    const report = await this.#alone(() =>
      rewindFlow({ turn, root }, this.#flowContext(app, root)),
    );
    if (report !== undefined) this.#finished(report, turn.number, root);
  }

  async redo(): Promise<void> {
    needTrust();
    const { model } = await this.#context.hub.opened();
    const root = model.session?.root ?? this.#context.hub.roots()[0]?.root;
    if (root === undefined) {
      throw new UserError('nothingToDo', vscode.l10n.t('There is no rewind to undo.'));
    }
    await this.#undo(root, null);
  }

  /** Asks about every rewind that was cut short. */
  async recover(): Promise<void> {
    needTrust();
    const { app } = await this.#context.hub.opened();
    const pending = this.#pending(app);
    if (pending.length === 0) {
      throw new UserError('nothingToDo', vscode.l10n.t('No rewind was cut short.'));
    }
    await recoveryFlow(pending, { app, l10n: vscode.l10n, tell: tellQuietly });
    await this.#showPending(app);
    this.#context.hub.reload();
  }

  /** At start: asks if there is something to mend, and is silent otherwise. */
  async offerRecovery(): Promise<void> {
    const { app } = await this.#context.hub.opened();
    const interrupted = await this.#showPending(app);
    if (interrupted && vscode.workspace.isTrusted) await this.recover();
  }

  #pending(app: OpenTimeline['app']): readonly PendingOperation[] {
    return this.#context.hub.roots().flatMap(({ root }) => app.pending(root));
  }

  /** Offers the command as long as there is something for it. */
  async #showPending(app: OpenTimeline['app']): Promise<boolean> {
    const interrupted = this.#pending(app).length > 0;
    await vscode.commands.executeCommand('setContext', contextKeys.interrupted, interrupted);
    return interrupted;
  }

  async #pickTurn(model: OpenTimeline['model']): Promise<TurnSummary | undefined> {
    const possible = model.turns
      .slice(0, afterLastChange(model.turns))
      .filter((turn) => turn.rewoundBy === null);
    return pickEntry(turnEntries(possible, vscode.env.language, vscode.l10n), {
      title: vscode.l10n.t('Rewind to Turn'),
      placeholder: vscode.l10n.t('The files go back to what they were before this turn'),
      empty: vscode.l10n.t('There is no turn to rewind.'),
    });
  }

  async #undo(root: Root, operation: OperationId | null): Promise<void> {
    const { app } = await this.#context.hub.opened();
    const newest = app.redoable(root);
    if (operation !== null && newest?.id !== operation) {
      throw new UserError(
        'nothingToDo',
        vscode.l10n.t('That rewind is not the newest any more, or is undone already.'),
      );
    }
    const report = await this.#alone(() => redoFlow(newest, root, this.#flowContext(app, root)));
    if (report !== undefined) this.#finished(report, undefined, root);
  }

  async #alone<T>(task: () => Promise<T>): Promise<T> {
    if (this.#active) {
      throw new UserError(
        'locked',
        vscode.l10n.t('Another rewind is being asked about or running.'),
      );
    }
    this.#active = true;
    try {
      return await task();
    } finally {
      this.#active = false;
    }
  }

  #flowContext(app: OpenTimeline['app'], root: Root): FlowContext {
    return {
      app,
      l10n: vscode.l10n,
      ask: askModally,
      editors: this.#editors,
      busy: (sentence, task) => this.#busy(sentence, task),
      showPreview: (preview) => this.#showPreview(preview, root),
    };
  }

  /** The notification may wait for ever, so nobody waits for it. */
  async #showPreview(preview: RewindPreview, root: Root): Promise<void> {
    await openRewindPreview(preview, root);
    const { id, number } = preview.turn;
    this.#context.edge.start('Preview of a rewind', async () => {
      const message = vscode.l10n.t(
        'This is what a rewind to before turn {0} would change.',
        number,
      );
      const go = await tellQuietly(message, [{ id: 'rewind', label: vscode.l10n.t('Rewind…') }]);
      if (go === 'rewind') await this.rewind(id);
    });
  }

  async #busy<T>(sentence: string, task: () => Promise<T>): Promise<T> {
    const { presenter, show } = this.#context;
    presenter.setBusy(sentence);
    show();
    try {
      return await vscode.window.withProgress({ location: { viewId: viewIds.timeline } }, task);
    } finally {
      presenter.setBusy(null);
      show();
    }
  }

  /** One message, with the way back. Nobody waits for it. */
  #finished(report: OperationReport, turnNumber: number | undefined, root: Root): void {
    const { edge, hub, presenter, announce } = this.#context;
    hub.current?.model.followPresent();
    presenter.followCursor();
    hub.reload();
    const sentence = reportSentence(report, turnNumber, vscode.l10n);
    announce(sentence);
    const undo: Choice<'undo' | 'details'> = { id: 'undo', label: vscode.l10n.t('Undo') };
    const details: Choice<'undo' | 'details'> = {
      id: 'details',
      label: vscode.l10n.t('Show Details'),
    };
    const choices = [
      ...(report.kind !== 'redo' && report.operation !== null ? [undo] : []),
      ...(hasDetails(report) ? [details] : []),
    ];
    edge.start('After a rewind', async () => {
      const picked = await tellQuietly(sentence, choices);
      if (picked === 'undo') await edge.run('Undo', () => this.#undo(root, report.operation));
      if (picked === 'details') await showDetails(sentence, report);
    });
  }
}

async function showDetails(sentence: string, report: OperationReport): Promise<void> {
  await vscode.window.showInformationMessage(sentence, {
    modal: true,
    detail: reportDetail(report),
  });
}
