/**
 * Snapshots for a hook. The engine is no part of the hook's bundle, which must start in a few milliseconds: it lies beside
 * it as a program of its own and is loaded for shell commands and ends of turns only.
 */
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Snapshots, SnapshotsOptions } from '../app/snapshots.ts';
import { messageOf, UserError } from '../core/errors.ts';
import type { Root } from '../core/ids.ts';

interface Engine {
  hookSnapshots(folder: string, options: SnapshotsOptions): Snapshots;
}

export interface HookFacts {
  readonly home: string;
  readonly environment: NodeJS.ProcessEnv;
  readonly log: (text: string) => void;
}

/** @throws UserError `unsupported` when this root can have none, or the engine is missing. */
export async function hookSnapshots(
  root: Root,
  { home, environment, log }: HookFacts,
): Promise<Snapshots> {
  const folder = path.dirname(fs.realpathSync(process.argv[1] ?? ''));
  const engine = await load(folder);
  const worker = path.join(folder, 'scanWorker.cjs');
  return engine.hookSnapshots(folder, {
    home,
    root,
    now: Date.now,
    log: (level, text) => {
      if (level !== 'info') log(text);
    },
    environment,
    userHome: os.homedir(),
    ...(fs.existsSync(worker) && { worker }),
  });
}

/** The bundle, or where the sources themselves run its source. */
async function load(folder: string): Promise<Engine> {
  const bundle = path.join(folder, 'snapshots.cjs');
  try {
    if (!fs.existsSync(bundle)) return await importFile(path.join(folder, 'snapshotsMain.ts'));
    // `import` would start the loader of the other kind of modules, which takes longer than the bundle itself.
    const require = process.getBuiltinModule?.('node:module').createRequire(bundle);
    return require ? (require(bundle) as Engine) : await importFile(bundle);
  } catch (error) {
    throw new UserError(
      'unsupported',
      'The program for snapshots cannot be loaded. Install the extension anew.',
      { cause: messageOf(error) },
      error,
    );
  }
}

function importFile(file: string): Promise<Engine> {
  return import(pathToFileURL(file).href);
}
