/**
 * The contract of whole-tree snapshots for the rest of the product: asynchronous, plain data in and out, so that it passes
 * between processes. Whoever needs snapshots of a root calls `openSnapshots` and closes it again.
 */
import fs from 'node:fs';
import path from 'node:path';
import { isInside } from '../base/platform.ts';
import { UserError } from '../core/errors.ts';
import type { Root } from '../core/ids.ts';
import type { PathState } from '../core/state.ts';
import type { ArchivedCheckpoint, ArchiveResult } from '../snapshot/archive.ts';
import type { MaterialStep, RestorePlan, RestoreStep } from '../snapshot/restorePlan.ts';
import type {
  Change,
  CreateResult,
  Snapshot,
  SnapshotLimits,
  SnapshotMeta,
  SnapshotState,
} from '../snapshot/snapshotTypes.ts';
import { snapshotsByHelper } from './helper/snapshotsByHelper.ts';
import type { HelperProgram } from './helper/startHelper.ts';
import { snapshotsInProcess } from './snapshotsInProcess.ts';
import type { SnapshotRetention } from './snapshotsSettings.ts';

export interface CreateWhen {
  /** Aborted: the call rejects with the signal's reason, and the snapshot is given up. */
  readonly signal?: AbortSignal;
  /** Milliseconds. When they are over, the call rejects with UserError `late`, and the snapshot is given up. */
  readonly within?: number;
}

export interface RestoreOptions extends Pick<SnapshotMeta, 'turn' | 'session' | 'turnId'> {
  /** Only these paths and what is below them. */
  readonly paths?: readonly string[];
  readonly signal?: AbortSignal;
}

export interface MaintainOptions {
  /** Ids of snapshots that something still refers to: these and all newer ones stay. */
  readonly keep?: readonly string[];
  /** Only when there is much to do: giving up a few snapshots costs as much as giving up many. */
  readonly lazily?: boolean;
}

export interface MaintainResult {
  /** Snapshots that were given up for the limits. */
  readonly dropped: number;
  /** Bytes of the store afterwards. */
  readonly bytes: number;
}

/**
 * Ids are whole ones, as in `Snapshot.id`; only `lookup` takes prefixes. Paths are relative to the root and
 * `/`-separated. Every method may reject with UserError `damaged` (the store lacks something), `notFound` (no such
 * snapshot), or `unsupported` (this folder cannot have snapshots); anything else is a system error or a bug.
 */
export interface Snapshots {
  /** Takes a snapshot, unless nothing changed since the newest one (`isNew` false). One after the other. */
  create(meta: SnapshotMeta, when?: CreateWhen): Promise<CreateResult>;
  /** Newest first. */
  list(): Promise<readonly Snapshot[]>;
  /** By a unique prefix of at least four digits. @throws UserError `usage` for another form or an ambiguous one. */
  lookup(prefix: string): Promise<Snapshot>;
  /** Every path in which the two differ, folders before what is in them. */
  diff(beforeId: string, afterId: string): Promise<readonly Change[]>;
  stateAt(id: string, path: string): Promise<SnapshotState>;
  /** As `stateAt`, with the hash of a file's bytes; `other` for what was not captured. */
  plainStateAt(id: string, path: string): Promise<PathState>;
  /** Bytes of a file, or of a link's text. @throws UserError `notFound` when there is none at the path. */
  read(id: string, path: string): Promise<Uint8Array>;
  /**
   * Writes those bytes to a new file, mode 0600, not flushed; its folder must exist.
   * @returns what the snapshot has there. @throws EEXIST when the file is there; UserError `notFound` as `read`.
   */
  copyTo(id: string, path: string, destinationFile: string): Promise<SnapshotState>;
  /**
   * Takes a snapshot of the present state (`preRollback`) and says what to change for the work tree to be as in another.
   * Changes nothing.
   */
  restorePlan(id: string, options: RestoreOptions): Promise<RestorePlan>;
  /** Writes the bytes that steps bring back somewhere below a folder, one file a step, flushed. */
  materialise(steps: readonly RestoreStep[], folder: string): Promise<readonly MaterialStep[]>;
  /**
   * Keeps a copy of a checkpoint's folder (`.memcode/checkpoints/<session>/<seq>`) under a name, replacing the one kept
   * before. Equal bytes are kept once. @param name `<session folder>/<seq>`
   * @param held ids of blobs of the snapshots that stay in the store as long as the copy does
   */
  archive(name: string, folder: string, held?: readonly string[]): Promise<ArchiveResult>;
  /** By name. */
  archives(): Promise<readonly ArchivedCheckpoint[]>;
  /** Writes an archived folder to a place where nothing is yet. @throws UserError `notFound`; EEXIST. */
  unarchive(name: string, folder: string): Promise<void>;
  dropArchive(name: string): Promise<void>;
  /** Flushes what was written without waiting: at the end of a turn. */
  settle(): Promise<void>;
  /** Enforces the limits, joins packs, sweeps what crashes left. For idle times; the helper does it by itself. */
  maintain(options?: MaintainOptions): Promise<MaintainResult>;
  close(): Promise<void>;
}

export interface SnapshotsOptions {
  /** Our home store; absolute. */
  readonly home: string;
  readonly root: Root;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  readonly log: (level: 'info' | 'warn' | 'error', text: string) => void;
  /** For git, and for the folder of its user's settings. */
  readonly environment: NodeJS.ProcessEnv;
  /** The user's home folder, of which no snapshot is taken. */
  readonly userHome: string;
  /** Largest file, excluded folders. Default: what a person has set, see `snapshotsSettings`. */
  readonly limits?: SnapshotLimits;
  readonly retention?: SnapshotRetention;
  /** Watch the work tree between snapshots, with cookies in this folder: for a process that stays. */
  readonly cookieFolder?: string;
  /** Program of the worker threads; undefined: no threads. */
  readonly worker?: string | URL;
  /** Default false: snapshots are flushed by `settle`, not one by one. */
  readonly durable?: boolean;
  readonly onProgress?: (done: number, total: number) => void;
  /** Have the root's helper process do it. Default: this process does everything itself. */
  readonly helper?: HelperUse;
}

export interface HelperUse {
  /** Of the product; an older helper makes way. */
  readonly version: string;
  /** Undefined: one that runs is used, none is started. */
  readonly program?: HelperProgram;
  /** Milliseconds to wait for a helper that has just been started. Default 3000. */
  readonly startWithin?: number;
}

/** @throws UserError `unsupported` for a root that can have no snapshots. Touches nothing. */
export function openSnapshots(options: SnapshotsOptions): Snapshots {
  refuseUnfit(options);
  const { helper } = options;
  return helper ? snapshotsByHelper({ ...options, helper }) : snapshotsInProcess(options);
}

/** @throws UserError `unsupported` for the whole disk, the user's home, and folders that hold our own store. */
export function refuseUnfit({
  root,
  home,
  userHome,
}: Pick<SnapshotsOptions, 'root' | 'home' | 'userHome'>): void {
  const why =
    root === path.parse(root).root
      ? 'it is the whole disk'
      : root === real(userHome)
        ? 'it is your home folder'
        : isInside(root, real(home), process.platform)
          ? 'it holds the store that the snapshots would go to'
          : undefined;
  if (why !== undefined)
    throw new UserError(
      'unsupported',
      `No snapshots of ${root} are taken: ${why}. Open a folder inside it instead.`,
      { root },
    );
}

/** With links resolved, as far as it exists. */
function real(folder: string): string {
  const missing: string[] = [];
  for (let at = path.resolve(folder); ; at = path.dirname(at)) {
    if (fs.existsSync(at)) return path.join(fs.realpathSync.native(at), ...missing);
    missing.unshift(path.basename(at));
  }
}
