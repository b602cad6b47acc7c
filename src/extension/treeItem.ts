/** Rows of our tree views as VS Code has them. */
import * as vscode from 'vscode';
import type { Row } from './projectItems.ts';

/** @param id of the item; it keeps what is open and selected when the tree is read again */
export function treeItem(
  row: Row,
  id: string,
  below: vscode.TreeItemCollapsibleState,
): vscode.TreeItem {
  const item = new vscode.TreeItem(row.label, below);
  item.id = id;
  item.description = row.description;
  item.tooltip = row.tooltip;
  item.iconPath = new vscode.ThemeIcon(row.icon);
  item.contextValue = row.context;
  return item;
}
