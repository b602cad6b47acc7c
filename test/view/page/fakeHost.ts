/**
 * The host's side inside the page, as VS Code gives it: the theme on the document, `acquireVsCodeApi`, messages. Besides,
 * it keeps what the tests want to know.
 */

import type { PageApi } from '../../../webview/vscodeApi.ts';

interface FakeHost {
  /** Every intent the page posted, oldest first. */
  readonly posted: unknown[];
  /** Violations of the content security policy. */
  readonly violations: string[];
  /** Resolves once the page has taken the message in. */
  send(message: unknown): Promise<void>;
  setTheme(theme: FakeTheme, extraClasses: string): void;
}

interface FakeTheme {
  readonly bodyClass: string;
  readonly kind: string;
  readonly properties: Readonly<Record<string, string>>;
}

declare global {
  interface Window {
    fakeHost: FakeHost;
    /** Set by the test that wants to answer intents. */
    hostReceives?: (intent: unknown) => unknown;
  }
}

const stateKey = 'vscode state';
const posted: unknown[] = [];
const violations: string[] = [];
let acquired = false;

document.addEventListener('securitypolicyviolation', (event) => {
  violations.push(`${event.effectiveDirective} ${event.blockedURI} ${event.sourceFile}`);
});

window.fakeHost = {
  posted,
  violations,
  send: (message) =>
    new Promise((resolve) => {
      // Added after the page's own listener, so called after it.
      window.addEventListener('message', () => resolve(), { once: true });
      window.postMessage(message, '*');
    }),
  setTheme(theme, extraClasses) {
    const style = document.documentElement.style;
    for (const name of [...style]) style.removeProperty(name);
    for (const [name, value] of Object.entries(theme.properties)) {
      style.setProperty(`--vscode-${name}`, value);
    }
    // What the workbench paints behind a view in the side bar.
    style.backgroundColor = theme.properties['sideBar-background'] ?? '';
    document.body.className = `${theme.bodyClass} ${extraClasses}`.trim();
    document.body.dataset['vscodeThemeKind'] = theme.kind;
  },
};

globalThis.acquireVsCodeApi = (): PageApi => {
  if (acquired) throw new Error('acquireVsCodeApi can be called once.');
  acquired = true;
  return {
    postMessage(intent) {
      posted.push(intent);
      window.hostReceives?.(intent);
    },
    getState: (): unknown => JSON.parse(sessionStorage.getItem(stateKey) ?? 'null') ?? undefined,
    setState: (state) => sessionStorage.setItem(stateKey, JSON.stringify(state)),
  };
};

const settings = JSON.parse(document.getElementById('fakeHostSettings')?.textContent ?? '{}');
window.fakeHost.setTheme(settings.theme, settings.bodyClasses);
