/** Serves the built page on a free local port, in the extension's own document and under its policy, as VS Code would. */
import fs from 'node:fs/promises';
import http from 'node:http';
import path from 'node:path';
import { transform } from 'esbuild';
import { timelinePage } from '../../src/extension/timelinePage.ts';
import { projectFolder } from '../tools/paths.ts';
import { type Theme, type ThemeName, themes } from './themes.ts';

/** A bundle in `dist`. */
export type PageName = 'timeline' | 'history' | 'project';

export interface PageSettings {
  readonly name: PageName;
  readonly theme: ThemeName;
  /** More classes on the body, such as `vscode-reduce-motion`. */
  readonly bodyClasses: string;
}

export interface ViewServer {
  address(settings: PageSettings): string;
  close(): Promise<void>;
}

type Answer = { readonly type: string; readonly text: string; readonly policy?: string };

export async function startViewServer(): Promise<ViewServer> {
  const server = http.createServer((request, response) => {
    answer(new URL(request.url ?? '/', origin(server))).then(
      ({ type, text, policy }) => {
        if (policy !== undefined) response.setHeader('Content-Security-Policy', policy);
        response.setHeader('Content-Type', `${type}; charset=utf-8`).end(text);
      },
      (error: unknown) => response.writeHead(500).end(String(error)),
    );
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    address: ({ name, theme, bodyClasses }) =>
      `${origin(server)}/?${new URLSearchParams({ name, theme, bodyClasses })}`,
    close: () =>
      new Promise((resolve, reject) => {
        server.close((error) => (error === undefined ? resolve() : reject(error)));
        server.closeAllConnections();
      }),
  };
}

async function answer(url: URL): Promise<Answer> {
  const dist = path.join(projectFolder, 'dist');
  const page = path.join(projectFolder, 'test/view/page');
  switch (url.pathname) {
    case '/':
      return document(url);
    case '/timeline.js':
    case '/history.js':
    case '/project.js':
      return { type: 'text/javascript', text: await read(dist, url.pathname) };
    case '/timeline.css':
    case '/history.css':
    case '/project.css':
      return { type: 'text/css', text: await read(dist, url.pathname) };
    case '/vscode.css':
      return { type: 'text/css', text: await read(page, 'vscode.css') };
    case '/fakeHost.js':
      return script(page, 'fakeHost.ts');
    case '/contrast.js':
      return script(page, 'contrast.ts');
    case '/favicon.ico':
      return { type: 'image/x-icon', text: '' };
    default:
      throw new Error(`No such file: ${url.pathname}`);
  }
}

/** The extension's document with the fake host in front, under its own policy and one that is stricter about styles. */
function document({ origin: here, searchParams }: URL): Answer {
  const nonce = 'bm9uY2UgZm9yIHRlc3Rz';
  const name = searchParams.get('name');
  const html = timelinePage({
    cspSource: here,
    nonce,
    scriptUri: `${here}/${name}.js`,
    styleUri: `${here}/${name}.css`,
    language: 'en',
    title: 'Timeline',
  });
  const settings = {
    theme: themeNamed(searchParams.get('theme')),
    bodyClasses: searchParams.get('bodyClasses') ?? '',
  };
  const inHead = `<link rel="stylesheet" href="${here}/vscode.css">`;
  const inBody = [
    `<script type="application/json" id="fakeHostSettings">${JSON.stringify(settings)}</script>`,
    `<script type="module" nonce="${nonce}" src="${here}/fakeHost.js"></script>`,
    `<script type="module" nonce="${nonce}" src="${here}/contrast.js"></script>`,
  ].join('\n');
  return {
    type: 'text/html',
    text: html.replace('</title>', `</title>\n${inHead}`).replace('<body>', `<body>\n${inBody}`),
    policy: `default-src 'none'; script-src 'nonce-${nonce}'; style-src ${here}; font-src ${here}`,
  };
}

async function script(folder: string, file: string): Promise<Answer> {
  const { code } = await transform(await read(folder, file), { loader: 'ts' });
  return { type: 'text/javascript', text: code };
}

function themeNamed(name: string | null): Theme {
  const found = Object.entries(themes).find(([known]) => known === name);
  if (found === undefined) throw new Error(`No such theme: ${name}`);
  return found[1];
}

function read(folder: string, file: string): Promise<string> {
  return fs.readFile(path.join(folder, file), 'utf8');
}

function origin(server: http.Server): string {
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('The server is not up.');
  return `http://127.0.0.1:${address.port}`;
}
