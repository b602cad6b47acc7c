/**
 * What hosts do with memory: facts and notes. One implementation for the CLI, the MCP server and the extension. A root
 * that is null stands for no folder: global memory only. Everything throws `UserError` for what a person may be told.
 */
import type { Root, TurnId } from '../core/ids.ts';
import type {
  AgentWrites,
  FactSheet,
  MemoryOrigin,
  MemoryProblem,
  MemoryScope,
  MemoryTouch,
  MemoryWrite,
  Note,
  NoteSummary,
  PendingWrite,
  Recalled,
  WriteResult,
} from '../core/memory.ts';

export interface NoteChoice {
  /** Missing: both scopes, where a project's note is meant before a global one. */
  readonly scope?: MemoryScope | undefined;
  /** Notes of this mode and of all modes; missing: every note. */
  readonly mode?: string | undefined;
}

export interface MemoryQuery extends NoteChoice {
  readonly words: string;
  readonly limit?: number | undefined;
}

/** Who writes. An agent's turn is found when it is not given: the one that runs in the root. */
export interface MemoryWriter {
  readonly actor: 'agent' | 'person';
  readonly agent?: string | undefined;
  readonly session?: string | undefined;
  /** Although a note says nearly the same. */
  readonly insists?: boolean | undefined;
}

export interface NoteEdit {
  readonly body?: string | undefined;
  /** A new name; the file keeps its own. */
  readonly name?: string | undefined;
  readonly mode?: string | null | undefined;
  readonly pinned?: boolean | undefined;
  /** The body that was read: another one there now is a conflict. */
  readonly was?: string | undefined;
}

/** A version of one file. */
export interface MemoryVersion {
  readonly touch: MemoryTouch;
  /** The text before and after; null for no file, undefined where it is not kept. */
  readonly before: string | null | undefined;
  readonly after: string | null | undefined;
}

/** Memory as it was. */
export interface MemoryMoment {
  readonly at: number;
  readonly notes: readonly Note[];
  readonly sheets: readonly FactSheet[];
  /** Files that were there with a text that is not kept any more: they are left out. Relative to the memory folder. */
  readonly gone: readonly string[];
}

export interface MemoryUse {
  list(root: Root | null, choice?: NoteChoice): Promise<readonly NoteSummary[]>;
  /** By its name or its file's name. @throws `notFound` */
  show(root: Root | null, name: string, scope?: MemoryScope): Promise<Note>;
  recall(root: Root | null, query: MemoryQuery): Promise<Recalled>;
  /** profile, then environment where there is a root. */
  facts(root: Root | null): Promise<readonly FactSheet[]>;
  /** What is wrong with files of memory. */
  problems(root: Root | null): Promise<readonly MemoryProblem[]>;

  /** Stores, stages or refuses, by who asks and what a person has set. @throws `secret`, `full`, `refused`, `usage` */
  write(root: Root | null, write: MemoryWrite, writer: MemoryWriter): Promise<WriteResult>;
  /** A person's change of a note. @throws `notFound`, `conflicts` */
  edit(root: Root | null, name: string, edit: NoteEdit, scope?: MemoryScope): Promise<NoteSummary>;
  /** Into the other scope, with everything it has. @throws `notFound`, `refused` when one of that name is there */
  move(root: Root | null, name: string, from: MemoryScope, to: MemoryScope): Promise<NoteSummary>;

  /** Oldest first; of the root's project and of global memory. */
  pending(root: Root | null): Promise<readonly PendingWrite[]>;
  /** @param body in place of the one asked for @throws `conflicts` when what it replaces was changed, unless `anyway` */
  approve(
    id: string,
    how?: { readonly body?: string | undefined; readonly anyway?: boolean | undefined },
  ): Promise<WriteResult>;
  reject(id: string): Promise<void>;

  /** Versions of a note, newest first; without a scope `profile` and `environment` are the files of facts. */
  history(root: Root | null, name: string, scope?: MemoryScope): Promise<readonly MemoryVersion[]>;
  /** Brings a file to what it was before or after a change. */
  restore(touch: number, side: 'before' | 'after'): Promise<void>;
  /** Everything as it was when the turn ended, or at a time. */
  asOf(root: Root | null, moment: TurnId | number): Promise<MemoryMoment>;

  agentWrites(): AgentWrites;
  setAgentWrites(mode: AgentWrites): void;

  /** Places whose memory belongs to no folder any more. */
  orphans(): Promise<readonly string[]>;
  /** The memory of such a place becomes that of the root. */
  adopt(root: Root, place: string): Promise<void>;
  /** Who would be written down for an agent's write now. */
  origin(root: Root | null, writer: MemoryWriter): MemoryOrigin;
}
