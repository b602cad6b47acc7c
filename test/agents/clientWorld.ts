/** A fresh home and project in which a real client works with our hooks, set up as a person would: by the CLI. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import type { TestContext } from 'node:test';
import { connectionStatus } from '../../src/app/connector.ts';
import { dismissHelper } from '../../src/app/helper/dismissHelper.ts';
import { launcherFile, writeLauncher } from '../../src/app/launcher.ts';
import { readIfExists } from '../../src/base/atomicFile.ts';
import { logFile } from '../../src/base/home.ts';
import { messageOf } from '../../src/core/errors.ts';
import type { Root } from '../../src/core/ids.ts';
import type { TurnSummary } from '../../src/core/timeline.ts';
import { projectFolder } from '../tools/paths.ts';
import { type ClientName, clients } from './clients.ts';
import { installClient } from './installClient.ts';
import type { Script } from './model/script.ts';
import { promptsOf } from './model/script.ts';
import { type ClientRun, runClient } from './runClient.ts';

export interface ClientWorld {
  readonly agent: ClientName;
  readonly home: string;
  readonly project: string;
  /** Runs every turn that the script names a prompt for. */
  readonly run: (script: Script) => Promise<ClientRun>;
  /** Our CLI, through the launcher, in the project. @returns what it printed as JSON. */
  readonly cli: (...args: readonly string[]) => unknown;
  /** As `list` shows them. */
  readonly turns: () => readonly TurnSummary[];
  /** Every file of the project but the stores' own, name -> content. */
  readonly files: () => Readonly<Record<string, string>>;
  /** What the hooks complained about. */
  readonly hookLog: () => string;
  /** The agent's configuration file: now, and before we connected. */
  readonly settings: () => string | undefined;
  readonly settingsAtFirst: string | undefined;
}

/** Undefined, and the test marked as skipped, when the client cannot be had here. */
export async function clientWorld(
  t: TestContext,
  name: ClientName,
): Promise<ClientWorld | undefined> {
  const { package: packageName, version, prepare } = clients[name];
  try {
    await installClient(clients[name]);
  } catch (error) {
    const reason = messageOf(error).replaceAll(/\s+/g, ' ').slice(0, 300);
    t.skip(`${packageName}@${version} cannot be installed here: ${reason}`);
    return undefined;
  }
  const base = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), `client-${name}-`)));
  t.after(async () => {
    // The helper that the hooks have started.
    await dismissHelper(store, project as Root);
    fs.rmSync(base, { recursive: true, force: true, maxRetries: 5 });
  });
  const home = path.join(base, 'home');
  const project = path.join(base, 'project');
  const store = path.join(home, '.memcode/timeline');
  fs.mkdirSync(home);
  makeProject(project);
  prepare(home, project);
  writeOurLauncher(store);
  const cli = (...args: readonly string[]): unknown => {
    const result = spawnSync(launcherFile(store, process.platform), [...args, '--json'], {
      cwd: project,
      env: { HOME: home, PATH: process.env['PATH'] },
      encoding: 'utf8',
    });
    assert.equal(result.status, 0, `${args.join(' ')}: ${result.stderr}${result.stdout}`);
    return JSON.parse(result.stdout) as unknown;
  };
  const { file } = connectionStatus({
    agent: name,
    scope: 'user',
    home,
    root: project,
    launcher: launcherFile(store, process.platform),
    timelineHome: store,
    platform: process.platform,
  });
  const settings = (): string | undefined => readIfExists(file);
  const settingsAtFirst = settings();
  cli('connect', name, '--yes');
  return {
    agent: name,
    hookLog: () => readIfExists(logFile(store)) ?? '',
    settings,
    settingsAtFirst,
    home,
    project,
    cli,
    turns: () => (cli('list') as { readonly turns: readonly TurnSummary[] }).turns,
    files: () => filesBelow(project),
    run: (script) => runClient({ client: name, project, home, script, prompts: promptsOf(script) }),
  };
}

export function readScript(file: string): Script {
  const text = fs.readFileSync(path.join(import.meta.dirname, 'scripts', file), 'utf8');
  return JSON.parse(text) as Script;
}

/** Under the project's own Node and with the bundles that ship. */
export function writeOurLauncher(store: string): string {
  const bundle = (file: string): string => path.join(projectFolder, 'dist', file);
  assert.ok(fs.existsSync(bundle('hook.cjs')), 'Build first: npm run build.');
  return writeLauncher({
    home: store,
    hookBundle: bundle('hook.cjs'),
    cliBundle: bundle('cli.cjs'),
    node: { path: process.execPath, version: process.versions.node },
    electron: null,
    platform: process.platform,
  }).file;
}

function makeProject(folder: string): void {
  fs.mkdirSync(path.join(folder, 'src'), { recursive: true });
  const greet = "export function greet(name) {\n  return 'hi ' + name;\n}\n";
  fs.writeFileSync(path.join(folder, 'src/app.js'), greet);
  fs.writeFileSync(path.join(folder, 'doomed.txt'), 'doomed\n');
  fs.writeFileSync(path.join(folder, 'README.md'), '# demo\n');
  const git = (...args: readonly string[]): unknown =>
    spawnSync('git', ['-c', 'user.name=dev', '-c', 'user.email=dev@example.invalid', ...args], {
      cwd: folder,
    });
  git('init', '-q', '-b', 'main');
  git('add', '-A');
  git('commit', '-qm', 'init');
}

function filesBelow(folder: string, below = ''): Readonly<Record<string, string>> {
  const found: Record<string, string> = {};
  for (const entry of fs.readdirSync(path.join(folder, below), { withFileTypes: true })) {
    const name = below === '' ? entry.name : `${below}/${entry.name}`;
    if (entry.isDirectory()) {
      if (entry.name !== '.git' && entry.name !== '.memcode')
        Object.assign(found, filesBelow(folder, name));
    } else {
      found[name] = fs.readFileSync(path.join(folder, name), 'utf8');
    }
  }
  return found;
}
