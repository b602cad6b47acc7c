/** The project indicator: one item on the left. */
import * as vscode from 'vscode';
import { commandIds, settingIds } from './names.ts';
import { type StatusFacts, statusText } from './statusText.ts';

export class StatusBar implements vscode.Disposable {
  readonly #item: vscode.StatusBarItem;

  constructor() {
    this.#item = vscode.window.createStatusBarItem(
      'memcode.project',
      vscode.StatusBarAlignment.Left,
      50,
    );
    this.#item.name = vscode.l10n.t('Memcode Timeline');
    this.#item.command = commandIds.openTimeline;
  }

  /** @param facts undefined: there is no folder to speak of. */
  show(facts: StatusFacts | undefined): void {
    const wanted = vscode.workspace.getConfiguration().get<boolean>(settingIds.showStatusBar, true);
    if (facts === undefined || !wanted) {
      this.#item.hide();
      return;
    }
    const { text, tooltip, label } = statusText(facts, vscode.l10n);
    this.#item.text = text;
    this.#item.tooltip = tooltip;
    this.#item.accessibilityInformation = { label, role: 'button' };
    this.#item.show();
  }

  dispose(): void {
    this.#item.dispose();
  }
}
