/** Folders of which no snapshot is taken. */
import path from 'node:path';
import { isInside } from '../base/platform.ts';
import { UserError } from '../core/errors.ts';
import type { SnapshotStoreOptions } from './snapshotStoreOptions.ts';

/** @throws UserError `unsupported` for folders that hold everything, or the store itself. */
export function refuseRoot({
  root,
  folder,
  environment = {},
  platform,
}: SnapshotStoreOptions): void {
  const home = environment['HOME'] ?? environment['USERPROFILE'];
  const why =
    root === path.parse(root).root
      ? 'it is the whole disk'
      : home !== undefined && path.resolve(home) === root
        ? 'it is your home folder'
        : isInside(root, folder, platform ?? process.platform)
          ? 'the snapshots would be inside it'
          : undefined;
  if (why !== undefined)
    throw new UserError('unsupported', `No snapshot of ${root} is taken: ${why}.`, { root });
}
