/** Files too large for snapshots: whether a command changed them can be told, but not taken back. */
import fs from 'node:fs';
import path from 'node:path';
import { lstatIfExists } from '../base/lstatIfExists.ts';
import { pathOfKey } from '../checkpoint/canonicalKey.ts';
import type { LiveShell } from '../checkpoint/liveSession.ts';
import type { CommandChange } from '../checkpoint/recordCommand.ts';
import type { Root } from '../core/ids.ts';
import type { Unprotected } from '../core/spoolEvent.ts';
import { absent } from '../core/state.ts';
import type { SkippedSummary } from '../snapshot/snapshotTypes.ts';
import type { Snapshots } from './snapshots.ts';

/** So many are watched. */
const mostWatched = 50;

/** What tells one state of each such file from another. */
export function largeFiles(root: Root, { list }: SkippedSummary): LiveShell['large'] {
  return list
    .filter(({ reason, path: at }) => reason === 'tooLarge' && at.isWellFormed())
    .slice(0, mostWatched)
    .map(({ path: at }) => [at, stampOf(root, at)] as const);
}

/** Those that are not as they were. */
export function changedLarge(root: Root, before: LiveShell['large']): readonly Unprotected[] {
  return before
    .filter(([at, stamp]) => stampOf(root, at) !== stamp)
    .map(([at]) => ({
      path: at,
      reason: 'A command changed it, and it is larger than what snapshots take.',
    }));
}

/** Those that were not there before: what is known of them is enough to take them away again. */
export async function newLarge(
  root: Root,
  snapshots: Snapshots,
  beforeId: string,
  before: LiveShell['large'],
  { list }: SkippedSummary,
): Promise<readonly CommandChange[]> {
  const changes: CommandChange[] = [];
  for (const { path: at, reason } of list) {
    if (reason !== 'tooLarge' || before.some(([known]) => known === at)) continue;
    const named = pathOfKey(root, at);
    if (!('key' in named) || (await snapshots.stateAt(beforeId, at)).kind !== 'absent') continue;
    const stat = lstatIfExists(named.absolute);
    if (!stat?.isFile()) continue;
    const after = { kind: 'file', mode: stat.mode & 0o7777, size: stat.size } as const;
    changes.push({ key: named.key, before: absent, after, folders: [] });
  }
  return changes;
}

function stampOf(root: Root, at: string): string {
  const stat = fs.lstatSync(path.join(root, at), { bigint: true, throwIfNoEntry: false });
  return stat === undefined ? '' : `${stat.ino} ${stat.size} ${stat.mtimeNs} ${stat.ctimeNs}`;
}
