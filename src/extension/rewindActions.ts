/** Rewinding, reverting a turn, restoring a file, and undoing each of them: who is meant, then the flow. */
import * as vscode from 'vscode';
import type { Side } from '../app/timelineApp.ts';
import { isUserError, UserError } from '../core/errors.ts';
import type { TurnId } from '../core/ids.ts';
import type { TurnSummary } from '../core/timeline.ts';
import type { ShownPreview } from './flowContext.ts';
import { needTrust } from './needTrust.ts';
import { type OperationInRoot, operationEntries, undoRefusal } from './operationEntries.ts';
import type { OperationRunner } from './operationRunner.ts';
import { pickEntry } from './pickEntry.ts';
import { type Outlook, restoreEntries } from './restoreEntries.ts';
import { restoreFlow } from './restoreFlow.ts';
import { revertFlow } from './revertFlow.ts';
import { rewindFlow } from './rewindFlow.ts';
import type { OpenTimeline, TimelineHub } from './timelineHub.ts';
import { isRestorable, isRevertable, rewindRefusals } from './turnChecks.ts';
import { fileEntries, turnEntries } from './turnItems.ts';

export interface NamedFile {
  readonly turn: TurnId;
  readonly path: string;
}

export class RewindActions {
  readonly #hub: TimelineHub;
  readonly #runner: OperationRunner;

  constructor(hub: TimelineHub, runner: OperationRunner) {
    this.#hub = hub;
    this.#runner = runner;
  }

  /** @param id default: the person picks one. @param seen its preview, which one goes on from */
  async rewind(id?: TurnId, seen?: ShownPreview): Promise<void> {
    const turn = await this.#turn(id, {
      title: vscode.l10n.t('Rewind to Turn'),
      placeholder: vscode.l10n.t('The files go back to what they were before this turn'),
      empty: vscode.l10n.t('There is no turn to rewind.'),
      among(turns) {
        const refusals = rewindRefusals(turns, true, vscode.l10n);
        return turns.filter((_, index) => refusals[index] === null);
      },
    });
    if (turn === undefined) return;
    const root = await this.#hub.rootOfTurn(turn);
    await this.#runner.run(
      root,
      (context) => rewindFlow({ turn, root }, context),
      (shown) => this.rewind(turn.id, shown),
      seen,
    );
  }

  /** @param id default: the person picks one. @param seen its preview, which one goes on from */
  async revert(id?: TurnId, seen?: ShownPreview): Promise<void> {
    const turn = await this.#turn(id, {
      title: vscode.l10n.t('Revert Turn'),
      placeholder: vscode.l10n.t('What this turn did is taken out; later turns stay'),
      empty: vscode.l10n.t('There is no turn to revert.'),
      among: (turns) => turns.filter(isRevertable),
    });
    if (turn === undefined) return;
    const root = await this.#hub.rootOfTurn(turn);
    await this.#runner.run(
      root,
      (context) => revertFlow({ turn, root }, context),
      (shown) => this.revert(turn.id, shown),
      seen,
    );
  }

  /** @param file default: the person picks one. */
  async restore(file?: NamedFile): Promise<void> {
    const turn = await this.#turn(file?.turn, {
      title: vscode.l10n.t('Restore File'),
      placeholder: vscode.l10n.t('A file goes back to what it was before or after this turn'),
      empty: vscode.l10n.t('There is no file to restore.'),
      among: (turns) => turns.filter(isRestorable),
    });
    const path = turn && (file?.path ?? (await pickFile(turn)));
    if (turn === undefined || path === undefined) return;
    const root = await this.#hub.rootOfTurn(turn);
    const side = await this.#pickSide(turn, path);
    if (side === undefined) return;
    const old = { turn: turn.id, path, side };
    await this.#runner.run(
      root,
      (context) => restoreFlow({ turn, old, root }, context),
      () => this.restore({ turn: turn.id, path }),
    );
  }

  /** Undoes the newest rewind, revert or restore of the session that is looked at. */
  async undo(): Promise<void> {
    needTrust();
    const { app, model } = await this.#hub.opened();
    const root = model.session?.root ?? this.#hub.roots()[0]?.root;
    const newest = model.session ? model.redoable : root && app.redoable(root);
    if (root === undefined || newest === undefined) {
      throw new UserError('nothingToDo', vscode.l10n.t('There is nothing to undo.'));
    }
    await this.#runner.undo(newest.id, root, false);
  }

  /** Lists what was done in all folders of this window; the one that is picked is undone, after a question. */
  async operations(): Promise<void> {
    const { app } = await this.#hub.opened();
    const roots = this.#hub.roots();
    const all = roots.flatMap(({ root, folder }): readonly OperationInRoot[] =>
      app
        .operations(root)
        .map((operation) => ({ operation, root, folder: roots.length > 1 ? folder : null })),
    );
    const picked = await pickEntry(operationEntries(all, vscode.env.language, vscode.l10n), {
      title: vscode.l10n.t('Operations'),
      placeholder: vscode.l10n.t('Pick an operation to undo it'),
      empty: vscode.l10n.t('Nothing has been rewound, reverted or restored in this window yet.'),
    });
    if (picked === undefined) return;
    needTrust();
    const refusal = undoRefusal(picked.operation, vscode.l10n);
    if (refusal !== null) {
      throw new UserError('nothingToDo', `${picked.operation.label}: ${refusal}`);
    }
    await this.#runner.undo(picked.operation.id, picked.root, true);
  }

  /** The turn that is named, or one of the session looked at that the person picks. */
  async #turn(id: TurnId | undefined, texts: TurnPick): Promise<TurnSummary | undefined> {
    needTrust();
    const { model } = await this.#hub.opened();
    if (id !== undefined) return model.turn(id);
    const entries = turnEntries(texts.among(model.turns), vscode.env.language, vscode.l10n);
    return pickEntry(entries, texts);
  }

  async #pickSide(turn: TurnSummary, path: string): Promise<Side | undefined> {
    const { app } = await this.#hub.opened();
    const [before, after] = await Promise.all([
      outlook(app, turn, path, 'before'),
      outlook(app, turn, path, 'after'),
    ]);
    return pickEntry(restoreEntries(turn.number, { before, after }, vscode.l10n), {
      title: vscode.l10n.t('Restore {0}', path),
      placeholder: vscode.l10n.t('State to go back to'),
      empty: vscode.l10n.t('There is no file to restore.'),
    });
  }
}

interface TurnPick {
  readonly title: string;
  readonly placeholder: string;
  readonly empty: string;
  readonly among: (turns: readonly TurnSummary[]) => readonly TurnSummary[];
}

async function pickFile(turn: TurnSummary): Promise<string | undefined> {
  const file = await pickEntry(fileEntries(turn, vscode.l10n), {
    title: vscode.l10n.t('Restore File of Turn {0}', turn.number),
    placeholder: vscode.l10n.t('File to restore'),
    empty: vscode.l10n.t('There is no file to restore.'),
  });
  return file?.path;
}

async function outlook(
  app: OpenTimeline['app'],
  turn: TurnSummary,
  path: string,
  side: Side,
): Promise<Outlook> {
  try {
    return await app.previewRestore(turn.id, path, side);
  } catch (error) {
    if (!isUserError(error)) throw error;
    return { refused: error.message };
  }
}
