/**
 * Knows what of a turn the active editor shows, and tells menus by the context key `memcode.turnEditor`. VS Code tells
 * extensions what a diff editor compares; an editor with all changes of a turn is known by the title we gave it.
 */
import * as vscode from 'vscode';
import type { TurnId } from '../core/ids.ts';
import { turnFileOfUri } from './commandArguments.ts';
import { isTitled } from './editorOffers.ts';
import { contextKeys } from './names.ts';
import type { TurnFile } from './turnUri.ts';

/** sides: before and after. working: a side and the working file. changes: all files of a turn. */
export type TurnEditorKind = 'sides' | 'working' | 'changes';

export type TurnEditor =
  | { readonly kind: 'sides' | 'working'; readonly file: TurnFile }
  | { readonly kind: 'changes'; readonly turn: TurnId };

export class TurnEditors implements vscode.Disposable {
  /** Titles of editors with all changes of a turn. */
  readonly #titles = new Map<string, TurnId>();
  readonly #listeners: vscode.Disposable;

  constructor() {
    const { tabGroups } = vscode.window;
    this.#listeners = vscode.Disposable.from(
      tabGroups.onDidChangeTabs(() => this.#tell()),
      tabGroups.onDidChangeTabGroups(() => this.#tell()),
    );
    this.#tell();
  }

  /** What the active editor shows, if it is ours. */
  get active(): TurnEditor | undefined {
    const tab = vscode.window.tabGroups.activeTabGroup.activeTab;
    if (tab === undefined) return undefined;
    if (tab.input instanceof vscode.TabInputTextDiff) return diffEditor(tab.input);
    for (const [title, turn] of this.#titles) {
      if (isTitled(tab, title)) return { kind: 'changes', turn };
    }
    return undefined;
  }

  /** An editor with all changes of the turn was opened under this title. */
  remember(title: string, turn: TurnId): void {
    this.#titles.set(title, turn);
    this.#tell();
  }

  /** Opens another editor in the place of the active one. VS Code does so by itself where that is a preview. */
  async replacing(open: () => Promise<void>): Promise<void> {
    const { tabGroups } = vscode.window;
    const tab = tabGroups.activeTabGroup.activeTab;
    await open();
    if (tab !== undefined && !tab.isPreview && !tab.isPinned) await tabGroups.close(tab, true);
  }

  dispose(): void {
    this.#listeners.dispose();
  }

  /** Setting a context key cannot fail in a way that anybody could act on. */
  #tell(): void {
    const kind = this.active?.kind;
    void vscode.commands.executeCommand('setContext', contextKeys.turnEditor, kind);
  }
}

function diffEditor({ original, modified }: vscode.TabInputTextDiff): TurnEditor | undefined {
  const file = turnFileOfUri(original);
  if (file === undefined) return undefined;
  return { kind: turnFileOfUri(modified) === undefined ? 'working' : 'sides', file };
}
