/** Open editors as the rewind flow needs them: which files of a root hold unsaved changes, and saving those. */
import * as vscode from 'vscode';
import { canonicalKey } from '../checkpoint/canonicalKey.ts';
import type { Root } from '../core/ids.ts';
import type { Editors } from './flowContext.ts';

export class OpenEditors implements Editors {
  unsaved(root: Root): ReadonlySet<string> {
    const paths = unsavedFiles().map((uri) => keyIn(root, uri.fsPath));
    return new Set(paths.filter((name) => name !== undefined));
  }

  async save(root: Root, paths: readonly string[]): Promise<readonly string[]> {
    const wanted = new Set(paths);
    for (const uri of unsavedFiles()) {
      const name = keyIn(root, uri.fsPath);
      if (name !== undefined && wanted.has(name)) await saveOne(uri);
    }
    const left = this.unsaved(root);
    return paths.filter((name) => left.has(name));
  }
}

/**
 * How the store names a file: in the disk's spelling, which is not always the editor's where case does not count, the
 * file itself also where it is a link. Undefined for one outside, and for one that is never written.
 */
function keyIn(root: Root, file: string): string | undefined {
  const named = canonicalKey(root, file);
  return 'key' in named ? named.key : undefined;
}

/** Text documents (shown or not), notebooks, and whatever else sits in a tab with a dot on it. */
function unsavedFiles(): readonly vscode.Uri[] {
  const { textDocuments, notebookDocuments } = vscode.workspace;
  const documents = [...textDocuments, ...notebookDocuments]
    .filter((document) => document.isDirty)
    .map((document) => document.uri);
  const tabs = vscode.window.tabGroups.all
    .flatMap((group) => group.tabs)
    .filter((tab) => tab.isDirty)
    .flatMap((tab) => tabFile(tab.input) ?? []);
  const byName = new Map(
    [...documents, ...tabs].filter((uri) => uri.scheme === 'file').map((uri) => [uri.fsPath, uri]),
  );
  return [...byName.values()];
}

function tabFile(input: unknown): vscode.Uri | undefined {
  if (
    input instanceof vscode.TabInputText ||
    input instanceof vscode.TabInputCustom ||
    input instanceof vscode.TabInputNotebook
  ) {
    return input.uri;
  }
  return input instanceof vscode.TabInputTextDiff ? input.modified : undefined;
}

async function saveOne(uri: vscode.Uri): Promise<void> {
  const { textDocuments, notebookDocuments } = vscode.workspace;
  const document = [...textDocuments, ...notebookDocuments].find(
    (candidate) => candidate.uri.toString() === uri.toString(),
  );
  if (document !== undefined) await document.save();
  else await vscode.workspace.save(uri);
}
