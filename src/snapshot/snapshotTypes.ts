/** What the snapshot store tells its callers. Plain data, so that it passes between processes. */
import type { ObjectId } from '../git/gitObject.ts';
import type { SkipReason } from './fileTable.ts';

/** Why a snapshot was made. */
export interface SnapshotMeta {
  /** The turn's number in its session; 0 outside any. */
  readonly turn: number;
  /** `Bash`, `restore`, … */
  readonly triggerTool: string;
  /** Its arguments as text: cut and masked when stored. */
  readonly triggerArgs: string;
  /** Taken before a restore, of the state that it replaces. */
  readonly preRollback: boolean;
  readonly session?: string;
  readonly turnId?: string;
  readonly label?: string;
  /** Also when nothing has changed since the newest one: a person has named it. Not stored. */
  readonly evenIfSame?: boolean;
  /** The snapshot that was gone back to just before this one. */
  readonly restoredFrom?: ObjectId;
}

export interface Snapshot {
  readonly id: ObjectId;
  /** The first eight digits of the id. */
  readonly shortId: string;
  readonly parent: ObjectId | undefined;
  /** Milliseconds since 1970, to the second. Order is by chain, never by this. */
  readonly at: number;
  readonly tree: ObjectId;
  /** Tree of what git's own trees cannot hold: full modes, and what was not captured. */
  readonly side: ObjectId;
  readonly meta: SnapshotMeta;
}

/** What a snapshot has at a path. `uncaptured`: something was there, and it was left out. */
export type SnapshotState =
  | { readonly kind: 'absent' }
  | { readonly kind: 'file'; readonly mode: number; readonly size: number; readonly blob: ObjectId }
  | { readonly kind: 'symlink'; readonly target: string; readonly blob: ObjectId }
  | { readonly kind: 'directory'; readonly mode: number }
  | { readonly kind: 'uncaptured'; readonly reason: SkipReason };

export interface Change {
  /** Relative to the root, `/`-separated; bytes that are not UTF-8 as in `git/pathBytes`. */
  readonly path: string;
  readonly before: SnapshotState;
  readonly after: SnapshotState;
}

export interface Skipped {
  readonly path: string;
  readonly reason: SkipReason;
}

export interface SkippedSummary {
  readonly counts: Readonly<Partial<Record<SkipReason, number>>>;
  /** The first of them; ignored and excluded ones last. */
  readonly list: readonly Skipped[];
}

export interface CreateOptions {
  readonly signal?: AbortSignal;
  /** The only paths that can have changed since the last snapshot, known from a watcher proven current. */
  readonly changed?: Iterable<string>;
  /** Look at every file whatever a watcher says. */
  readonly everything?: boolean;
}

export interface CreateResult {
  readonly snapshot: Snapshot;
  /** False: nothing changed since `snapshot`, which is the newest one. */
  readonly isNew: boolean;
  /** Files and links captured. */
  readonly files: number;
  /** Files and links whose bytes were read. */
  readonly read: number;
  readonly skipped: SkippedSummary;
  /** Whether every file was looked at, or only those that a watcher proven current had named. */
  readonly checked: 'everything' | 'changes';
}

export interface SnapshotLimits {
  /** Bytes; larger files are not captured. Default 32 MiB. */
  readonly maxFileSize?: number;
  /** Names of folders left out unless tracked. */
  readonly excludedFolders?: readonly string[];
}
