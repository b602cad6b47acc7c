/** An editor tab with a page of ours: loads it, hands intents on, posts whole states while it is visible. */
import { randomBytes } from 'node:crypto';
import * as vscode from 'vscode';
import { timelinePage } from './timelinePage.ts';

export interface PageHost<State, Intent> {
  /** Of its script and style sheet in `dist`. */
  readonly bundle: string;
  title(): string;
  /** The state as it is now. */
  state(): State;
  /** Undefined for what is not understood. */
  parse(message: unknown): Intent | undefined;
  /** What the page wants; never throws. */
  intent(intent: Intent): void;
  warn(sentence: string): void;
  /** The tab is closed. */
  closed(): void;
}

export class PagePanel<State, Intent> {
  readonly #panel: vscode.WebviewPanel;
  readonly #host: PageHost<State, Intent>;

  constructor(panel: vscode.WebviewPanel, extensionUri: vscode.Uri, host: PageHost<State, Intent>) {
    this.#panel = panel;
    this.#host = host;
    const { webview } = panel;
    const listeners = [
      webview.onDidReceiveMessage((message: unknown) => this.#receive(message)),
      panel.onDidChangeViewState(() => this.show()),
    ];
    panel.onDidDispose(() => {
      for (const listener of listeners) listener.dispose();
      host.closed();
    });
    const dist = vscode.Uri.joinPath(extensionUri, 'dist');
    const at = (file: string): string =>
      webview.asWebviewUri(vscode.Uri.joinPath(dist, file)).toString();
    panel.title = host.title();
    webview.options = { enableScripts: true, localResourceRoots: [dist] };
    webview.html = timelinePage({
      cspSource: webview.cspSource,
      nonce: randomBytes(16).toString('base64url'),
      scriptUri: at(`${host.bundle}.js`),
      styleUri: at(`${host.bundle}.css`),
      language: vscode.env.language,
      title: host.title(),
    });
  }

  get visible(): boolean {
    return this.#panel.visible;
  }

  /** Sends the state, if anybody looks. A page that cannot hear it yet says `ready` when it can. */
  show(): void {
    if (!this.#panel.visible) return;
    this.#panel.title = this.#host.title();
    // VS Code answers false when the page has gone meanwhile; it says `ready` when it returns.
    void this.#panel.webview.postMessage(this.#host.state());
  }

  /** Brings the tab to the front, wherever it is. */
  reveal(): void {
    this.#panel.reveal();
  }

  dispose(): void {
    this.#panel.dispose();
  }

  #receive(message: unknown): void {
    const intent = this.#host.parse(message);
    if (intent !== undefined) this.#host.intent(intent);
    else this.#host.warn(`The page “${this.#host.bundle}” sent a message that is not understood.`);
  }
}
