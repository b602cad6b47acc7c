/**
 * A running VS Code server: a real Node extension host behind a page. `start` gives it folders of its own, so that
 * neither the person's VS Code nor their home is touched.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import fs from 'node:fs/promises';
import net from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { installVscodeServer, type VscodeVersion } from './installVscodeServer.ts';

export interface ServerOptions {
  /** Default: the newest, or the lowest if `MEMCODE_TEST_VSCODE` says `lowest`. */
  readonly version?: VscodeVersion;
  /** On top of this process's environment. `HOME` and `MEMCODE_TIMELINE_HOME` point into `folder` unless named here. */
  readonly env?: Readonly<Record<string, string>>;
  /** On top of settings that keep VS Code quiet. */
  readonly settings?: Readonly<Record<string, unknown>>;
  /** Ask before running extensions in a folder; default false: every folder is trusted. */
  readonly trust?: boolean;
  /** 0, the default: any free port. */
  readonly port?: number;
  /** Folders of the extensions to have installed in it. */
  readonly install?: readonly string[];
  /**
   * VS Code's own test mode: takes an extension under development and its tests from the page's address, and shows no
   * message toasts. Default false.
   */
  readonly testMode?: boolean;
  /** Where its data, home and log go; default a new temp folder that `stop` removes. */
  readonly folder?: string;
}

export interface PageTarget {
  /** Absolute path of the workspace folder or `.code-workspace` file; none: an empty window. */
  readonly workspace?: string;
  /** What to run in the extension host and nothing else; needs `testMode`. */
  readonly development?: {
    /** Absolute path of the extension under development. */
    readonly extension: string;
    /** Absolute path of a CommonJS file that exports `run()`. */
    readonly tests: string;
  };
}

export interface VscodeServer {
  /** `http://127.0.0.1:PORT` */
  readonly origin: string;
  readonly folder: string;
  /** The server's home folder: what `~` is for the extension. */
  readonly home: string;
  readonly timelineHome: string;
  readonly logFile: string;
  readonly process: ChildProcess;
  url(target: PageTarget): string;
  /** Ends it with every process it started. */
  stop(): Promise<void>;
}

/** Keeps VS Code from looking for updates, asking and advertising. */
export const quietSettings = {
  'chat.disableAIFeatures': true,
  'extensions.autoCheckUpdates': false,
  'extensions.autoUpdate': false,
  'extensions.ignoreRecommendations': true,
  'files.autoSave': 'off', // as on a desktop
  'git.openRepositoryInParentFolders': 'never',
  'telemetry.telemetryLevel': 'off',
  'window.commandCenter': false,
  'workbench.secondarySideBar.defaultVisibility': 'hidden',
  'workbench.startupEditor': 'none',
  'workbench.tips.enabled': false,
};

export async function startServer(options: ServerOptions = {}): Promise<VscodeServer> {
  const { node, program } = await installVscodeServer(options.version ?? usualVersion());
  const folder =
    options.folder ??
    (await fs.realpath(await fs.mkdtemp(path.join(os.tmpdir(), 'memcode-vscode-'))));
  const home = options.env?.['HOME'] ?? path.join(folder, 'home');
  const timelineHome =
    options.env?.['MEMCODE_TIMELINE_HOME'] ?? path.join(home, '.memcode/timeline');
  await fs.mkdir(folder, { recursive: true });
  await writeSettings(folder, { ...quietSettings, ...options.settings });
  await fs.mkdir(home, { recursive: true });
  for (const extension of options.install ?? []) await install(extension, folder);
  // Without it every page in the person's browser and every user of the machine could drive the server.
  const token = randomBytes(16).toString('hex');
  await fs.writeFile(tokenFile(folder), token, { mode: 0o600 });
  const port = options.port || (await freePort());
  const logFile = path.join(folder, 'server.log');
  const log = createWriteStream(logFile);
  await once(log, 'open');
  const child = spawn(node, [program, ...flags(folder, port, options)], {
    env: serverEnvironment({
      HOME: home,
      USERPROFILE: home,
      MEMCODE_TIMELINE_HOME: timelineHome,
      ...options.env,
    }),
    stdio: ['ignore', log, log],
    detached: process.platform !== 'win32', // a group of its own, so that `stop` reaches the extension host too
  });
  const server: VscodeServer = {
    origin: `http://127.0.0.1:${port}`,
    folder,
    home,
    timelineHome,
    logFile,
    process: child,
    url: (target) => pageUrl(port, token, target),
    stop: async () => {
      await endGroup(child);
      log.destroy();
      if (options.folder === undefined)
        await fs.rm(folder, { recursive: true, force: true, maxRetries: 10 });
    },
  };
  try {
    await untilReady(server);
  } catch (error) {
    await server.stop();
    throw error;
  }
  return server;
}

function usualVersion(): VscodeVersion {
  return process.env['MEMCODE_TEST_VSCODE'] === 'lowest' ? 'lowest' : 'newest';
}

function flags(folder: string, port: number, options: ServerOptions): readonly string[] {
  return [
    ...['--host', '127.0.0.1', '--port', String(port)],
    ...['--connection-token-file', tokenFile(folder)],
    ...['--server-data-dir', path.join(folder, 'server')],
    ...['--user-data-dir', path.join(folder, 'user')],
    ...['--extensions-dir', path.join(folder, 'extensions')],
    ...['--accept-server-license-terms', '--disable-telemetry'],
    ...(options.trust === true ? [] : ['--disable-workspace-trust']),
    ...(options.testMode === true ? ['--enable-smoke-test-driver'] : []),
  ];
}

function tokenFile(folder: string): string {
  return path.join(folder, 'token');
}

/** What the packaged extension holds, where VS Code looks for installed extensions. */
async function install(extension: string, folder: string): Promise<void> {
  const target = path.join(folder, 'extensions', path.basename(extension));
  const parts = (await fs.readdir(extension)).filter((name) =>
    /^(package\.json|package\.nls.*|dist|media|l10n|.*\.cjs)$/.test(name),
  );
  for (const part of parts)
    await fs.cp(path.join(extension, part), path.join(target, part), { recursive: true });
}

/** Variables of a VS Code, an npm or a test runner around us would mislead it. */
function serverEnvironment(own: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const inherited = Object.entries(process.env).filter(
    ([name]) => !/^(VSCODE_|ELECTRON_|NODE_TEST_CONTEXT$|NODE_OPTIONS$|npm_|GIT_)/.test(name),
  );
  return { ...Object.fromEntries(inherited), ...own };
}

async function writeSettings(folder: string, settings: object): Promise<void> {
  const machine = path.join(folder, 'user/Machine');
  await fs.mkdir(machine, { recursive: true });
  await fs.writeFile(path.join(machine, 'settings.json'), JSON.stringify(settings, null, 2));
}

function pageUrl(port: number, token: string, { workspace, development }: PageTarget): string {
  const parameter = (text: string): string => encodeURIComponent(text).replaceAll('%2F', '/');
  const remote = (file: string): string =>
    new URL(pathToFileURL(file).pathname, `vscode-remote://127.0.0.1:${port}`).href;
  const query = [
    `tkn=${token}`,
    workspace === undefined ? 'ew=true' : `${kindOf(workspace)}=${parameter(workspace)}`,
  ];
  if (development !== undefined) {
    const payload = [
      ['extensionDevelopmentPath', remote(development.extension)],
      ['extensionTestsPath', remote(development.tests)],
    ];
    query.push(`payload=${parameter(JSON.stringify(payload))}`);
  }
  return `http://127.0.0.1:${port}/?${query.join('&')}`;
}

function kindOf(workspace: string): 'workspace' | 'folder' {
  return workspace.endsWith('.code-workspace') ? 'workspace' : 'folder';
}

/** The server answers, or it has ended and its log says why. */
async function untilReady(server: VscodeServer): Promise<void> {
  for (;;) {
    const { exitCode, signalCode } = server.process;
    if (exitCode !== null || signalCode !== null) {
      const log = await fs.readFile(server.logFile, 'utf8');
      throw new Error(
        `The VS Code server ended with ${exitCode ?? signalCode}:\n${log.slice(-4000)}`,
      );
    }
    const answers = await fetch(`${server.origin}/version`).then(
      (response) => response.ok,
      () => false,
    );
    if (answers) return;
    await delay(100);
  }
}

async function endGroup(child: ChildProcess): Promise<void> {
  if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, 'exit');
  if (process.platform === 'win32') child.kill();
  else process.kill(-child.pid, 'SIGTERM');
  await ended;
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = net.createServer().on('error', reject);
    probe.listen(0, '127.0.0.1', () => {
      const address = probe.address();
      const port = typeof address === 'object' && address !== null ? address.port : 0;
      probe.close(() => resolve(port));
    });
  });
}
