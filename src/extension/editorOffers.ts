/**
 * Asks about what an editor shows, while one reads and scrolls it: a notification whose first button goes on, and a button
 * above the editor. Closing the editor gives the question up. Several may stand at once.
 */
import * as vscode from 'vscode';
import { contextKeys } from './names.ts';
import { plainMessage } from './shortText.ts';

export interface Offer {
  /** True: the person goes on. False: cancelled, the editor was closed, or `close`. */
  readonly accepted: Promise<boolean>;
  /** Takes question and editor away. */
  close(): Promise<void>;
}

export interface OfferTexts {
  readonly message: string;
  /** Of the button that accepts. */
  readonly label: string;
}

export type IsShown = (tab: vscode.Tab) => boolean;

interface Standing {
  readonly isShown: IsShown;
  answer(accepted: boolean): void;
  /** Its tab has been seen; only then its absence means that somebody closed it. */
  seen: boolean;
}

export class EditorOffers implements vscode.Disposable {
  readonly #standing = new Map<number, Standing>();
  readonly #listeners: vscode.Disposable;
  #count = 0;

  constructor() {
    const { tabGroups } = vscode.window;
    this.#listeners = vscode.Disposable.from(
      tabGroups.onDidChangeTabs(() => this.#look()),
      tabGroups.onDidChangeTabGroups(() => this.#look()),
    );
  }

  /** The editor is open already. @param isShown says which tab it is */
  make(texts: OfferTexts, isShown: IsShown): Offer {
    const id = ++this.#count;
    const accepted = new Promise<boolean>((resolve) => {
      const answer = (yes: boolean): void => {
        this.#standing.delete(id);
        this.#look();
        resolve(yes);
      };
      this.#standing.set(id, { isShown, answer, seen: false });
    });
    this.#look();
    const close = async (): Promise<void> => {
      this.#standing.get(id)?.answer(false);
      await closeTabs(isShown);
    };
    void this.#ask(texts, id, accepted, close);
    return { accepted, close };
  }

  /** Goes on with what the active editor shows. */
  accept(): void {
    const active = vscode.window.tabGroups.activeTabGroup.activeTab;
    [...this.#standing.values()].find(({ isShown }) => active && isShown(active))?.answer(true);
  }

  dispose(): void {
    this.#listeners.dispose();
    for (const offer of [...this.#standing.values()]) offer.answer(false);
  }

  /** A message of VS Code's cannot be taken away: once it is answered elsewhere it goes to the others behind the bell. */
  async #ask(
    { message, label }: OfferTexts,
    id: number,
    accepted: Promise<boolean>,
    close: () => Promise<void>,
  ): Promise<void> {
    const cancel = vscode.l10n.t('Cancel');
    let isOpen = true;
    void accepted.then(() => {
      if (isOpen) void vscode.commands.executeCommand('notifications.hideToasts');
    });
    const picked = await vscode.window.showInformationMessage(plainMessage(message), label, cancel);
    isOpen = false;
    if (picked === cancel) await close();
    if (picked !== label) return;
    const standing = this.#standing.get(id);
    if (standing !== undefined) standing.answer(true);
    else
      void vscode.window.showInformationMessage(
        vscode.l10n.t('That was answered or closed before. Nothing was changed now.'),
      );
  }

  #look(): void {
    const { tabGroups } = vscode.window;
    const tabs = tabGroups.all.flatMap((group) => group.tabs);
    for (const offer of [...this.#standing.values()]) {
      const isOpen = tabs.some(offer.isShown);
      if (isOpen) offer.seen = true;
      else if (offer.seen) offer.answer(false);
    }
    const active = tabGroups.activeTabGroup.activeTab;
    const isOffer = [...this.#standing.values()].some(({ isShown }) => active && isShown(active));
    // Setting a context key cannot fail in a way that anybody could act on.
    void vscode.commands.executeCommand('setContext', contextKeys.offer, isOffer);
  }
}

/** A tab of the multi-file diff editor, whose input VS Code keeps to itself: it adds the number of files to the title. */
export function isTitled({ label }: vscode.Tab, title: string): boolean {
  return label === title || label.startsWith(`${title} (`);
}

async function closeTabs(isShown: IsShown): Promise<void> {
  const { tabGroups } = vscode.window;
  await tabGroups.close(tabGroups.all.flatMap((group) => group.tabs).filter(isShown));
}
