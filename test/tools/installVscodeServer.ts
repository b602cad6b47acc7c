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

/** Brings VS Code 1.139.1. Its start-up flags and its payload are internals: check the harness when this changes. */
const version = '4.139.1';
/** Raised when what is made of the package changes. */
const recipe = 2;
/** Built-in extensions that would ask for a sign-in, or complain that a package of theirs is missing. */
const unused = ['copilot', 'typescript-language-features'];
const quiet = ['--no-audit', '--no-fund', '--ignore-scripts'];

/** The folder of VS Code's server, installed at the first call; about 700 MB and a minute. */
export async function installVscodeServer(): Promise<string> {
  const target = path.join(cacheFolder(), `code-server-${version}-${recipe}`);
  const server = path.join(target, 'node_modules/code-server/lib/vscode');
  if (existsSync(target)) return server;
  console.log(`Installing the VS Code server into ${target} (once, about a minute) …`);
  await fs.mkdir(cacheFolder(), { recursive: true });
  const staging = await fs.mkdtemp(`${target}-`);
  try {
    await fillFolder(staging);
    await moveIntoPlace(staging, target);
  } finally {
    await fs.rm(staging, { recursive: true, force: true });
  }
  return server;
}

async function fillFolder(folder: string): Promise<void> {
  await fs.writeFile(path.join(folder, 'package.json'), '{ "private": true }\n');
  await mustRun('npm', ['install', ...quiet, `code-server@${version}`], { cwd: folder });
  const server = path.join(folder, 'node_modules/code-server/lib/vscode');
  await mustRun('npm', ['install', '--omit=dev', ...quiet], { cwd: server });
  for (const name of unused)
    await fs.rm(path.join(server, 'extensions', name), { recursive: true, force: true });
  const native = ['@vscode/spdlog', '@vscode/native-watchdog'];
  const { status } = await runCommand('npm', ['rebuild', ...native], { cwd: server });
  if (status !== 0) console.log(`Not built, and not needed: ${native.join(', ')}.`);
}

/** Another run may have been faster; both copies are the same. */
async function moveIntoPlace(staging: string, target: string): Promise<void> {
  try {
    await fs.rename(staging, target);
  } catch (error) {
    if (!existsSync(target)) throw error;
  }
}
