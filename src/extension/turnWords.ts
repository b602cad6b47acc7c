/** Prompt and reply of a turn as a text to read and search: nowhere on disk, never anything but text. */
import * as vscode from 'vscode';
import type { TurnSummary } from '../core/timeline.ts';
import { wordsScheme } from './names.ts';
import { wordsText } from './wordsText.ts';

export class TurnWords implements vscode.Disposable {
  readonly #texts = new Map<string, string>();
  readonly #registration: vscode.Disposable;

  constructor() {
    this.#registration = vscode.Disposable.from(
      vscode.workspace.registerTextDocumentContentProvider(wordsScheme, {
        provideTextDocumentContent: (uri) => this.#texts.get(uri.toString()) ?? '',
      }),
      vscode.workspace.onDidCloseTextDocument(({ uri }) => this.#texts.delete(uri.toString())),
    );
  }

  /** As Markdown, which wraps long lines; in the text editor, whatever else would open such files. */
  async show(turn: TurnSummary): Promise<void> {
    const name = vscode.l10n.t('Turn {0}', turn.number);
    const text = wordsText(turn, vscode.env.language, vscode.l10n);
    // What a running turn says changes; so does then the name of what is shown.
    const query = `${turn.id} ${turn.reply?.length ?? -1}`;
    const uri = vscode.Uri.from({ scheme: wordsScheme, path: `/${name}.md`, query });
    this.#texts.set(uri.toString(), text);
    const document = await vscode.workspace.openTextDocument(uri);
    await vscode.window.showTextDocument(document, { preview: true });
  }

  dispose(): void {
    this.#registration.dispose();
  }
}
