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

export const pickEntry: Pick = async (entries, texts) => {
  if (entries.length === 0) throw new UserError('nothingToDo', texts.empty);
  return shown(entries.map(itemOf), texts);
};

function shown<T>(items: readonly Item<T>[], texts: PickTexts): Promise<T | undefined> {
  const list = vscode.window.createQuickPick<Item<T>>();
  return new Promise<T | undefined>((resolve) => {
    const picked = (value: T | undefined): void => {
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
    list.onDidHide(() => {
      resolve(undefined);
      list.dispose();
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
