/** Shows entries in a quick pick. */
import * as vscode from 'vscode';
import { UserError } from '../core/errors.ts';
import type { Pick } from './question.ts';

export const pickEntry: Pick = async (entries, texts) => {
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
};
