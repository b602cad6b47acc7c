/** Brings a pinned client from npm, once, into the cache folder: it is never a dependency of the product. */

import { existsSync } from 'node:fs';
import fs from 'node:fs/promises';
import path from 'node:path';
import { cacheFolder } from '../tools/paths.ts';
import { mustRun } from '../tools/runCommand.ts';
import type { Client } from './clients.ts';

/** Absolute path of the client's program. @throws when it cannot be installed. */
export async function installClient(client: Client): Promise<string> {
  const name = `${client.bin}-${client.version}`;
  const target = path.join(cacheFolder(), 'clients', name);
  const program = path.join(target, 'node_modules/.bin', client.bin);
  if (existsSync(target)) return program;
  await fs.mkdir(path.dirname(target), { recursive: true });
  const staging = await fs.mkdtemp(`${target}-`);
  try {
    await fs.writeFile(path.join(staging, 'package.json'), '{ "private": true }\n');
    const wanted = `${client.package}@${client.version}`;
    const quiet = ['--no-audit', '--no-fund', '--loglevel=error'];
    // Native parts that are optional stay out; what the client's own install script does is needed.
    await mustRun('npm', ['install', '--ignore-scripts', ...quiet, wanted], npmOptions(staging));
    await mustRun('npm', ['rebuild', ...quiet, client.package], npmOptions(staging));
    await moveIntoPlace(staging, target);
  } finally {
    await fs.rm(staging, { recursive: true, force: true });
  }
  return program;
}

/** npm reads its configuration beside the node that runs it: not beside the project's own. */
function npmOptions(cwd: string): { readonly cwd: string; readonly env: NodeJS.ProcessEnv } {
  const folders = (process.env['PATH'] ?? '').split(path.delimiter);
  const PATH = folders
    .filter((folder) => !folder.split(path.sep).includes('node_modules'))
    .join(path.delimiter);
  return { cwd, env: { ...process.env, PATH } };
}

/** Another run may have been faster; both copies are the same. */
async function moveIntoPlace(staging: string, target: string): Promise<void> {
  try {
    await fs.rename(staging, target);
  } catch (error) {
    if (!existsSync(target)) throw error;
  }
}
