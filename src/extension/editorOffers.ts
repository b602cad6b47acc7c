/**
 * Asks about what an editor shows, while one reads and scrolls it: a notification with a link, and a button above the
 * editor. Question and editor go together: closing one closes the other. Several may stand at once.
 */
import * as vscode from 'vscode';
import { commandIds, contextKeys } from './names.ts';
import { plainMessage } from './shortText.ts';

export interface Offer {
  /** True: the person goes on. False: cancelled, the editor was closed, or `close`. */
  readonly accepted: Promise<boolean>;
  /** Takes question and editor away. */
  close(): Promise<void>;
}

export interface OfferTexts {
  readonly message: string;
  /** Of the link that accepts. */
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
    showQuestion(texts, id, accepted, close);
    return { accepted, close };
  }

  /** @param id default: the one whose editor is active */
  accept(id?: unknown): void {
    const active = vscode.window.tabGroups.activeTabGroup.activeTab;
    const offer =
      typeof id === 'number'
        ? this.#standing.get(id)
        : [...this.#standing.values()].find(({ isShown }) => active && isShown(active));
    offer?.answer(true);
  }

  dispose(): void {
    this.#listeners.dispose();
    for (const offer of [...this.#standing.values()]) offer.answer(false);
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

/** Of VS Code's notifications only one with a progress bar can be taken away; without an increment it shows no bar. */
function showQuestion(
  { message, label }: OfferTexts,
  id: number,
  accepted: Promise<boolean>,
  close: () => Promise<void>,
): void {
  const target = `command:${commandIds.goOn}?${encodeURIComponent(JSON.stringify([id]))}`;
  void vscode.window.withProgress(
    {
      location: vscode.ProgressLocation.Notification,
      title: `${plainMessage(message)} [${label}](${target})`,
      cancellable: true,
    },
    async (progress, token) => {
      progress.report({ increment: 0 });
      token.onCancellationRequested(() => void close());
      await accepted;
    },
  );
}

async function closeTabs(isShown: IsShown): Promise<void> {
  const { tabGroups } = vscode.window;
  await tabGroups.close(tabGroups.all.flatMap((group) => group.tabs).filter(isShown));
}
