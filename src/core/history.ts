/** The history of sessions as hosts show it: plain data that survives JSON. Pure types. */
import type { SessionId, TurnId } from './ids.ts';
import type { ToolCount, TurnEnd } from './timeline.ts';

export type NodeRole = 'user' | 'assistant' | 'tool';

/** One message. Its two edges are never mixed. */
export interface MessageNode {
  readonly id: string;
  readonly session: string;
  readonly turn: string;
  /** The order of the session's messages. */
  readonly seq: number;
  readonly role: NodeRole;
  /** What stands before it in the conversation; null for the first message and for what tools answer. */
  readonly predecessor: string | null;
  /** Which message invoked it. */
  readonly caller: string | null;
  /** The prompt, the reply, or what the tool answered. */
  readonly content: string;
  /** Milliseconds since 1970; never an order. */
  readonly createdAt: number;
  readonly model: string | null;
  readonly inputTokens: number | null;
  readonly outputTokens: number | null;
  /** Milliseconds. */
  readonly duration: number | null;
  /** Of the tool. */
  readonly name: string | null;
  readonly callId: string | null;
  /** What the tool was given: JSON or a text. */
  readonly input: string | null;
  readonly failed: boolean;
  /** What the agent said before it called the tool. */
  readonly said: string | null;
}

/** One turn in the history of its session. */
export interface HistoryTurn {
  readonly id: TurnId;
  readonly session: SessionId;
  /** Id of its assistant node: what the mirror knows the turn by. */
  readonly node: string;
  readonly parent: TurnId | null;
  /** Depth on its branch, from 1. */
  readonly number: number;
  readonly branch: string;
  readonly prompt: string;
  readonly reply: string | null;
  readonly agent: string;
  readonly model: string | null;
  readonly startedAt: number;
  readonly endedAt: number | null;
  readonly end: TurnEnd;
  readonly tools: readonly ToolCount[];
  /** How many files it changed, as far as is known. */
  readonly files: number;
  readonly inputTokens: number | null;
  readonly outputTokens: number | null;
  /** Milliseconds. */
  readonly duration: number | null;
  /** Turns that go on from here; several where the conversation forked. */
  readonly next: readonly TurnId[];
  /** Only a transcript tells of it: nothing of it was saved. */
  readonly imported: boolean;
  /** Its commit in the mirror. */
  readonly commit: string | null;
}

export interface BranchSummary {
  readonly name: string;
  readonly turns: number;
  readonly tip: TurnId;
  /** The turn it goes on from; null for one that begins the conversation. */
  readonly forkedFrom: TurnId | null;
  /** The newest turn is on it. */
  readonly isCurrent: boolean;
}

/** Where a person looks. */
export interface Position {
  readonly session: SessionId;
  readonly branch: string;
  /** The turn looked at; null: before the first. */
  readonly turn: TurnId | null;
  /** `Turn index / count`; 0 before the first. */
  readonly index: number;
  readonly count: number;
  readonly isLatest: boolean;
}

export interface SearchQuery {
  /** Words that must all be there; the last one as a beginning, words in quotes one after the other. */
  readonly text?: string;
  /** Part of a path that the turn changed, or that a tool was given. */
  readonly file?: string;
  readonly agent?: string;
  /** Milliseconds since 1970. */
  readonly since?: number;
  readonly until?: number;
  readonly session?: string;
  readonly root?: string;
  readonly limit?: number;
}

export interface SearchHit {
  readonly node: MessageNode;
  readonly agent: string;
  readonly root: string;
  readonly title: string;
  /** The turn's number. */
  readonly number: number;
  /** Around the first word that was looked for, on one line. */
  readonly excerpt: string;
}

/** How the mirror of a session stands. */
export interface MirrorState {
  readonly session: SessionId;
  readonly folder: string;
  /** Turns that it does not have yet. */
  readonly behind: number;
  /** Why the last attempt failed. */
  readonly failure: string | null;
  readonly remote: string | null;
  /** The remote has what the mirror has. */
  readonly isPushed: boolean;
  readonly pushFailure: string | null;
}
