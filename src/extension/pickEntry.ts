/** Shows entries in a quick pick. */
import * as vscode from 'vscode';
import { UserError } from '../core/errors.ts';
import type { PickEntry } from './turnItems.ts';

export interface PickTexts {
  readonly title: string;
  readonly placeholder: string;
  /** Said when there is nothing to pick. */
  readonly empty: string;
}

/** The value of the picked entry; undefined when nothing was picked. @throws UserError `nothingToDo` without entries. */
export async function pickEntry<T>(
  entries: readonly PickEntry<T>[],
  texts: PickTexts,
): Promise<T | undefined> {
  if (entries.length === 0) throw new UserError('nothingToDo', texts.empty);
  const items = entries.map((entry) =>
    entry.kind === 'separator'
      ? { label: entry.label, kind: vscode.QuickPickItemKind.Separator }
      : { ...entry, kind: vscode.QuickPickItemKind.Default },
  );
  const picked = await vscode.window.showQuickPick(items, {
    title: texts.title,
    placeHolder: texts.placeholder,
    matchOnDescription: true,
    matchOnDetail: true,
  });
  return picked !== undefined && 'value' in picked ? picked.value : undefined;
}
