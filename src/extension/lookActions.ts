/** Everything that only looks: choosing sessions and turns, diffs, files, history. Writes nothing to the work tree. */
import * as vscode from 'vscode';
import { UserError } from '../core/errors.ts';
import { asSessionId, type TurnId } from '../core/ids.ts';
import type { TurnSummary } from '../core/timeline.ts';
import { momentText } from './localizer.ts';
import { viewIds } from './names.ts';
import { openText } from './openText.ts';
import { pickEntry } from './pickEntry.ts';
import type { NamedFile } from './rewindActions.ts';
import { workUri } from './rootUri.ts';
import { sessionEntries } from './sessionEntries.ts';
import type { OpenTimeline, TimelineHub } from './timelineHub.ts';
import type { TimelinePresenter } from './timelinePresenter.ts';
import { openFileDiff, openTurnChanges, openWorkingChanges, openWorkingDiff } from './turnDiffs.ts';
import type { TurnEditors } from './turnEditors.ts';
import { fileEntries, turnEntries } from './turnItems.ts';

export interface LookContext {
  readonly hub: TimelineHub;
  readonly presenter: TimelinePresenter;
  readonly editors: TurnEditors;
  /** Shows the model again, without reading anything. */
  readonly show: () => void;
  /** The keyboard is in the page. */
  readonly isPageFocused: () => boolean;
}

export class LookActions {
  readonly #context: LookContext;
  /** The editor is on its way to the turn looked at. */
  #isFollowing = false;

  constructor(context: LookContext) {
    this.#context = context;
  }

  async openTimeline(): Promise<void> {
    const { model } = await this.#context.hub.opened();
    const view = model.session === undefined ? viewIds.start : viewIds.timeline;
    await vscode.commands.executeCommand(`${view}.focus`);
  }

  async refresh(): Promise<void> {
    const { app } = await this.#context.hub.opened();
    app.ingest();
    this.#context.hub.reload();
  }

  async selectSession(id?: string): Promise<void> {
    const { model } = await this.#context.hub.opened();
    const chosen = id ?? (await this.#pickSession(model));
    if (chosen === undefined) return;
    model.selectSession(asSessionId(chosen));
    this.followCursor();
  }

  async step(by: 1 | -1): Promise<void> {
    const { model } = await this.#context.hub.opened();
    model.step(by);
    this.followCursor();
    await this.#moveEditor(model);
  }

  async select(place: number): Promise<void> {
    const { model } = await this.#context.hub.opened();
    model.select(place);
    this.followCursor();
  }

  showWindow(index: number): void {
    this.#context.presenter.showWindow(index);
    this.#context.show();
  }

  /** @param id default: the turn looked at. */
  async showTurnChanges(id?: TurnId): Promise<void> {
    const { model } = await this.#context.hub.opened();
    const turn = id === undefined ? currentTurn(model) : model.turn(id);
    needFiles(turn);
    await this.#openChanges(turn, model);
    // What one reads is what one looks at: Prev and Next go on from there.
    if (turn.session !== model.session?.summary.id || turn.id === model.currentTurn?.id) return;
    model.reveal(turn);
    this.followCursor();
  }

  async openFileDiff(id: TurnId, file: string): Promise<void> {
    const { model } = await this.#context.hub.opened();
    await openFileDiff(model.turn(id), file);
  }

  /** What a file was before a turn, beside what it is now. @param file default: the person picks one */
  async compareWithWorkingFile(file?: NamedFile): Promise<void> {
    const { hub } = this.#context;
    const { app, model } = await hub.opened();
    const named = file ?? (await this.#pickFile(model));
    if (named === undefined) return;
    const turn = model.turn(named.turn);
    const old = { turn: turn.id, path: named.path, side: 'before' as const };
    const moment = momentText(vscode.l10n, { side: 'before', turn: turn.number });
    await openWorkingDiff(old, moment, { store: app, root: await hub.rootOfTurn(turn) });
  }

  /** As `compareWithWorkingFile`, for all files of a turn. */
  async compareWithWorkingFiles(id: TurnId): Promise<void> {
    const { hub } = this.#context;
    const { app, model } = await hub.opened();
    const turn = model.turn(id);
    needFiles(turn);
    await openWorkingChanges(turn, { store: app, root: await hub.rootOfTurn(turn) });
  }

  /** The file as it is now. */
  async openFile(id: TurnId, file: string): Promise<void> {
    const { hub } = this.#context;
    const { model } = await hub.opened();
    const root = await hub.rootOfTurn(model.turn(id));
    await vscode.commands.executeCommand('vscode.open', workUri(root, file));
  }

  /** Prompt and reply in an editor. @param id default: the turn looked at. */
  async readTurn(id?: TurnId): Promise<void> {
    const { model } = await this.#context.hub.opened();
    const turn = id === undefined ? currentTurn(model) : model.turn(id);
    await openText({ words: turn.id, path: `${vscode.l10n.t('Turn {0}', turn.number)}.md` });
  }

  /** @param id default: the turn looked at. */
  async copyPrompt(id?: TurnId): Promise<void> {
    const { model } = await this.#context.hub.opened();
    const turn = id === undefined ? currentTurn(model) : model.turn(id);
    await vscode.env.clipboard.writeText(turn.prompt);
  }

  async #pickSession(model: OpenTimeline['model']): Promise<string | undefined> {
    const entries = sessionEntries(model.sessions, undefined, vscode.env.language, vscode.l10n);
    return pickEntry(entries, {
      title: vscode.l10n.t('Select Session'),
      placeholder: vscode.l10n.t('Session to look at'),
      empty: vscode.l10n.t('No agent turn has been recorded in this window yet.'),
    });
  }

  async #pickFile(model: OpenTimeline['model']): Promise<NamedFile | undefined> {
    const turns = model.turns.filter(({ files }) => files.length > 0);
    const texts = {
      title: vscode.l10n.t('Compare With Working File'),
      placeholder: vscode.l10n.t('Turn whose old state to compare'),
      empty: vscode.l10n.t('No turn has changed a file yet.'),
    };
    const turn = await pickEntry(turnEntries(turns, vscode.env.language, vscode.l10n), texts);
    if (turn === undefined) return undefined;
    const placeholder = vscode.l10n.t('File of turn {0}', turn.number);
    const file = await pickEntry(fileEntries(turn, vscode.l10n), { ...texts, placeholder });
    return file && { turn: turn.id, path: file.path };
  }

  async #openChanges(turn: TurnSummary, model: OpenTimeline['model']): Promise<void> {
    const title = await openTurnChanges(turn, model.rootOfTurn(turn));
    this.#context.editors.remember(title, turn.id);
  }

  /** All changes of a turn that are in front give way to those of the turn looked at; nothing else does. */
  async #moveEditor(model: OpenTimeline['model']): Promise<void> {
    const { editors, isPageFocused } = this.#context;
    const { active } = editors;
    if (this.#isFollowing || active?.kind !== 'changes') return;
    const wasInPage = isPageFocused();
    this.#isFollowing = true;
    try {
      let shown = active.turn;
      // Steps that are taken while an editor opens are followed afterwards, to where they lead.
      for (;;) {
        const turn = model.currentTurn;
        if (turn === undefined || turn.id === shown) break;
        await editors.replacing(() => this.#openChanges(turn, model));
        shown = turn.id;
      }
    } finally {
      this.#isFollowing = false;
    }
    // After that: with the focus in the page the next step can be taken before VS Code calls this done.
    if (wasInPage) await vscode.commands.executeCommand(`${viewIds.timeline}.focus`);
  }

  /** Shows the turn looked at, wherever the list stood. */
  followCursor(): void {
    this.#context.presenter.followCursor();
    this.#context.show();
  }
}

/** The turn looked at. @throws UserError `notFound` when there is none. */
export function currentTurn(model: OpenTimeline['model']): TurnSummary {
  const turn = model.currentTurn;
  if (turn === undefined) {
    throw new UserError(
      'notFound',
      vscode.l10n.t('No agent turn has been recorded in this window yet.'),
    );
  }
  return turn;
}

/** @throws UserError `nothingToDo` when the turn changed none. */
function needFiles({ files, number }: TurnSummary): void {
  if (files.length > 0) return;
  throw new UserError('nothingToDo', vscode.l10n.t('Turn {0} changed no files.', number));
}
