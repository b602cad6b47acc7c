/**
 * VS Code's server, out of npm's `code-server`, in the cache folder. The package's own install script is not used: it
 * builds native modules that the server starts without and that need headers few machines have. What is built instead
 * are the two the server misses aloud, for its log files and its watchdog, and the server does without them as well.
 */
import { existsSync } from 'node:fs';
import fs from 'node:fs/promises';
import path from 'node:path';
import { cacheFolder } from './paths.ts';
import { mustRun, runCommand } from './runCommand.ts';

export type VscodeVersion = 'lowest' | 'newest';

interface Recipe {
  /** Of npm's `code-server`: the VS Code 1.x of the same number. */
  readonly server: string;
  /** The Node that VS Code brings, where it is not the one we run on. */
  readonly node?: string;
}

/** Start-up flags and the page's payload are VS Code's internals: check the harness when a version changes. */
const recipes: Readonly<Record<VscodeVersion, Recipe>> = {
  /** What `engines.vscode` promises. */
  lowest: { server: '4.105.1', node: '22.19.0' },
  newest: { server: '4.139.1' },
};
/** Raised when what is made of the packages changes. */
const revision = 3;
/** Built-in extensions that would ask for a sign-in, or complain that a package of theirs is missing. */
const unused = ['copilot', 'typescript-language-features'];
const native = ['@vscode/spdlog', '@vscode/native-watchdog', 'native-watchdog'];
const quiet = ['--no-audit', '--no-fund', '--ignore-scripts'];

export interface InstalledServer {
  /** The Node to run it with. */
  readonly node: string;
  readonly program: string;
}

/** Installs the server at the first call: up to 700 MB and a minute. */
export async function installVscodeServer(which: VscodeVersion): Promise<InstalledServer> {
  const recipe = recipes[which];
  const target = path.join(cacheFolder(), `code-server-${recipe.server}-${revision}`);
  if (!existsSync(target)) {
    console.log(`Installing a VS Code server into ${target} (once, about a minute) …`);
    await fs.mkdir(cacheFolder(), { recursive: true });
    const staging = await fs.mkdtemp(`${target}-`);
    try {
      await fillFolder(staging, recipe);
      await moveIntoPlace(staging, target);
    } finally {
      await fs.rm(staging, { recursive: true, force: true });
    }
  }
  return {
    node:
      recipe.node === undefined
        ? process.execPath
        : path.join(target, 'node_modules', nodePackage(), 'bin/node'),
    program: path.join(serverFolder(target), 'out/server-main.js'),
  };
}

async function fillFolder(folder: string, { server, node }: Recipe): Promise<void> {
  await fs.writeFile(path.join(folder, 'package.json'), '{ "private": true }\n');
  const packages = [
    `code-server@${server}`,
    ...(node === undefined ? [] : [`${nodePackage()}@${node}`]),
  ];
  await mustRun('npm', ['install', ...quiet, ...packages], { cwd: folder });
  const cwd = serverFolder(folder);
  await takeFromRegistry(cwd);
  await mustRun('npm', ['install', '--omit=dev', ...quiet], { cwd });
  for (const name of unused)
    await fs.rm(path.join(cwd, 'extensions', name), { recursive: true, force: true });
  const built = native.filter((name) => existsSync(path.join(cwd, 'node_modules', name)));
  const { status } = await runCommand('npm', ['rebuild', ...built], { cwd });
  if (status !== 0) console.log(`Not built, and not needed: ${built.join(', ')}.`);
}

/** What the server would take out of a git repository is on npm in the same version. */
async function takeFromRegistry(folder: string): Promise<void> {
  interface Package {
    version: string;
    dependencies: Record<string, string>;
  }
  const file = path.join(folder, 'package.json');
  const lockFile = path.join(folder, 'npm-shrinkwrap.json');
  const manifest: Package = JSON.parse(await fs.readFile(file, 'utf8'));
  const lock: { packages: Record<string, Package> } = JSON.parse(
    await fs.readFile(lockFile, 'utf8'),
  );
  for (const [name, wanted] of Object.entries(manifest.dependencies)) {
    const locked = lock.packages[`node_modules/${name}`];
    if (!/[/:]/.test(wanted) || locked === undefined) continue;
    manifest.dependencies[name] = locked.version;
    Object.assign(lock.packages['']?.dependencies ?? {}, { [name]: locked.version });
    delete lock.packages[`node_modules/${name}`];
  }
  await fs.writeFile(file, JSON.stringify(manifest, null, 2));
  await fs.writeFile(lockFile, JSON.stringify(lock, null, 2));
}

function serverFolder(folder: string): string {
  return path.join(folder, 'node_modules/code-server/lib/vscode');
}

/** npm has one package a platform; the package `node` only chooses among them. */
function nodePackage(): string {
  const system = process.platform === 'win32' ? 'win' : process.platform;
  return `node-${system}-${process.arch}`;
}

/** Another run may have been faster; both copies are the same. */
async function moveIntoPlace(staging: string, target: string): Promise<void> {
  try {
    await fs.rename(staging, target);
  } catch (error) {
    if (!existsSync(target)) throw error;
  }
}
