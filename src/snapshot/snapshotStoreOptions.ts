/** What a snapshot store needs to know. */
import type { SnapshotLimits } from './snapshotTypes.ts';

export interface SnapshotStoreOptions {
  /** Real path of the folder. */
  readonly root: string;
  /** The repository, created when missing: `…/roots/<id>/store.git`. */
  readonly folder: string;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  readonly log: (line: string) => void;
  /** Or what gives them, asked before each snapshot. */
  readonly limits?: SnapshotLimits | (() => SnapshotLimits);
  /** File of the worker threads' program; undefined: no threads. */
  readonly worker?: string | URL;
  /**
   * Flush each snapshot to the disk before it counts. Default true. False: `settle` does it later for all of them, and a
   * power cut until then may take the newest ones, never the older ones.
   */
  readonly durable?: boolean;
  /** Of this process; for the one git that is asked about its settings when a store is seeded. */
  readonly environment?: NodeJS.ProcessEnv;
  readonly platform?: NodeJS.Platform;
  /** Where cookies are made when the work tree is watched between snapshots; undefined: everything is checked each time. */
  readonly cookieFolder?: string;
  /** The process is ours alone and uses no relative paths. Default false. */
  readonly mayChangeFolder?: boolean;
  /** Called before each step of writing, for faults in tests. */
  readonly probe?: (at: string) => void;
  readonly onProgress?: (done: number, total: number) => void;
}
