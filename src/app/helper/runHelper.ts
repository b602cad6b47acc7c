/**
 * The helper process of one root: keeps the snapshot engine warm and the work tree watched, answers whoever asks, and does
 * the store's chores in between. All it knows can be rebuilt, so that it may be killed at any time.
 */
import path from 'node:path';
import { rootFolder } from '../../base/home.ts';
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
  const { log, platform, root, home } = options;
  let onProgress: Asked['onProgress'] | undefined;
  const store = storeOf({
    ...options,
    // One queue of the kernel for all watches: see `TreeWatcher`.
    cookieFolder:
      platform === 'linux'
        ? path.join(rootFolder(home, root), 'cookies')
        : path.join(root, '.memcode', 'cookies'),
    onProgress: (done, total) => onProgress?.(done, total),
  });
  const snapshots = snapshotsOf(store, options);
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
    (error) => log('warn', `A chore of the snapshot store failed: ${messageOf(error)}`),
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
  await store.warmUp().catch((error: unknown) => log('warn', messageOf(error)));
  // The second one is when the watches begin to count.
  for (let i = 0; i < 2 && !store.isWatching && !stop.signal.aborted; i++)
    await store.create(start, { signal: stop.signal, everything: true }).catch((error: unknown) => {
      if (!stop.signal.aborted)
        log('warn', `The first look at ${root} failed: ${messageOf(error)}`);
    });
  chores.poke();
  await server.ended;
  await chores.stop();
  await store.close();
  return true;
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
