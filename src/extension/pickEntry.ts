/** Shows entries in a quick pick. */
import * as vscode from 'vscode';
import { UserError } from '../core/errors.ts';
import type { Pick, PickButton, PickEntry, PickTexts } from './question.ts';

interface Button<T> extends vscode.QuickInputButton {
  readonly value: T;
}

/** The entry's place in the list leads back to its value: VS Code hands out the items it was given. */
interface Item<T> extends vscode.QuickPickItem {
  readonly entry: PickEntry<T>;
  readonly buttons?: readonly Button<T>[];
}

/**
 * After the menu of a web page VS Code gives the page its focus back with a delay: a pick that is open by then loses it and
 * goes, before anybody has read it. Nobody closes one on purpose so soon, so it is shown once more. Milliseconds.
 */
const focusReturns = 500;

export const pickEntry: Pick = async (entries, texts) => {
  if (entries.length === 0) throw new UserError('nothingToDo', texts.empty);
  return shown(entries.map(itemOf), texts);
};

/** The same, but where there is one entry only nobody is asked for it. */
export const pickUnlessOnly: Pick = async (entries, texts) => {
  const items = entries.filter((entry) => entry.kind === 'item');
  const [only] = items;
  return only !== undefined && items.length === 1 ? only.value : pickEntry(entries, texts);
};

function shown<T>(
  items: readonly Item<T>[],
  texts: PickTexts,
  isAgain = false,
): Promise<T | undefined> {
  const list = vscode.window.createQuickPick<Item<T>>();
  return new Promise<T | undefined>((resolve) => {
    let isPicked = false;
    const picked = (value: T | undefined): void => {
      isPicked = true;
      resolve(value);
      list.hide();
    };
    list.title = texts.title;
    list.placeholder = texts.placeholder;
    list.ignoreFocusOut = texts.stays === true;
    list.matchOnDescription = true;
    list.matchOnDetail = true;
    list.items = items;
    const active = items.filter(({ entry }) => entry.kind === 'item' && entry.active);
    if (active.length > 0) list.activeItems = active; // an empty one would take it from the first
    list.onDidAccept(() => picked(valueOfEntry(list.selectedItems[0]?.entry)));
    list.onDidTriggerItemButton(({ button }) => picked(valueOfButton(items, button)));
    const openedAt = performance.now();
    list.onDidHide(() => {
      list.dispose();
      const isTooSoon = performance.now() - openedAt < focusReturns && list.value === '';
      resolve(isTooSoon && !isPicked && !isAgain ? shown(items, texts, true) : undefined);
    });
    list.show();
  });
}

function itemOf<T>(entry: PickEntry<T>): Item<T> {
  if (entry.kind === 'separator')
    return { entry, label: entry.label, kind: vscode.QuickPickItemKind.Separator };
  const { label, description, detail, icon, buttons = [] } = entry;
  return {
    ...{ entry, label, description, detail, buttons: buttons.map(buttonOf) },
    ...(icon !== undefined && { iconPath: new vscode.ThemeIcon(icon) }),
  };
}

function buttonOf<T>({ icon, tooltip, value }: PickButton<T>): Button<T> {
  return { iconPath: new vscode.ThemeIcon(icon), tooltip, value };
}

function valueOfEntry<T>(entry: PickEntry<T> | undefined): T | undefined {
  return entry?.kind === 'item' ? entry.value : undefined;
}

function valueOfButton<T>(
  items: readonly Item<T>[],
  pressed: vscode.QuickInputButton,
): T | undefined {
  return items.flatMap(({ buttons = [] }) => buttons).find((button) => button === pressed)?.value;
}
