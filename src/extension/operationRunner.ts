/**
 * Runs the flows of going back in VS Code: dialogs, editors, progress; afterwards one message with the way back. One at a
 * time: a second one would be asked about a state that the first is changing.
 */
import * as vscode from 'vscode';
import { UserError } from '../core/errors.ts';
import type { OperationId, Root } from '../core/ids.ts';
import type { OperationReport } from '../core/timeline.ts';
import { asksNoMore } from './afterPreview.ts';
import { askModally, tellQuietly } from './dialogs.ts';
import type { Edge } from './edge.ts';
import { type EditorOffers, isTitled, type Offer } from './editorOffers.ts';
import type { FlowContext, FlowOutcome, ShownPreview } from './flowContext.ts';
import type { HandMerge } from './handMerge.ts';
import { openHandMerges } from './handMerges.ts';
import { momentText } from './localizer.ts';
import { commandIds, viewIds } from './names.ts';
import { OpenEditors } from './openEditors.ts';
import { pickEntry } from './pickEntry.ts';
import { previewSentence } from './planTexts.ts';
import type { Choice } from './question.ts';
import { type Act, hasDetails, reportDetail, reportSentence } from './reportTexts.ts';
import { openSnapshotPreview } from './snapshotDiffs.ts';
import type { TimelineHub } from './timelineHub.ts';
import type { TimelinePresenter } from './timelinePresenter.ts';
import {
  openRevertPreview,
  openRewindPreview,
  openUndoPreview,
  openWorkingDiff,
} from './turnDiffs.ts';
import type { StoredFile } from './turnUri.ts';
import { undoFlow } from './undoFlow.ts';

type Again = (seen: ShownPreview) => Promise<void>;

export interface RunnerContext {
  readonly hub: TimelineHub;
  readonly presenter: TimelinePresenter;
  readonly edge: Edge;
  readonly show: () => void;
  readonly announce: (sentence: string) => void;
  readonly offers: EditorOffers;
}

export class OperationRunner {
  readonly #context: RunnerContext;
  readonly #editors = new OpenEditors();
  #active = false;
  /** The preview that stands. */
  #preview: Offer | undefined;

  constructor(context: RunnerContext) {
    this.#context = context;
  }

  /**
   * A preview goes with the act that it was of, done or given up.
   * @param again goes on after the preview: the same act, of which it is known what was seen
   * @param seen the preview that this goes on from
   */
  async run(
    root: Root,
    flow: (context: FlowContext) => Promise<FlowOutcome | undefined>,
    again: Again,
    seen?: ShownPreview,
  ): Promise<void> {
    const { app } = await this.#context.hub.opened();
    if (app.pending(root).length > 0) throw cutShort();
    const preview = this.#preview;
    const outcome = await this.#alone(() =>
      flow({
        app,
        l10n: vscode.l10n,
        ask: askModally,
        seen,
        pick: pickEntry,
        editors: this.#editors,
        busy: (sentence, task) => this.#busy(sentence, task),
        showPreview: (shown) => this.#showPreview(shown, root, again),
        compare: (old) => this.#compare(old, root),
      }),
    );
    if (this.#preview === preview) await this.#closePreview();
    if (outcome !== undefined) await this.#finished(outcome, root);
  }

  /** Takes an operation back. @param isAsking also when nothing stands in the way. */
  async undo(id: OperationId, root: Root, isAsking: boolean, seen?: ShownPreview): Promise<void> {
    const { app } = await this.#context.hub.opened();
    const operation = app.operations(root).find((each) => each.id === id);
    if (operation === undefined) {
      throw new UserError('notFound', vscode.l10n.t('That is not recorded any more.'));
    }
    await this.run(
      root,
      (context) => undoFlow({ operation, root, isAsking }, context),
      (shown) => this.undo(id, root, isAsking, shown),
      seen,
    );
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

  async #openMerges(
    merges: readonly HandMerge[],
    operation: OperationId,
    root: Root,
  ): Promise<void> {
    const { app: store } = await this.#context.hub.opened();
    await openHandMerges(merges, operation, { store, root });
  }

  async #compare(old: StoredFile, root: Root): Promise<void> {
    const { app, model } = await this.#context.hub.opened();
    const moment =
      'turn' in old
        ? momentText(vscode.l10n, { side: old.side, turn: model.turn(old.turn).number })
        : vscode.l10n.t('what was replaced');
    await openWorkingDiff(old, moment, { store: app, root });
  }

  /** It may stand for long, so nobody waits for it. */
  async #showPreview(shown: ShownPreview, root: Root, again: Again): Promise<void> {
    const { edge, offers } = this.#context;
    await this.#closePreview();
    const title = await openPreview(shown, root);
    const texts = { message: previewSentence(shown, vscode.l10n), label: goOnLabel(shown) };
    const offer = offers.make(texts, (tab) => isTitled(tab, title));
    this.#preview = offer;
    edge.start('Preview', async () => {
      if (await offer.accepted) await edge.run('After the preview', () => again(shown));
    });
  }

  async #closePreview(): Promise<void> {
    const preview = this.#preview;
    this.#preview = undefined;
    await preview?.close();
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

  /** What was taken back is committed, and no commit was touched. */
  async #leavesCommits({ turns, kind }: OperationReport, root: Root): Promise<boolean> {
    if (turns.length === 0 || kind === 'redo') return false;
    const { app } = await this.#context.hub.opened();
    const commits = await app.projects.revertable(root);
    return commits.some(({ turn }) => turns.includes(turn));
  }

  /** One message, with the way back. Nobody waits for it. */
  async #finished({ report, act, byHand }: FlowOutcome, root: Root): Promise<void> {
    const { edge, hub, presenter, announce } = this.#context;
    if (movesPresent(act)) {
      hub.current?.model.followPresent();
      presenter.followCursor();
    }
    hub.reload();
    const names = new Set(byHand.map(({ path }) => path));
    const sentence = reportSentence(report, act, names, vscode.l10n);
    announce(sentence);
    const { operation } = report;
    const undo: AfterChoice = { id: 'undo', label: vscode.l10n.t('Undo') };
    const commits: AfterChoice = { id: 'commits', label: vscode.l10n.t('Revert Commits…') };
    const details: AfterChoice = { id: 'details', label: vscode.l10n.t('Show Details') };
    edge.start('After going back', async () => {
      const choices = [
        ...(act.kind !== 'undo' && operation !== null ? [undo] : []),
        ...((await this.#leavesCommits(report, root)) ? [commits] : []),
        ...(hasDetails(report) ? [details] : []),
      ];
      const picked = await tellQuietly(sentence, choices);
      if (picked === 'undo' && operation !== null)
        await edge.run('Undo', () => this.undo(operation, root, false));
      if (picked === 'commits')
        await vscode.commands.executeCommand(commandIds.revertCommits, root);
      if (picked === 'details') await showDetails(sentence, reportDetail(report, vscode.l10n));
    });
    if (operation !== null) await this.#openMerges(byHand, operation, root);
  }
}

type AfterChoice = Choice<'undo' | 'commits' | 'details'>;

/** Said before anything is asked: the files may be in the middle of it. */
function cutShort(): UserError {
  return new UserError(
    'interrupted',
    vscode.l10n.t('An earlier operation was cut short. Finish it or roll it back first.'),
  );
}

/** Another turn is the present one now; what happens in the middle leaves one looking there. */
function movesPresent(act: Act): boolean {
  return act.kind === 'rewind' || (act.kind === 'undo' && act.of !== 'restore');
}

/** @returns the editor's title. */
function openPreview(shown: ShownPreview, root: Root): Promise<string> {
  switch (shown.kind) {
    case 'rewind':
      return openRewindPreview(shown.preview, root);
    case 'revert':
      return openRevertPreview(shown.turn, shown.plan, root);
    case 'snapshot':
      return openSnapshotPreview(
        { snapshot: shown.snapshot, root },
        shown.plan,
        vscode.l10n.t('Now ↔ {0}', shown.name),
      );
    case 'undo':
      return openUndoPreview(shown.operation, shown.plan, root);
  }
}

/** With dots where something is asked first. */
function goOnLabel(shown: ShownPreview): string {
  const { l10n } = vscode;
  const isLast = asksNoMore(shown);
  switch (shown.kind) {
    case 'rewind':
      return isLast ? l10n.t('Rewind') : l10n.t('Rewind…');
    case 'revert':
      return isLast ? l10n.t('Revert') : l10n.t('Revert…');
    case 'snapshot':
      return isLast ? l10n.t('Restore') : l10n.t('Restore…');
    case 'undo':
      return isLast ? l10n.t('Undo') : l10n.t('Undo…');
  }
}

async function showDetails(sentence: string, detail: string): Promise<void> {
  await vscode.window.showInformationMessage(sentence, { modal: true, detail });
}
