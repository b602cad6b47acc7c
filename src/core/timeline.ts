/** The timeline as hosts show it: plain data that survives JSON. Pure types and pure derivations. */
import type { TurnCommit } from './autoCommit.ts';
import type { OperationId, ProjectId, SessionId, TurnId } from './ids.ts';

export interface SessionSummary {
  readonly id: SessionId;
  readonly agent: string;
  readonly root: string;
  /** First line of the first prompt, or the id. */
  readonly title: string;
  /** Milliseconds since 1970, as every time in this file. */
  readonly startedAt: number;
  readonly updatedAt: number;
  readonly endedAt: number | null;
  readonly turns: number;
  /** The project it belongs to. */
  readonly project?: ProjectId;
}

/** How a turn ended; `running` while it has not. */
export type TurnEnd =
  | 'running'
  | 'stop'
  | 'interrupt'
  | 'failed'
  | 'nextPrompt'
  | 'sessionEnd'
  | 'stale';

export type Change = 'added' | 'modified' | 'deleted' | 'mode' | 'type';
export type Cause = 'edit' | 'shell' | 'memory';

export interface TouchSummary {
  /** Relative to the root, `/`-separated. */
  readonly path: string;
  readonly change: Change;
  readonly cause: Cause;
  /** Made while a command of the turn went on in the background, or by somebody else: a rewind asks. */
  readonly uncertain?: true;
  /** Lines; null for binary, very large or unavailable content. */
  readonly added: number | null;
  readonly removed: number | null;
}

export interface ToolCount {
  readonly name: string;
  readonly count: number;
}

export interface TurnSummary {
  readonly id: TurnId;
  readonly session: SessionId;
  /** Depth on its branch, from 1; what people see. */
  readonly number: number;
  /** The checkpoint's number, unique in the session. */
  readonly seq: number;
  readonly agent: string;
  readonly model: string | null;
  readonly prompt: string;
  readonly reply: string | null;
  readonly startedAt: number;
  readonly endedAt: number | null;
  readonly end: TurnEnd;
  /** In order of first use. */
  readonly tools: readonly ToolCount[];
  readonly files: readonly TouchSummary[];
  /** Paths the agent announced that could not be saved, and why. */
  readonly unprotected: readonly { readonly path: string; readonly reason: string }[];
  /** The turn ran shell commands whose effects on other files nobody recorded. */
  readonly uncapturedShell: boolean;
  /** A sentence: why not, for the first of them. */
  readonly uncapturedWhy?: string;
  /** The rewind that took it back, while that is in force. */
  readonly rewoundBy: OperationId | null;
  /** When its saved states were removed to keep within the limits; it cannot be rewound then, nor can earlier turns. */
  readonly prunedAt: number | null;
  /** Only the agent's transcript tells of it: nothing of its files was ever saved. */
  readonly imported?: true;
  /** Its checkpoint cannot be read: why. It cannot be rewound. */
  readonly damaged: string | null;
  /** What became of its changes in the user's repository; missing where that was not asked for, or is not decided yet. */
  readonly autoCommit?: TurnCommit;
}

/** What a rewind would do at one path. */
export type PlannedAct = 'write' | 'create' | 'delete' | 'none';

export interface PlannedPath {
  readonly path: string;
  readonly act: PlannedAct;
  readonly added: number | null;
  readonly removed: number | null;
  /** The stored bytes have no recorded hash (memcode wrote them), or what the agent left is not known. */
  readonly unverified: boolean;
}

/**
 * clean: the present state and the old one merge by themselves. byHand: both are texts with one base, and their changes
 * overlap. impossible: binary, no file, no base.
 */
export type Mergeability = 'clean' | 'byHand' | 'impossible';

export interface ConflictPath {
  readonly path: string;
  /** A sentence: how the present state differs from what the agent left. */
  readonly reason: string;
  /** What taking the old state would do. */
  readonly act: PlannedAct;
  /** Missing where nobody can tell yet: an editor holds unsaved changes, or there are very many conflicts. */
  readonly merge?: Mergeability;
}

export interface RewindPreview {
  readonly turn: TurnSummary;
  /** Every turn that would be taken back, oldest first; the first is `turn`. */
  readonly turns: readonly TurnSummary[];
  readonly paths: readonly PlannedPath[];
  readonly conflicts: readonly ConflictPath[];
  readonly notRestorable: readonly { readonly path: string; readonly reason: string }[];
  /** Sentences for the confirmation: HEAD moved, uncaptured shell commands. */
  readonly warnings: readonly string[];
  /** What the turns wrote to memory, and what taking it back would do; missing where they wrote nothing. */
  readonly memory?: MemoryPreview;
}

/** Paths are relative to the memory folder. */
export interface MemoryPreview {
  readonly paths: readonly PlannedPath[];
  readonly conflicts: readonly ConflictPath[];
  readonly notRestorable: RewindPreview['notRestorable'];
}

export type PathResult =
  | 'restored'
  | 'recreated'
  | 'deleted'
  | 'merged'
  | 'kept'
  | 'unchanged'
  | 'notRestorable';

export interface PathOutcome {
  readonly path: string;
  readonly result: PathResult;
  /** A sentence for a person. */
  readonly why: string;
}

/** redo: takes an earlier operation back, whatever its kind. */
export type OperationKind = 'rewind' | 'revert' | 'restore' | 'redo';

export interface OperationReport {
  /** Null when nothing was written, because nothing differed or all that does was kept: there is nothing to undo. */
  readonly operation: OperationId | null;
  readonly kind: OperationKind;
  /** False when conflicts were kept. */
  readonly complete: boolean;
  readonly paths: readonly PathOutcome[];
  /**
   * Turns taken back (rewind) or brought back (redo), oldest first. Empty when conflicts were kept: the turns then stay,
   * so that the same rewind can be asked for again with another choice.
   */
  readonly turns: readonly TurnId[];
  /** What became of memory, where it was taken back or brought back; relative to the memory folder. */
  readonly memory?: readonly PathOutcome[];
}

export interface OperationSummary {
  readonly id: OperationId;
  readonly kind: OperationKind;
  readonly session: SessionId;
  readonly at: number;
  /** A sentence: `Rewound to before turn 3`. */
  readonly label: string;
  readonly paths: readonly string[];
  readonly undone: boolean;
  /** Its redo point was removed to keep within the limits: it cannot be taken back. */
  readonly pruned: boolean;
  /** Present when conflicts were kept: its turns stayed in force. */
  readonly partly?: Partly;
}

/** What a rewind or revert left out. */
export interface Partly {
  /** Of the turn it was asked for. */
  readonly seq: number;
  /** Of every turn it was to take back; missing in records of before this was kept. */
  readonly seqs?: readonly number[];
  /** Paths in conflict that stayed as they were. */
  readonly kept: readonly string[];
}

/**
 * keep: mine stays (default). take: the old state. merge: three ways, keeping mine where it does not merge cleanly.
 * fail: refuse the whole rewind.
 */
export type ConflictChoice = 'keep' | 'take' | 'merge' | 'fail';
