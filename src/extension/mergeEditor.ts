/**
 * Opens VS Code's merge editor. Its commands are internal: VS Code's git extension opens it in the same way, and the one
 * that prepares the result stands in its palette. Where they do not work a plain diff is opened instead.
 */
import * as vscode from 'vscode';

export interface MergeSides {
  readonly base: vscode.Uri;
  readonly mine: vscode.Uri;
  readonly old: vscode.Uri;
  /** Says which old state. */
  readonly oldDetail: string;
  /** The working file; what it holds is `mine`. */
  readonly result: vscode.Uri;
}

const openCommand = '_open.mergeEditor';
/** Starts the result from the base with what does not overlap, so that only the rest is left to decide. */
const prepareCommand = 'mergeEditor.resetResultToBaseAndAutoMerge';
/** How long the editor may take to show itself; milliseconds. */
const patience = 10_000;

/** False when it could not be opened. The file on disk stays as it is until the person saves. */
export async function openMergeEditor(sides: MergeSides): Promise<boolean> {
  const known = new Set(await vscode.commands.getCommands());
  if (!known.has(openCommand)) return false;
  await vscode.commands.executeCommand(openCommand, {
    base: sides.base,
    input1: { uri: sides.mine, title: vscode.l10n.t('Mine'), description: vscode.l10n.t('now') },
    input2: {
      uri: sides.old,
      title: vscode.l10n.t('Old State'),
      description: sides.oldDetail,
    },
    output: sides.result,
  });
  return prepared(sides.result);
}

/** Waits until the editor is there and its result is prepared; whether it is there at all. */
function prepared(result: vscode.Uri): Promise<boolean> {
  return new Promise((resolve) => {
    const { window, workspace } = vscode;
    const look = (): void => {
      if (isDirty(result)) done(true);
      else if (isMerging(result)) void vscode.commands.executeCommand(prepareCommand);
    };
    const listeners = vscode.Disposable.from(
      window.onDidChangeActiveTextEditor(look),
      window.tabGroups.onDidChangeTabs(look),
      workspace.onDidChangeTextDocument(look),
    );
    const timer = setTimeout(() => done(isMerging(result)), patience);
    look();

    function done(isThere: boolean): void {
      clearTimeout(timer);
      listeners.dispose();
      resolve(isThere);
    }
  });
}

/** The keyboard is in the result of a merge editor, and not in the file's own editor or in another merge. */
function isMerging(result: vscode.Uri): boolean {
  const { activeTextEditor, tabGroups } = vscode.window;
  const input = tabGroups.activeTabGroup.activeTab?.input;
  return (
    activeTextEditor?.document.uri.toString() === result.toString() &&
    !(input instanceof vscode.TabInputText) &&
    !(input instanceof vscode.TabInputTextDiff)
  );
}

function isDirty(file: vscode.Uri): boolean {
  return vscode.workspace.textDocuments.some(
    (document) => document.isDirty && document.uri.toString() === file.toString(),
  );
}
