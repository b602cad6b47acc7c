/**
 * Bundles tests and runs them inside a real VS Code: a desktop one where there is one, else the VS Code server with a
 * headless browser.
 */
import { existsSync, readFileSync } from 'node:fs';
import fs from 'node:fs/promises';
import { SourceMap } from 'node:module';
import os from 'node:os';
import path from 'node:path';
import { runTests } from '@vscode/test-electron';
import { build } from 'esbuild';
import { launchChromium } from '../tools/chromium.ts';
import { findDesktopVscode } from '../tools/desktopVscode.ts';
import type { VscodeVersion } from '../tools/installVscodeServer.ts';
import { artifactsFolder } from '../tools/paths.ts';
import { startServer } from '../tools/vscodeServer.ts';
import type { HostTestResult } from './hostTest.ts';

export interface HostRun {
  /** Which VS Code server, where there is no desktop VS Code. */
  readonly version: VscodeVersion;
  readonly extension: string;
  /** Folder with `*.test.ts` files. */
  readonly tests: string;
  /** Files the workspace begins with, by relative path. */
  readonly workspace: Readonly<Record<string, string>>;
}

/** How long the whole run may take; milliseconds. */
const patience = 300_000;

/** Throws when VS Code did not come as far as running all tests. */
export async function runHostTests(run: HostRun): Promise<readonly HostTestResult[]> {
  const folder = await fs.realpath(await fs.mkdtemp(path.join(os.tmpdir(), 'memcode-host-')));
  try {
    const workspace = path.join(folder, 'workspace');
    for (const [name, content] of Object.entries(run.workspace)) {
      await fs.mkdir(path.dirname(path.join(workspace, name)), { recursive: true });
      await fs.writeFile(path.join(workspace, name), content);
    }
    const report = path.join(folder, 'results.jsonl');
    const env = {
      MEMCODE_HOST_RESULTS: report,
      MEMCODE_TIMELINE_HOME: path.join(folder, 'timeline'),
      HOME: path.join(folder, 'home'),
    };
    await fs.mkdir(env.HOME);
    const bundle = await bundleTests(run.tests, folder);
    const desktop = findDesktopVscode();
    const ended =
      desktop === undefined
        ? await runInServer(run, bundle, workspace, env)
        : await runOnDesktop(desktop, run.extension, bundle, workspace, env);
    const results = readResults(report, bundle);
    if (ended !== null && results.every(({ failure }) => failure === null)) throw new Error(ended);
    if (results.length === 0 && process.env['MEMCODE_TEST_GREP'] === undefined)
      throw new Error('VS Code ran no test.');
    return results;
  } finally {
    await fs.rm(folder, { recursive: true, force: true, maxRetries: 10 });
  }
}

async function bundleTests(tests: string, folder: string): Promise<string> {
  const outfile = path.join(folder, 'tests.cjs');
  const files = (await fs.readdir(tests)).filter((name) => name.endsWith('.test.ts')).sort();
  const runner = JSON.stringify(path.join(import.meta.dirname, 'hostTest.ts'));
  await build({
    stdin: {
      contents: [
        ...files.map((name) => `import ${JSON.stringify(`./${name}`)};`),
        `export { run } from ${runner};`,
      ].join('\n'),
      resolveDir: tests,
      loader: 'ts',
    },
    bundle: true,
    platform: 'node',
    target: 'node22',
    format: 'cjs',
    external: ['vscode'],
    sourcemap: true,
    outfile,
    logLevel: 'error',
  });
  return outfile;
}

/** The results so far, with places in the bundle turned into places in the sources. */
function readResults(report: string, bundle: string): readonly HostTestResult[] {
  if (!existsSync(report)) return [];
  const map = new SourceMap(JSON.parse(readFileSync(`${bundle}.map`, 'utf8')));
  const inSources = (stack: string): string =>
    stack.replaceAll(/[^\s(]*tests\.cjs:(\d+):(\d+)/g, (place, line: string, column: string) => {
      const entry = map.findEntry(Number(line) - 1, Number(column) - 1);
      if (!('originalSource' in entry)) return place;
      const source = path.resolve(path.dirname(bundle), entry.originalSource);
      return `${source}:${entry.originalLine + 1}:${entry.originalColumn + 1}`;
    });
  return readFileSync(report, 'utf8')
    .trimEnd()
    .split('\n')
    .map((line): HostTestResult => JSON.parse(line))
    .map((result) => ({ ...result, failure: result.failure && inSources(result.failure) }));
}

/** Null when VS Code ended well, else why not. */
async function runInServer(
  { extension, version }: HostRun,
  tests: string,
  workspace: string,
  env: Readonly<Record<string, string>>,
): Promise<string | null> {
  const server = await startServer({ version, env, testMode: true });
  const browser = await launchChromium();
  const said: string[] = [];
  let timer: NodeJS.Timeout | undefined;
  try {
    const page = await browser.newPage();
    const ended = new Promise<string | null>((resolve) => {
      timer = setTimeout(() => resolve(`not done after ${patience / 1000} s`), patience);
      void page.exposeFunction('codeAutomationExit', (code: number) =>
        resolve(code === 0 ? null : `ended with ${code}`),
      );
    });
    await page.exposeFunction('codeAutomationLog', (type: string, parts: readonly unknown[]) =>
      said.push(`${type}: ${parts.map(String).join(' ')}`),
    );
    await page.route(
      (url) => url.protocol.startsWith('http') && !url.href.startsWith(server.origin),
      (route) => route.abort(),
    );
    await page.goto(server.url({ workspace, development: { extension, tests } }));
    const problem = await ended;
    if (problem === null) return null;
    await keepLog(said);
    return `VS Code: ${problem}\n${said.slice(-40).join('\n')}`;
  } finally {
    clearTimeout(timer);
    await browser.close();
    await server.stop();
  }
}

async function runOnDesktop(
  vscodeExecutablePath: string,
  extension: string,
  tests: string,
  workspace: string,
  env: Readonly<Record<string, string>>,
): Promise<string | null> {
  const profile = path.join(path.dirname(tests), 'profile');
  try {
    await runTests({
      vscodeExecutablePath,
      extensionDevelopmentPath: extension,
      extensionTestsPath: tests,
      extensionTestsEnv: env,
      launchArgs: [
        workspace,
        '--disable-extensions',
        '--disable-workspace-trust',
        '--skip-welcome',
        `--user-data-dir=${profile}`,
      ],
    });
    return null;
  } catch (error) {
    return `VS Code: ${error instanceof Error ? error.message : String(error)}`;
  }
}

async function keepLog(lines: readonly string[]): Promise<void> {
  const file = path.join(artifactsFolder, 'logs/host.console.log');
  await fs.mkdir(path.dirname(file), { recursive: true });
  await fs.writeFile(file, lines.join('\n'));
}
