/** Files as they were when a merge by hand began, as read-only texts: the merge's own result changes the file itself. */
import * as vscode from 'vscode';
import { presentScheme } from './names.ts';

export class PresentCopies implements vscode.TextDocumentContentProvider, vscode.Disposable {
  /** Text of a file, by URI. */
  readonly #texts = new Map<string, string>();
  readonly #registrations: vscode.Disposable;
  /** Tells copies of one file apart. */
  #count = 0;

  constructor() {
    const { workspace } = vscode;
    this.#registrations = vscode.Disposable.from(
      workspace.registerTextDocumentContentProvider(presentScheme, this),
      workspace.onDidCloseTextDocument(({ uri }) => this.#texts.delete(uri.toString())),
    );
  }

  /** Keeps the file as it is on disk until nobody shows it any more. */
  async keep(file: vscode.Uri): Promise<vscode.Uri> {
    this.#count++;
    const uri = file.with({ scheme: presentScheme, query: String(this.#count) });
    this.#texts.set(uri.toString(), await textOf(file));
    return uri;
  }

  /** After a reload of the window the file is still what it was, unless its merge was saved. */
  async provideTextDocumentContent(uri: vscode.Uri): Promise<string> {
    return this.#texts.get(uri.toString()) ?? textOf(uri.with({ scheme: 'file', query: '' }));
  }

  dispose(): void {
    this.#registrations.dispose();
  }
}

/** As VS Code would show it, in the encoding that is set for the file. */
async function textOf(file: vscode.Uri): Promise<string> {
  const bytes = await vscode.workspace.fs.readFile(file);
  return vscode.workspace.decode(bytes, { uri: file });
}
