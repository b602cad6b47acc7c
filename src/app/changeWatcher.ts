/** Notices what other processes leave: entries in the spool, writes to the database. File system events only, no polling. */
import fs from 'node:fs';
import { makeFolder } from '../base/atomicFile.ts';
import { spoolFolder } from '../base/home.ts';
import { messageOf } from '../core/errors.ts';
import type { Disposable } from './timelineApp.ts';

const quiet = 60;
const longest = 400;

/**
 * Calls `changed` soon after something happened in our home store: after 60 ms of quiet, at the latest after 400 ms.
 * @param onError a watcher could not be set up or died; changes are then noticed at the next use only
 */
export function watchHome(
  home: string,
  changed: () => void,
  onError: (text: string) => void,
): Disposable {
  let timer: NodeJS.Timeout | undefined;
  let since = 0;
  const notice = () => {
    const now = Date.now();
    if (timer === undefined) since = now;
    else clearTimeout(timer);
    timer = setTimeout(fire, Math.max(0, Math.min(quiet, since + longest - now)));
    timer.unref();
  };
  const fire = () => {
    timer = undefined;
    changed();
  };
  const watchers = [spoolFolder(home), home].flatMap((folder) => {
    try {
      makeFolder(folder);
      const watcher = fs.watch(folder, { persistent: false }, (_, name) => {
        if (isOurs(name)) notice();
      });
      watcher.on('error', (error) => onError(`Watching ${folder} ended: ${messageOf(error)}`));
      return [watcher];
    } catch (error) {
      onError(`${folder} cannot be watched: ${messageOf(error)}`);
      return [];
    }
  });
  return {
    dispose() {
      clearTimeout(timer);
      for (const watcher of watchers) watcher.close();
    },
  };
}

/** Entries of the spool and the database's files; not its shared memory, which every reader touches. */
function isOurs(name: string | null): boolean {
  return (
    name === null || name.endsWith('.json') || name === 'timeline.db' || name === 'timeline.db-wal'
  );
}
