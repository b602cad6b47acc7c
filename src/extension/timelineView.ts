/** The webview of the timeline: loads the page, hands intents on, posts whole states while it is visible. */
import { randomBytes } from 'node:crypto';
import * as vscode from 'vscode';
import type { Intent, TimelineState, ToView } from '../protocol/messages.ts';
import { parseIntent } from '../protocol/parseIntent.ts';
import { timelinePage } from './timelinePage.ts';

export interface TimelineViewHost {
  /** The state as it is now. */
  state(): TimelineState;
  /** What the page wants; never throws. */
  intent(intent: Intent): void;
  warn(sentence: string): void;
}

export class TimelineView implements vscode.WebviewViewProvider {
  readonly #extensionUri: vscode.Uri;
  readonly #host: TimelineViewHost;
  #view: vscode.WebviewView | undefined;

  constructor(extensionUri: vscode.Uri, host: TimelineViewHost) {
    this.#extensionUri = extensionUri;
    this.#host = host;
  }

  resolveWebviewView(view: vscode.WebviewView): void {
    this.#view = view;
    const listeners = [
      view.webview.onDidReceiveMessage((message: unknown) => this.#receive(message)),
      view.onDidChangeVisibility(() => {
        if (view.visible) this.show();
        else this.#host.intent({ type: 'focus', focused: false });
      }),
    ];
    view.onDidDispose(() => {
      for (const listener of listeners) listener.dispose();
      if (this.#view === view) this.#view = undefined;
    });
    const dist = vscode.Uri.joinPath(this.#extensionUri, 'dist');
    const media = vscode.Uri.joinPath(this.#extensionUri, 'media');
    view.webview.options = { enableScripts: true, localResourceRoots: [dist, media] };
    const at = (file: string): string =>
      view.webview.asWebviewUri(vscode.Uri.joinPath(dist, file)).toString();
    view.webview.html = timelinePage({
      cspSource: view.webview.cspSource,
      nonce: randomBytes(16).toString('base64url'),
      scriptUri: at('timeline.js'),
      styleUri: at('timeline.css'),
      language: vscode.env.language,
      title: vscode.l10n.t('Timeline'),
    });
  }

  /** Sends the state, if anybody looks. A page that cannot hear it yet says `ready` when it can. */
  show(): void {
    if (this.#view?.visible) this.#post(this.#host.state());
  }

  /** For screen readers. */
  announce(text: string, assertive = false): void {
    if (this.#view?.visible) this.#post({ type: 'announce', text, assertive });
  }

  #receive(message: unknown): void {
    const intent = parseIntent(message);
    if (intent === undefined) {
      this.#host.warn('The timeline page sent a message that is not understood.');
      return;
    }
    this.#host.intent(intent);
  }

  /** VS Code answers false when the page has gone meanwhile; it says `ready` when it returns. */
  #post(message: ToView): void {
    void this.#view?.webview.postMessage(message);
  }
}
