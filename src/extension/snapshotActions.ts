/** Snapshots of the whole folder in VS Code: take one, go back to one, see what has changed since. */
import path from 'node:path';
import * as vscode from 'vscode';
import { UserError } from '../core/errors.ts';
import type { Root } from '../core/ids.ts';
import type { SnapshotSummary } from '../core/snapshotSummary.ts';
import { tellQuietly } from './dialogs.ts';
import type { ShownPreview } from './flowContext.ts';
import type { KnownSnapshots } from './knownSnapshots.ts';
import { countFiles } from './localizer.ts';
import { needTrust } from './needTrust.ts';
import type { OperationRunner } from './operationRunner.ts';
import { pickEntry } from './pickEntry.ts';
import { openSnapshotChanges } from './snapshotDiffs.ts';
import { snapshotEntries, snapshotName } from './snapshotEntries.ts';
import { type SnapshotInRoot, snapshotFlow } from './snapshotFlow.ts';
import { skippedText } from './snapshotTexts.ts';
import type { TimelineHub } from './timelineHub.ts';

export interface SnapshotActionsOptions {
  readonly hub: TimelineHub;
  readonly runner: OperationRunner;
  readonly known: KnownSnapshots;
  /** Draws the views anew. */
  readonly show: () => void;
}

export class SnapshotActions {
  readonly #options: SnapshotActionsOptions;

  constructor(options: SnapshotActionsOptions) {
    this.#options = options;
  }

  /**
   * Reads what there is, and so has the engine look at the folders that agents work in: the first snapshot is there then
   * when it is needed.
   * @param isConnected some agent's hooks are set up
   */
  async refresh(isConnected: boolean): Promise<void> {
    if (!vscode.workspace.isTrusted) return;
    const { app } = await this.#options.hub.opened();
    let isChanged = false;
    for (const { root } of this.#options.hub.roots()) {
      if (!isConnected && app.sessions(root).length === 0) continue;
      if (await this.#options.known.refresh(app, root)) isChanged = true;
    }
    if (isChanged) this.#options.show();
  }

  /** Asks for a name; an empty one will do. */
  async create(): Promise<void> {
    needTrust();
    const { app } = await this.#options.hub.opened();
    const root = await this.#root();
    if (root === undefined) return;
    const label = await vscode.window.showInputBox({
      title: vscode.l10n.t('Create Snapshot'),
      prompt: vscode.l10n.t('What to call it (may be empty)'),
    });
    if (label === undefined) return;
    const taken = await vscode.window.withProgress(
      {
        location: vscode.ProgressLocation.Notification,
        title: vscode.l10n.t('Taking a snapshot'),
        cancellable: true,
      },
      (progress, token) => {
        const stop = new AbortController();
        token.onCancellationRequested(() => stop.abort(new vscode.CancellationError()));
        return app.snapshots(root).take(label, {
          signal: stop.signal,
          onProgress: (done, total) =>
            progress.report({ message: vscode.l10n.t('{0} of {1} files', done, total) }),
        });
      },
    );
    await this.refresh(true);
    const name = snapshotName(taken.snapshot, vscode.env.language, vscode.l10n);
    const sentence = taken.isNew
      ? vscode.l10n.t('Snapshot taken: {0}.', countFiles(vscode.l10n, taken.files))
      : vscode.l10n.t('Nothing has changed since {0}.', name);
    const skipped = skippedText(taken, vscode.l10n);
    void tellQuietly([sentence, ...(skipped === null ? [] : [skipped])].join(' '), []);
  }

  /** @param id default: the person picks one. */
  async restore(id?: string): Promise<void> {
    needTrust();
    const picked = await this.#named(id, {
      title: vscode.l10n.t('Restore Snapshot'),
      placeholder: vscode.l10n.t('The whole folder goes back to it'),
    });
    if (picked !== undefined) await this.#restore(picked);
  }

  /** What has changed since a snapshot, in the multi-file diff editor. @param id default: the person picks one. */
  async compare(id?: string): Promise<void> {
    needTrust();
    const picked = await this.#named(id, {
      title: vscode.l10n.t('Compare with Snapshot'),
      placeholder: vscode.l10n.t('What has changed since'),
    });
    if (picked === undefined) return;
    const { app } = await this.#options.hub.opened();
    const { snapshot, root, name } = picked;
    const { changes } = await vscode.window.withProgress(
      {
        location: vscode.ProgressLocation.Window,
        title: vscode.l10n.t('Comparing with the snapshot'),
      },
      () => app.snapshots(root).compare(snapshot.id),
    );
    await openSnapshotChanges(picked, changes, vscode.l10n.t('{0} ↔ now', name));
  }

  async #restore(picked: SnapshotInRoot, seen?: ShownPreview): Promise<void> {
    await this.#options.runner.run(
      picked.root,
      (context) => snapshotFlow(picked, context),
      (shown) => this.#restore(picked, shown),
      seen,
    );
  }

  /** The snapshot of that id in a folder of this window, or the one that the person picks. */
  async #named(id: string | undefined, texts: PickWords): Promise<SnapshotInRoot | undefined> {
    const { app } = await this.#options.hub.opened();
    if (id !== undefined) {
      for (const { root } of this.#options.hub.roots()) {
        const snapshot = this.#options.known.of(root).find((one) => one.id === id);
        if (snapshot !== undefined) return named(snapshot, root);
      }
      throw new UserError('notFound', vscode.l10n.t('That snapshot is not there any more.'));
    }
    const root = await this.#root();
    if (root === undefined) return undefined;
    const all = await app.snapshots(root).list();
    const entries = snapshotEntries(all, vscode.env.language, vscode.l10n);
    const snapshot: SnapshotSummary | undefined = await pickEntry(entries, {
      ...texts,
      empty: vscode.l10n.t('No snapshot has been taken of this folder.'),
    });
    if (snapshot === undefined) return undefined;
    return named(snapshot, root);
  }

  /** The only folder of the window, or the one that the person picks. */
  async #root(): Promise<Root | undefined> {
    const roots = this.#options.hub.roots();
    const [only] = roots;
    if (only === undefined)
      throw new UserError('nothingToDo', vscode.l10n.t('There is no folder in this window.'));
    if (roots.length === 1) return only.root;
    const entries = roots.map(({ root, folder }) => ({
      kind: 'item' as const,
      label: folder,
      description: path.dirname(root),
      detail: '',
      value: root,
    }));
    return pickEntry(entries, {
      title: vscode.l10n.t('Folder'),
      placeholder: vscode.l10n.t('Which folder?'),
      empty: '',
    });
  }
}

interface PickWords {
  readonly title: string;
  readonly placeholder: string;
}

function named(snapshot: SnapshotSummary, root: Root): SnapshotInRoot {
  return { snapshot, root, name: snapshotName(snapshot, vscode.env.language, vscode.l10n) };
}
