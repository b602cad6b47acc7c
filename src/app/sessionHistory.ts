/** The use cases around sessions' histories, as hosts see them. Part of `TimelineApp`. */
import type {
  BranchSummary,
  HistoryTurn,
  MessageNode,
  MirrorState,
  Position,
  SearchHit,
  SearchQuery,
} from '../core/history.ts';
import type { SessionId, TurnId } from '../core/ids.ts';

/** How to move along the branch that is looked at. */
export type Step = 'prev' | 'next' | 'latest';
export type ExportFormat = 'markdown' | 'json';

export interface SessionHistory {
  /** Every turn of every branch, oldest first. @throws UserError `notFound` for an unknown session, as all of these. */
  turns(session: SessionId): readonly HistoryTurn[];
  /** The turns of one branch, oldest first. Default: the branch that is looked at. @throws UserError `notFound`. */
  branch(session: SessionId, name?: string): readonly HistoryTurn[];
  branches(session: SessionId): readonly BranchSummary[];
  /** The messages of a turn: prompt, reply, what tools answered. */
  nodes(turn: TurnId): readonly MessageNode[];

  /** Looking changes neither messages nor files; it is remembered for each session. */
  position(session: SessionId): Position;
  step(session: SessionId, step: Step): Position;
  /** Looks at one turn. The next prompt goes on from there, as a branch. Null: before the first turn. */
  goTo(session: SessionId, turn: TurnId | null): Position;
  /** Looks at the end of a branch. */
  switchTo(session: SessionId, branch: string): Position;

  search(query: SearchQuery): readonly SearchHit[];
  /** One session with all its branches, as text. */
  export(session: SessionId, format: ExportFormat): string;

  /** Reads again what transcripts tell of turns that are not complete. @returns whether some still are not */
  complete(): boolean;

  mirrorState(session: SessionId): MirrorState;
  /** Mirrors that lack something or could not be pushed. */
  mirrorsBehind(): readonly MirrorState[];
  /**
   * Writes what mirrors lack, now. Never throws for a mirror that fails: its state tells.
   * @param options.check compare each whole mirror with the messages, and mend it
   */
  syncMirrors(options?: MirrorOptions): Promise<MirrorReport>;
  /** Where a session's mirror is pushed after each commit; null: nowhere (as at first). */
  setRemote(session: SessionId, remote: string | null): void;

  importSessions(options: ImportOptions): Promise<ImportReport>;
}

export interface MirrorOptions {
  readonly session?: SessionId;
  readonly check?: boolean;
  readonly signal?: AbortSignal;
  /** Mirrors and commits so far. */
  readonly progress?: (commits: number) => void;
}

export interface MirrorReport {
  readonly mirrors: number;
  /** Made now. */
  readonly commits: number;
  readonly pushed: number;
  readonly failures: readonly { readonly session: string; readonly reason: string }[];
  /** What was found otherwise than we left it, and what was done. Sentences. */
  readonly repairs: readonly string[];
}

export interface ImportOptions {
  /** A transcript, or a folder that is searched for some. Default: where agents keep theirs. */
  readonly path?: string;
  /** Only this agent's. */
  readonly agent?: string;
  readonly signal?: AbortSignal;
  readonly progress?: (done: ImportProgress) => void;
}

export interface ImportProgress {
  readonly files: number;
  readonly of: number;
  readonly bytes: number;
  readonly ofBytes: number;
  readonly file: string;
}

export interface ImportedFile {
  readonly file: string;
  readonly agent: string;
  readonly session: string | null;
  /** Turns that were new, and turns that became more complete. */
  readonly added: number;
  readonly updated: number;
  /** Nothing changed since it was read last. */
  readonly isUnchanged: boolean;
  /** Lines that could not be read. */
  readonly unreadable: number;
  /** Records that were kept without being understood. */
  readonly kept: number;
  /** Why it could not be imported, or not whole. A sentence. */
  readonly problem: string | null;
}

export interface ImportReport {
  readonly files: readonly ImportedFile[];
  readonly wasCancelled: boolean;
}
