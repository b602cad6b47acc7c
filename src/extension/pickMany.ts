/** Shows entries of which any number can be picked. */
import * as vscode from 'vscode';
import { UserError } from '../core/errors.ts';
import type { PickMany } from './question.ts';

export const pickMany: PickMany = async (entries, texts) => {
  if (entries.length === 0) throw new UserError('nothingToDo', texts.empty);
  const items = entries.map(({ label, description, detail, active, value }) => ({
    ...{ label, description, detail, value },
    picked: active === true,
  }));
  const picked = await vscode.window.showQuickPick(items, {
    title: texts.title,
    placeHolder: texts.placeholder,
    canPickMany: true,
    matchOnDescription: true,
    matchOnDetail: true,
    ignoreFocusOut: true,
  });
  return picked?.map(({ value }) => value);
};
