/** Opens read-only texts of conversations, as Markdown, which wraps long lines; always in the text editor. */
import * as vscode from 'vscode';
import { storedUri } from './turnFileSystem.ts';
import type { ContextFile, TextFile } from './turnUri.ts';

/** In the text editor, whatever else would open such files: there text is text. */
export async function openText(file: TextFile | ContextFile): Promise<void> {
  const document = await vscode.workspace.openTextDocument(storedUri(file));
  await vscode.window.showTextDocument(document, { preview: true });
}
