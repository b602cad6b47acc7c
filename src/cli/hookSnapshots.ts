/**
 * Snapshots for a hook. The engine is no part of the hook's bundle, which must start in a few milliseconds: it lies beside
 * it as a program of its own and is loaded for shell commands and ends of turns only.
 */
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import type { Snapshots, SnapshotsOptions } from '../app/snapshots.ts';
import { messageOf, UserError } from '../core/errors.ts';
import type { Root } from '../core/ids.ts';
import { loadBeside } from './loadBeside.ts';

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

async function load(folder: string): Promise<Engine> {
  try {
    return await loadBeside<Engine>(folder, 'snapshots');
  } catch (error) {
    throw new UserError(
      'unsupported',
      'The program for snapshots cannot be loaded. Install the extension anew.',
      { cause: messageOf(error) },
      error,
    );
  }
}
