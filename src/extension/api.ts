/**
 * What this extension exports to other extensions. Types only, and they stand alone: copy this file into a project that
 * uses the API.
 *
 * ```ts
 * const extension = vscode.extensions.getExtension<MemcodeApi>('memcode.memcode-timeline');
 * const memcode = await extension?.activate();
 * if (memcode?.version === 1) {
 *   const turn = await memcode.beginTurn({ folder, session: 'chat-7', agent: 'my-agent', prompt: 'Add a test' });
 *   await memcode.snapshot(turn, file); // before the file is written, created or deleted
 *   await vscode.workspace.fs.writeFile(file, bytes);
 *   await memcode.endTurn(turn, 'Added test/greeting.test.js');
 * }
 * ```
 *
 * Every function rejects with an `Error` whose message is a sentence for a person; its `code` is one of `usage`,
 * `notFound`, `running`, `conflicts`, `nothingToDo`, `damaged`, `fileSystem`, `database`, `locked`, `interrupted`,
 * `outsideRoot`, `unsupported`.
 */
import type { Uri } from 'vscode';

export interface MemcodeApi {
  /** Rises when something here changes incompatibly. */
  readonly version: 1;

  /**
   * Opens a turn of an agent. An open turn of the same session is closed first. Nothing is written to the folder before
   * the first snapshot.
   */
  beginTurn(options: BeginTurnOptions): Promise<TurnHandle>;

  /**
   * Saves what is at a path now, to be called before the agent writes, creates, deletes or moves it. Only the first call
   * for a path in a turn counts. Does not reject for a file that cannot be saved: that one is reported, and the turn says
   * so for ever.
   */
  snapshot(turn: TurnHandle, file: Uri): Promise<SnapshotOutcome>;

  /** Closes the turn and records what its files are now. A turn without changes leaves no trace in the folder. */
  endTurn(turn: TurnHandle, reply?: string): Promise<void>;

  /** Turns of this window's folders, or of one folder or session; by session (newest activity first), oldest turn first. */
  list(filter?: ListFilter): Promise<readonly TurnInfo[]>;

  /**
   * Brings the files back to what they were before a turn: all or nothing, and undone by the command `memcode.redo`. Asks
   * nothing: whoever calls this has asked. Files that people changed since, on disk or in an unsaved editor, are
   * conflicts; see `RestoreOptions`.
   */
  restore(turn: string, options?: RestoreOptions): Promise<RestoreReport>;
}

export interface BeginTurnOptions {
  /** A workspace folder, or a folder below one, on this machine. */
  readonly folder: Uri;
  /** The conversation's own id, stable over its turns. */
  readonly session: string;
  /** Short name of the agent, shown in the timeline. */
  readonly agent: string;
  /** What the person asked for. */
  readonly prompt: string;
}

export interface TurnHandle {
  /** Identifies the turn in `list` and `restore`. */
  readonly id: string;
}

export interface SnapshotOutcome {
  readonly saved: boolean;
  /** Why not; present when `saved` is false. */
  readonly reason?: string;
}

export interface ListFilter {
  readonly folder?: Uri;
  readonly session?: string;
}

export interface TurnInfo {
  readonly id: string;
  readonly session: string;
  readonly agent: string;
  /** From 1, by session. */
  readonly number: number;
  readonly prompt: string;
  readonly reply: string | null;
  /** Milliseconds since 1970. */
  readonly startedAt: number;
  /** Null while the turn is running. */
  readonly endedAt: number | null;
  readonly files: readonly { readonly uri: Uri; readonly change: FileChange }[];
  /** A rewind took the turn back, and is in force. */
  readonly rewound: boolean;
}

export type FileChange = 'added' | 'modified' | 'deleted' | 'mode' | 'type';

export interface RestoreOptions {
  /** keep (default): what people changed stays. take: the old state replaces it. fail: reject, and change nothing. */
  readonly conflicts?: 'keep' | 'take' | 'fail';
  /** Also when a turn of the span is still running; it is then closed. */
  readonly force?: boolean;
  /** Go on without files that cannot be restored; otherwise one such file rejects the whole. */
  readonly partial?: boolean;
  /** What the turns wrote to memory: keep it (default), or take it back too; `conflicts` holds for it as well. */
  readonly memory?: 'keep' | 'take-back';
}

export interface RestoreReport {
  /** False when something was kept or could not be restored. */
  readonly complete: boolean;
  readonly files: readonly {
    readonly uri: Uri;
    readonly result:
      | 'restored'
      | 'recreated'
      | 'deleted'
      | 'merged'
      | 'kept'
      | 'unchanged'
      | 'notRestorable';
    /** A sentence for a person. */
    readonly why: string;
  }[];
}
