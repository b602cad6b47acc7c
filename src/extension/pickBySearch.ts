/** A quick pick whose entries are looked up anew as somebody types. */
import * as vscode from 'vscode';
import type { PickEntry } from './question.ts';

type Found<T> = Extract<PickEntry<T>, { kind: 'item' }>;

interface Item<T> extends vscode.QuickPickItem {
  readonly value?: T;
}

export interface SearchTexts {
  readonly title: string;
  readonly placeholder: string;
  /** The one row when nothing was found. */
  readonly none: string;
}

/** Searching while somebody is still typing would only hold up the keys; milliseconds. */
const rest = 120;

/**
 * @param search what is found for a text that is not blank; what it throws ends the pick
 * @returns undefined: none was picked
 */
export function pickBySearch<T>(
  search: (text: string) => readonly Found<T>[],
  { title, placeholder, none }: SearchTexts,
): Promise<T | undefined> {
  const list = vscode.window.createQuickPick<Item<T>>();
  return new Promise<T | undefined>((resolve, reject) => {
    let timer: NodeJS.Timeout | undefined;
    const find = (): void => {
      timer = undefined;
      try {
        const found = list.value.trim() === '' ? [] : search(list.value);
        const isNone = list.value.trim() !== '' && found.length === 0;
        list.items = isNone ? [{ label: none, alwaysShow: true }] : found.map(itemOf);
        list.busy = false;
      } catch (error) {
        reject(error);
        list.hide();
      }
    };
    list.title = title;
    list.placeholder = placeholder;
    list.onDidChangeValue(() => {
      clearTimeout(timer);
      list.busy = true;
      timer = setTimeout(find, rest);
    });
    list.onDidAccept(() => {
      // Enter before the rows fit the words: then they are looked up at once, and nothing is picked by mistake.
      if (timer !== undefined) {
        clearTimeout(timer);
        return find();
      }
      const value = list.selectedItems[0]?.value;
      if (value === undefined) return;
      resolve(value);
      list.hide();
    });
    list.onDidHide(() => {
      clearTimeout(timer);
      resolve(undefined);
      list.dispose();
    });
    list.show();
  });
}

/** Always shown: what was found stays found, though the words may stand outside its label. */
function itemOf<T>({ label, description, detail, value }: Found<T>): Item<T> {
  return { label, description, detail, value, alwaysShow: true };
}
