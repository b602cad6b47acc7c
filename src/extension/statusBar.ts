/** The project indicator: one item on the left. */
import * as vscode from 'vscode';
import { type CommandId, commandIds, settingIds } from './names.ts';
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
  }

  /** @param facts undefined: there is no folder to speak of. */
  show(facts: StatusFacts | undefined): void {
    const wanted = vscode.workspace.getConfiguration().get<boolean>(settingIds.showStatusBar, true);
    if (facts === undefined || !wanted) {
      this.#item.hide();
      return;
    }
    const { text, tooltip, label, isWarning } = statusText(facts, vscode.l10n);
    this.#item.text = text;
    this.#item.tooltip = withMenu(tooltip);
    this.#item.command = facts.project ? commandIds.openProject : commandIds.openTimeline;
    this.#item.backgroundColor = isWarning
      ? new vscode.ThemeColor('statusBarItem.warningBackground')
      : undefined;
    this.#item.accessibilityInformation = { label, role: 'button' };
    this.#item.show();
  }

  dispose(): void {
    this.#item.dispose();
  }
}

/** What else can be done from here. Names and prompts stay text. */
function withMenu(text: string): vscode.MarkdownString {
  const menu: readonly (readonly [string, CommandId])[] = [
    [vscode.l10n.t('Switch Preset…'), commandIds.switchPreset],
    [vscode.l10n.t('Show What Agents See'), commandIds.showAgentsSee],
  ];
  const links = menu.map(([label, command]) => `[${label}](command:${command})`);
  const tooltip = new vscode.MarkdownString();
  tooltip.isTrusted = { enabledCommands: menu.map(([, command]) => command) };
  return tooltip.appendText(text).appendMarkdown(`\n\n${links.join(' · ')}`);
}
