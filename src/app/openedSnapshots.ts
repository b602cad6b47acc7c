/** The snapshots of each root that a host has asked for: opened at the first need, closed with the app. */
import type { Root } from '../core/ids.ts';
import type { OperationContext } from './operations.ts';
import { snapshotUse } from './snapshotActions.ts';
import { openSnapshots, type Snapshots, type SnapshotsOptions } from './snapshots.ts';
import type { Disposable, SnapshotProgress, SnapshotUse } from './timelineApp.ts';

interface Opened {
  readonly snapshots: Snapshots;
  readonly use: SnapshotUse;
}

export interface OpenedSnapshots extends Disposable {
  /** @throws UserError `unsupported`. */
  of(root: Root): SnapshotUse;
}

export function openedSnapshots(
  context: OperationContext,
  options: Pick<SnapshotsOptions, 'userHome' | 'helper' | 'worker'>,
): OpenedSnapshots {
  const opened = new Map<Root, Opened>();
  const open = (root: Root): Opened => {
    const listeners = new Set<SnapshotProgress>();
    const { home, now, log, environment } = context;
    const onProgress: SnapshotProgress = (done, total) => {
      for (const listener of listeners) listener(done, total);
    };
    const places = { home, root, now, log, environment };
    const snapshots = openSnapshots({ ...places, ...options, onProgress });
    return { snapshots, use: snapshotUse(context, root, snapshots, listeners) };
  };
  return {
    of(root) {
      const known = opened.get(root) ?? open(root);
      opened.set(root, known);
      return known.use;
    },
    dispose() {
      for (const { snapshots } of opened.values())
        snapshots.close().catch((error: unknown) => context.log('warn', String(error)));
      opened.clear();
    },
  };
}
