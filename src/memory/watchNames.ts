/** Names in one folder that changed since they were asked for last, as far as the system tells. */
import fs from 'node:fs';
import { systemCode } from '../core/errors.ts';

export interface NamesToLookAt {
  /** False: it tells nothing any more, and everything must be looked at. */
  readonly isAlive: boolean;
  /** Since the last call; undefined: anything may have changed. */
  take(): ReadonlySet<string> | undefined;
  close(): void;
}

/** Undefined where there is nothing to watch, or the system can watch no more. Keeps no process alive. */
export function watchNames(folder: string): NamesToLookAt | undefined {
  let names = new Set<string>();
  let isAlive = true;
  let isVague = false;
  try {
    const watcher = fs.watch(folder, { persistent: false }, (kind, name) => {
      // The folder itself went, or the system does not say which.
      if (name === null) isVague = true;
      else names.add(name);
      if (kind === 'rename' && !fs.existsSync(folder)) isAlive = false;
    });
    watcher.on('error', () => {
      isAlive = false;
    });
    return {
      get isAlive() {
        return isAlive;
      },
      take() {
        const taken = isVague || !isAlive ? undefined : names;
        names = new Set();
        isVague = false;
        return taken;
      },
      close: () => watcher.close(),
    };
  } catch (error) {
    if (systemCode(error) === undefined) throw error;
    return undefined;
  }
}
