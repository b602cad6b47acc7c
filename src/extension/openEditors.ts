/** Open editors as the rewind flow needs them: which files of a root hold unsaved changes, and saving those. */
import fs from 'node:fs';
import path from 'node:path';
import * as vscode from 'vscode';
import type { Root } from '../core/ids.ts';
import type { Editors } from './flowContext.ts';

export class OpenEditors implements Editors {
  unsaved(root: Root): ReadonlySet<string> {
    const paths = unsavedFiles().map((uri) => pathInRoot(root, uri.fsPath));
    return new Set(paths.filter((name) => name !== undefined));
  }

  async save(root: Root, paths: readonly string[]): Promise<readonly string[]> {
    const wanted = new Set(paths);
    for (const uri of unsavedFiles()) {
      const name = pathInRoot(root, uri.fsPath);
      if (name !== undefined && wanted.has(name)) await saveOne(uri);
    }
    const left = this.unsaved(root);
    return paths.filter((name) => left.has(name));
  }
}

/**
 * The `/`-separated path of a file relative to a root, which is a real path: folders on the way may be links, the file
 * itself stays what it is. Undefined for a file outside.
 */
export function pathInRoot(root: Root, file: string): string | undefined {
  const relative = path.relative(
    root,
    path.join(realFolder(path.dirname(file)), path.basename(file)),
  );
  if (relative === '' || path.isAbsolute(relative)) return undefined;
  const segments = relative.split(path.sep);
  return segments[0] === '..' ? undefined : segments.join('/');
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

/** The real path of a folder, or of its nearest ancestor that exists, with the rest as it was named. */
function realFolder(folder: string): string {
  try {
    return fs.realpathSync.native(folder);
  } catch {
    // Not there any more, or not ours to see: its parent may still be.
    const parent = path.dirname(folder);
    return parent === folder ? folder : path.join(realFolder(parent), path.basename(folder));
  }
}
