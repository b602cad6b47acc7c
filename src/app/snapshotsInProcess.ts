/** Snapshots by this very process: what the helper runs, and what everybody falls back to without it. */
import fs from 'node:fs';
import path from 'node:path';
import { makeFolder } from '../base/atomicFile.ts';
import { folderSize, ownSize } from '../base/folderSize.ts';
import { snapshotRepository } from '../base/home.ts';
import { UserError } from '../core/errors.ts';
import {
  archivedFolders,
  archiveFolder,
  dropArchived,
  unarchiveFolder,
} from '../snapshot/archive.ts';
import { materialise, plainState } from '../snapshot/restorePlan.ts';
import { openSnapshotStore, type SnapshotStore } from '../snapshot/snapshotStore.ts';
import type { SnapshotState } from '../snapshot/snapshotTypes.ts';
import type { CreateWhen, Snapshots, SnapshotsOptions } from './snapshots.ts';
import { keptFrom } from './snapshotsRetention.ts';
import { readSnapshotSettings, type SnapshotRetention } from './snapshotsSettings.ts';

export function snapshotsInProcess(options: SnapshotsOptions): Snapshots {
  return snapshotsOf(storeOf(options), options);
}

/** The store of a root, at its place in the home store. */
export function storeOf(options: SnapshotsOptions): SnapshotStore {
  const { home, root, now, log, environment, limits, worker, durable = false } = options;
  return openSnapshotStore({
    root,
    folder: snapshotRepository(home, root),
    now,
    log: (line) => log('warn', line),
    environment: { ...environment, HOME: environment['HOME'] ?? options.userHome },
    durable,
    limits: () => limits ?? readSnapshotSettings(home).limits,
    ...(options.cookieFolder !== undefined && {
      cookieFolder: options.cookieFolder,
      // Only the helper, which is a process of its own, has any.
      mayChangeFolder: process.platform !== 'win32',
    }),
    ...(worker !== undefined && { worker }),
    ...(options.onProgress && { onProgress: options.onProgress }),
  });
}

/** The contract over a store. */
export function snapshotsOf(store: SnapshotStore, options: SnapshotsOptions): Snapshots {
  const { home, now, root } = options;
  const blobAt = (id: string, at: string): { state: SnapshotState; blob: string } => {
    const state = store.stateAt(store.lookup(id), at);
    if (state.kind === 'file' || state.kind === 'symlink') return { state, blob: state.blob };
    throw new UserError('notFound', `The snapshot has no file ${at}.`, { path: at, id });
  };
  return {
    create: (meta, when = {}) =>
      withDeadline(when, (signal) => store.create(meta, signal ? { signal } : {})),
    list: async () => store.list(),
    lookup: async (prefix) => store.lookup(prefix),
    diff: async (before, after) => store.diff(store.lookup(before), store.lookup(after)),
    stateAt: async (id, at) => store.stateAt(store.lookup(id), at),
    plainStateAt: async (id, at) => plainState(store, store.stateAt(store.lookup(id), at)),
    read: async (id, at) => store.read(blobAt(id, at).blob),
    async copyTo(id, at, destination) {
      const { state, blob } = blobAt(id, at);
      store.copyTo(blob, destination);
      return state;
    },
    restorePlan: (id, how) => store.restore(id, how),
    async materialise(steps, folder) {
      // A folder of its own: whoever asks twice, since a helper died, finds nothing in the way.
      makeFolder(folder);
      return materialise(store, steps, fs.mkdtempSync(path.join(folder, 'bytes-')));
    },
    archive: async (name, folder, held) => archiveFolder(store.archives(), name, folder, held),
    archives: async () => archivedFolders(store.archives()),
    unarchive: async (name, folder) => unarchiveFolder(store.archives(), name, folder),
    dropArchive: async (name) => dropArchived(store.archives(), name),
    settle: () => store.settle(),
    async maintain({ keep = [], lazily = false } = {}) {
      const all = store.list();
      const retention = options.retention ?? readSnapshotSettings(home).retention;
      const kept = keptFrom(all, { ...retention, keep, now: now() });
      const oldest = kept.at(-1);
      const surplus = all.length - kept.length;
      const dropped = lazily && surplus < all.length / 10 ? 0 : surplus;
      if (dropped > 0 && oldest) store.dropOlderThan(oldest);
      await store.maintain(dropped > 0 ? 'full' : 'roll');
      const tooLarge = await fitInto(retention, store, snapshotRepository(home, root), keep, now());
      await store.flush();
      return { dropped: dropped + tooLarge, bytes: folderSize(snapshotRepository(home, root)) };
    },
    close: () => store.close(),
  };
}

/** How often the older end is given up before what is left is taken for what it needs. */
const mostCuts = 4;

/** Gives up the oldest snapshots until the store has its size, or just what must stay. @returns how many went. */
async function fitInto(
  retention: SnapshotRetention,
  store: SnapshotStore,
  folder: string,
  keep: readonly string[],
  now: number,
): Promise<number> {
  const before = store.list().length;
  for (let cut = 0; cut < mostCuts; cut++) {
    const bytes = ownSize(folder);
    if (bytes <= retention.maxBytes) break;
    const all = store.list();
    // A little more than seems needed: each cut writes the store anew.
    const count = Math.floor((all.length * retention.maxBytes * 0.9) / bytes);
    const kept = keptFrom(all, { ...retention, count, keep, now });
    const oldest = kept.at(-1);
    if (oldest === undefined || kept.length === all.length) break;
    store.dropOlderThan(oldest);
    await store.maintain('full');
  }
  return before - store.list().length;
}

/**
 * Stops waiting when the signal or the time says so, and tells the work to stop. What is stopped in its last instant may
 * still leave a snapshot.
 * @throws UserError `late` when the time is over; the signal's reason.
 */
export async function withDeadline<T>(
  { signal, within }: CreateWhen,
  work: (signal: AbortSignal | undefined) => Promise<T>,
): Promise<T> {
  signal?.throwIfAborted();
  if (signal === undefined && within === undefined) return work(undefined);
  const stop = new AbortController();
  const onAbort = () => stop.abort(signal?.reason);
  signal?.addEventListener('abort', onAbort, { once: true });
  const timer =
    within === undefined ? undefined : setTimeout(() => stop.abort(lateError(within)), within);
  const stopped = new Promise<never>((_, reject) => {
    stop.signal.addEventListener('abort', () => reject(stop.signal.reason), { once: true });
  });
  try {
    return await Promise.race([work(stop.signal), stopped]);
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener('abort', onAbort);
  }
}

export function lateError(within: number): UserError {
  return new UserError('late', `The snapshot took longer than ${within} ms.`, { within });
}
