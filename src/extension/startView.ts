/** The tree that is shown while there is no timeline: it has no items, its welcome content (package.json) does the work. */
import * as vscode from 'vscode';
import { viewIds } from './names.ts';

const empty: vscode.TreeDataProvider<never> = {
  getChildren: () => [],
  getTreeItem: (item) => item,
};

export function registerStartView(): vscode.Disposable {
  return vscode.window.registerTreeDataProvider(viewIds.start, empty);
}
