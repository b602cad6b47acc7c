/** Shows the change to an agent's settings file as a diff of two texts that are nowhere on disk. */
import path from 'node:path';
import * as vscode from 'vscode';
import type { ConnectionPlan } from '../app/connector.ts';
import { settingsScheme } from './names.ts';

export class SettingsDiff implements vscode.Disposable {
  /** The plan that is shown. */
  #plan: ConnectionPlan | undefined;
  /** Tells this showing from earlier ones, whose texts VS Code may still hold. */
  #count = 0;
  readonly #registration: vscode.Disposable;

  constructor() {
    this.#registration = vscode.workspace.registerTextDocumentContentProvider(settingsScheme, {
      provideTextDocumentContent: (uri) =>
        (uri.query.startsWith('before') ? this.#plan?.before : this.#plan?.after) ?? '',
    });
  }

  /** Takes the diff away again when what it returns is called. */
  async show(plan: ConnectionPlan): Promise<() => Promise<void>> {
    this.#plan = plan;
    this.#count++;
    const side = (which: 'before' | 'after'): vscode.Uri =>
      vscode.Uri.from({
        scheme: settingsScheme,
        path: vscode.Uri.file(plan.file).path,
        query: `${which} ${this.#count}`,
      });
    const modified = side('after');
    const title = vscode.l10n.t('{0} (now ↔ then)', path.basename(plan.file));
    await vscode.commands.executeCommand('vscode.diff', side('before'), modified, title);
    return () => closeTab(modified);
  }

  dispose(): void {
    this.#registration.dispose();
  }
}

async function closeTab(modified: vscode.Uri): Promise<void> {
  const tabs = vscode.window.tabGroups.all.flatMap((group) => group.tabs);
  const ours = tabs.filter(
    ({ input }) =>
      input instanceof vscode.TabInputTextDiff && input.modified.toString() === modified.toString(),
  );
  await vscode.window.tabGroups.close(ours);
}
