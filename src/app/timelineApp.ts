/**
 * The use cases as hosts see them: one interface for the extension, the CLI and tests. `openTimelineApp` (in
 * `openTimelineApp.ts`, the composition root) returns an implementation. Everything here throws `UserError` for what a
 * person may be told and anything else only for bugs.
 */
import type { OperationId, Root, SessionId, TurnId } from '../core/ids.ts';
import type { MemoryChoice } from '../core/memory.ts';
import type { SnapshotChange, SnapshotSummary } from '../core/snapshotSummary.ts';
import type {
  ConflictChoice,
  OperationKind,
  OperationReport,
  OperationSummary,
  RewindPreview,
  SessionSummary,
  TurnSummary,
} from '../core/timeline.ts';
import type { MemoryContextUse } from './memoryContextUse.ts';
import type { MemoryUse } from './memoryUse.ts';
import type { ProjectUse } from './projectUse.ts';
import type { SessionHistory } from './sessionHistory.ts';

export interface Disposable {
  dispose(): void;
}

export type Side = 'before' | 'after';

/** Bytes of one side of one file of a turn, or why they cannot be had. */
export type SideContent =
  | {
      readonly kind: 'bytes';
      readonly bytes: Uint8Array;
      readonly verified: boolean;
      /** Permission bits; missing where the store does not know them (memcode wrote it). */
      readonly mode?: number;
    }
  | { readonly kind: 'absent' }
  | { readonly kind: 'symlink'; readonly target: string }
  | { readonly kind: 'directory'; readonly mode: number }
  | { readonly kind: 'unavailable'; readonly reason: string };

export interface RewindOptions {
  /** For every conflict that `choices` does not name. Default keep. */
  readonly conflicts?: ConflictChoice;
  /** Path -> choice. */
  readonly choices?: ReadonlyMap<string, ConflictChoice>;
  /** Paths of conflicts that stay for a person to merge by hand afterwards. They count as decided, not as kept. */
  readonly byHand?: ReadonlySet<string>;
  /** Paths whose editors hold unsaved changes: conflicts, whatever is on disk. */
  readonly unsaved?: ReadonlySet<string>;
  /** Go on without the paths that cannot be restored; otherwise one of them refuses the whole rewind. */
  readonly partial?: boolean;
  /** Rewind although the turn has no end yet; it is then closed as stale. */
  readonly force?: boolean;
  /** What becomes of what the turns wrote to memory. Default keep. Undoing an operation always undoes this part of it too. */
  readonly memory?: MemoryChoice;
  /** As `choices`, for files of memory; others follow `conflicts`. */
  readonly memoryChoices?: ReadonlyMap<string, ConflictChoice>;
  /** A person has seen which files of memory stay because of conflicts: the turns count as taken back all the same. */
  readonly memoryDecided?: boolean;
}

/** An operation that was cut short by a crash. */
export interface PendingOperation {
  readonly operation: OperationId;
  readonly kind: OperationKind;
  readonly root: string;
  readonly startedAt: number;
  readonly paths: readonly string[];
}

export type RedoPreview = Pick<RewindPreview, 'paths' | 'conflicts' | 'notRestorable' | 'memory'>;

export interface Finding {
  /** note: fine as it is. problem: something cannot be trusted or done. */
  readonly severity: 'note' | 'problem';
  /** What it is about: a path of the store, a session, a turn. */
  readonly subject: string;
  /** A sentence. */
  readonly text: string;
}

export interface TimelineApp extends Disposable {
  /** Conversations: their messages, branches, mirrors, search and import. */
  readonly history: SessionHistory;

  /** The root whose store covers a folder: the top of its git work tree, else the nearest ancestor with a store, else itself. */
  rootOf(folder: string): Root;

  /** A person has just saved this file in an editor: what an agent's command changes at that time is told apart from it. */
  noteSave(file: string): void;

  /** Takes in what hooks have left in the spool; cheap when there is nothing. Returns how many events were new. */
  ingest(): number;
  /** Fires (debounced) after something in the database changed: an ingest here, or a write by another process. */
  onDidChange(listener: () => void): Disposable;

  /** Newest activity first. */
  sessions(root: Root): readonly SessionSummary[];
  /** Oldest first. */
  turns(session: SessionId): readonly TurnSummary[];
  turn(id: TurnId): TurnSummary;
  operations(root: Root): readonly OperationSummary[];
  /** The newest operation of this root that redo would undo, if any. */
  redoable(root: Root, session?: SessionId): OperationSummary | undefined;

  /** One side of one file of a turn. */
  content(turn: TurnId, path: string, side: Side): SideContent;
  /** What an operation found at one of its paths: what taking it back brings back. */
  replaced(operation: OperationId, path: string): SideContent;

  /** Looks only; writes nothing. */
  preview(turn: TurnId, options?: RewindOptions): Promise<RewindPreview>;
  /** Files back to before the turn. All or nothing; saves a redo point first. */
  rewind(turn: TurnId, options?: RewindOptions): Promise<OperationReport>;
  /** What taking this one turn out would do; conflicts are files that were changed further since. */
  previewRevert(turn: TurnId, options?: RewindOptions): Promise<RedoPreview>;
  /** Takes one turn out and keeps the later ones; what they changed on top is merged (conflicts: default merge). */
  revertTurn(turn: TurnId, options?: RewindOptions): Promise<OperationReport>;
  /** What bringing one file to its state before or after a turn would do. */
  previewRestore(
    turn: TurnId,
    path: string,
    side: Side,
    options?: RewindOptions,
  ): Promise<RedoPreview>;
  /** Brings one file to its state before or after a turn. Asks like a rewind when the present state may be lost. */
  restoreFile(
    turn: TurnId,
    path: string,
    side: Side,
    options?: RewindOptions,
  ): Promise<OperationReport>;
  previewRedo(operation: OperationId, options?: RewindOptions): Promise<RedoPreview>;
  /** Takes an operation of any kind back. */
  redo(operation: OperationId, options?: RewindOptions): Promise<OperationReport>;

  /** Whole-tree snapshots of a root. @throws UserError `unsupported` where there can be none. */
  snapshots(root: Root): SnapshotUse;

  /** Facts and notes that every session starts with. Loaded with its first use. */
  memory(): Promise<MemoryUse>;
  /** Documents, presets and portraits, and what agents are given of all memory; loaded with its first use. */
  memoryContext(): Promise<MemoryContextUse>;

  /** Projects, and the commits of agents' work in them. */
  readonly projects: ProjectUse;
  /** When all commits that are due have been made or given up. Never rejects. */
  idle(): Promise<void>;

  pending(root: Root): readonly PendingOperation[];
  recover(operation: OperationId, how: 'finish' | 'rollBack'): Promise<void>;
  /** What is wrong with the records of a root. Changes nothing. */
  doctor(root: Root): Promise<readonly Finding[]>;
  /**
   * Mends what `doctor` finds, as far as it can be mended, and says of each thing what was done. Never removes a pre-image
   * or anything a person made. @throws UserError `interrupted` while an operation is cut short, `locked`.
   */
  repair(root: Root): Promise<readonly Finding[]>;

  /** Erases everything kept of a root, for good; the user's files stay. @throws UserError `running`, `interrupted`. */
  erase(root: Root): Promise<{ readonly sessions: number; readonly turns: number }>;

  /** For other extensions and tests: record a turn by hand, without hooks. */
  recorder(root: Root, session: SessionId, agent: string): TurnRecorder;
}

/** What hosts do with whole-tree snapshots. Ids may be given by a unique beginning of at least four digits. */
export interface SnapshotUse {
  /** Newest first. */
  list(): Promise<readonly SnapshotSummary[]>;
  /** Takes one, unless it has no name and nothing changed since the newest. @throws the signal's reason. */
  take(label?: string, how?: TakeOptions): Promise<TakenSnapshot>;
  /** Where the second differs from the first; without a second, where the files differ as they are now. */
  compare(first: string, second?: string): Promise<SnapshotComparison>;
  /** One file of a snapshot. */
  content(id: string, path: string): Promise<SideContent>;
  /** What bringing the tree back to it would do. Changes no file. */
  previewRestore(id: string, options?: RewindOptions): Promise<SnapshotPreview>;
  /** Files back to it, as one operation that can be undone; what it did not capture stays as it is. */
  restore(id: string, options?: RewindOptions): Promise<OperationReport>;
}

export interface TakeOptions {
  readonly signal?: AbortSignal;
  readonly onProgress?: SnapshotProgress;
}

/** Files looked at, of how many as far as is known. */
export type SnapshotProgress = (done: number, total: number) => void;

export interface TakenSnapshot {
  readonly snapshot: SnapshotSummary;
  /** False: nothing had changed since this one, the newest. */
  readonly isNew: boolean;
  /** Files and links in it. */
  readonly files: number;
  /** The first of what was left out, and why. */
  readonly skipped: readonly { readonly path: string; readonly reason: string }[];
  /** How many were left out, by reason. */
  readonly skippedCounts: Readonly<Record<string, number>>;
}

export interface SnapshotComparison {
  readonly before: SnapshotSummary;
  readonly after: SnapshotSummary;
  readonly changes: readonly SnapshotChange[];
}

export type SnapshotPreview = RedoPreview & { readonly snapshot: SnapshotSummary };

/** Records turns of one session in process. Each call is complete when it returns. */
export interface TurnRecorder {
  /** Opens a turn; an open one is closed first. Nothing is written to the work tree's store before the first snapshot. */
  begin(prompt: string): { readonly turn: TurnId; readonly seq: number };
  /** Saves the pre-image of a path (absolute, or relative to the root). Never throws for a path that cannot be saved: says why. */
  snapshot(path: string): SnapshotResult;
  end(reply?: string): void;
}

export type SnapshotResult =
  | { readonly saved: true; readonly path: string }
  | { readonly saved: false; readonly path: string; readonly reason: string };
