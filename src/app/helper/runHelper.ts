/**
 * The helper process of one root: keeps the snapshot engine warm and the work tree watched, answers whoever asks, and does
 * the store's chores in between. All it knows can be rebuilt, so that it may be killed at any time.
 */
import fs from 'node:fs';
import path from 'node:path';
import { rootFolder } from '../../base/home.ts';
import { makeStore } from '../../checkpoint/capture.ts';
import { messageOf } from '../../core/errors.ts';
import type { SnapshotMeta } from '../../snapshot/snapshotTypes.ts';
import { refuseUnfit, type Snapshots, type SnapshotsOptions } from '../snapshots.ts';
import { snapshotsOf, storeOf } from '../snapshotsInProcess.ts';
import { snapshotOperations } from './helperOperations.ts';
import {
  type Asked,
  HelperServer,
  type HelperServerOptions,
  type Operations,
} from './helperServer.ts';
import { IdleChores } from './idleChores.ts';
import type { TextRequest } from './textRequest.ts';

export interface HelperOptions
  extends Omit<SnapshotsOptions, 'onProgress' | 'cookieFolder'>,
    Pick<HelperServerOptions, 'version' | 'temporaryFolder' | 'platform' | 'idleAfter'> {
  /** Answers hooks that come by way of the shell. @returns what they print */
  readonly onText?: (request: TextRequest, snapshots: Snapshots) => Promise<string>;
  /** Milliseconds without a request before chores begin. Default 2000. */
  readonly quiet?: number;
}

const minute = 60_000;
const start: SnapshotMeta = { turn: 0, triggerTool: 'start', triggerArgs: '', preRollback: false };
const check: SnapshotMeta = { ...start, triggerTool: 'check' };

/**
 * Runs until nobody needs it any more.
 * @returns false at once when another helper has the place. @throws UserError `unsupported` for a root without snapshots.
 */
export async function runHelper(options: HelperOptions): Promise<boolean> {
  refuseUnfit(options);
  // Whoever wanted it may be gone by now, and everything with it.
  if (!isFolder(options.home) || !isFolder(options.root)) return false;
  const { log, root } = options;
  let onProgress: Asked['onProgress'] | undefined;
  const store = storeOf({
    ...options,
    ...cookiesOf(options),
    onProgress: (done, total) => onProgress?.(done, total),
  });
  const snapshots = snapshotsOf(store, options);
  let leaveIfGone: () => void = () => undefined;
  const chores = new IdleChores(
    [
      { every: 0, run: () => store.settle() },
      { every: 0, run: () => store.flush() },
      {
        every: minute,
        run: (signal) => store.create(check, { everything: true, signal }),
      },
      { every: 30 * minute, run: () => snapshots.maintain({ lazily: true }) },
    ],
    options.quiet ?? 2000,
    (error) => {
      log('warn', `A chore of the snapshot store failed: ${messageOf(error)}`);
      leaveIfGone();
    },
  );
  const operations = snapshotOperations(snapshots, async (meta, when, report) => {
    const before = onProgress;
    onProgress = (done, total) => {
      report(done, total);
      before?.(done, total);
    };
    try {
      return await snapshots.create(meta, when);
    } finally {
      onProgress = before;
    }
  });
  const { onText, ...rest } = options;
  const server = await HelperServer.start({
    ...rest,
    operations: poking(operations, () => chores.poke()),
    ...(onText && {
      onText: async (request) => {
        chores.poke();
        return onText(request, { ...snapshots, close: async () => undefined });
      },
    }),
  });
  if (server === undefined) {
    await store.close();
    return false;
  }
  const stop = new AbortController();
  void server.ended.then(() => stop.abort(new Error('The helper ends.')));
  // First in the queue, and without a time limit: a folder that is new to us would else be given up again and again. The
  // second one is when the watches begin to count.
  for (let i = 0; i < 2 && !stop.signal.aborted; i++)
    await store.create(start, { signal: stop.signal, everything: true }).catch((error: unknown) => {
      if (!stop.signal.aborted)
        log('warn', `The first look at ${root} failed: ${messageOf(error)}`);
    });
  leaveIfGone = () => {
    if (!isFolder(root)) void server.leave('its folder is gone');
  };
  leaveIfGone();
  chores.poke();
  await server.ended;
  await chores.stop();
  await store.close();
  return true;
}

function isFolder(place: string): boolean {
  return fs.statSync(place, { throwIfNoEntry: false })?.isDirectory() ?? false;
}

/** Where the watcher proves itself; nowhere when that would be behind a link. */
function cookiesOf({ home, root, platform, log }: HelperOptions): { cookieFolder?: string } {
  // On Linux the kernel has one queue for all watches: see `TreeWatcher`.
  if (platform === 'linux') return { cookieFolder: path.join(rootFolder(home, root), 'cookies') };
  const cookieFolder = path.join(root, '.memcode', 'cookies');
  try {
    makeStore(root, cookieFolder);
    return { cookieFolder };
  } catch (error) {
    log('warn', `${root} is not watched: ${messageOf(error)}`);
    return {};
  }
}

function poking(operations: Operations, poke: () => void): Operations {
  return Object.fromEntries(
    Object.entries(operations).map(([name, operation]): [string, Operations[string]] => [
      name,
      async (args, asked) => {
        poke();
        try {
          return await operation(args, asked);
        } finally {
          poke();
        }
      },
    ]),
  );
}
