/**
 * Messages between the extension host and the page of a session's history. As with the timeline: whole states down,
 * intents up, plain data only; `parseHistoryIntent.ts` reads the intents.
 */
import type { LaneLine } from '../core/branchLanes.ts';
import type { NodeRole } from '../core/history.ts';
import type { TurnEnd } from '../core/timeline.ts';
import type { InputField } from '../core/toolInput.ts';
import type { Announcement } from './messages.ts';

/** One turn, one commit of the mirror, one line of the graph. */
export interface HistoryRow extends LaneLine {
  readonly id: string;
  /** Depth on its branch, from 1. */
  readonly number: number;
  readonly branch: string;
  /** It begins its branch: where that goes on from. Null otherwise. */
  readonly begins: { readonly from: number | null } | null;
  /** The branch ends with it. */
  readonly isTip: boolean;
  /** At most 200 characters of its first line. */
  readonly prompt: string;
  readonly agent: string;
  readonly startedAt: number;
  readonly end: TurnEnd;
  readonly tools: number;
  readonly files: number;
  readonly imported: boolean;
  /** Beginning of its commit in the mirror. */
  readonly commit: string | null;
}

export interface BranchChoice {
  readonly name: string;
  readonly turns: number;
  /** The newest turn is on it. */
  readonly isCurrent: boolean;
}

/** One message as the page shows it. */
export interface MessageView {
  readonly id: string;
  readonly role: NodeRole;
  /** As the agent wrote it: Markdown for prompts and replies, text for what tools answered. */
  readonly content: string;
  /** Of a tool. */
  readonly name: string | null;
  /** What the tool was given; empty for other messages. */
  readonly input: readonly InputField[];
  /** Markdown: what the agent said before it called the tool. */
  readonly said: string | null;
  readonly failed: boolean;
  readonly duration: number | null;
  /** Something of it was left out here; the text editor has all of it. */
  readonly cut: boolean;
}

export interface OpenTurn {
  readonly id: string;
  readonly row: HistoryRow;
  readonly model: string | null;
  readonly tokens: number | null;
  readonly duration: number | null;
  /** Prompt, then tools in their order, then reply. */
  readonly messages: readonly MessageView[];
  /** The message that a search led to. */
  readonly message: string | null;
  /** Other tools of this turn are left out here. */
  readonly omitted: number;
  /** Numbered turns that go on from here, one a branch, when there are several. */
  readonly next: readonly { readonly id: string; readonly branch: string }[];
}

/** A piece of what was found. */
export interface ExcerptPart {
  readonly text: string;
  /** It was searched for. */
  readonly isFound: boolean;
}

export interface HitRow {
  readonly turn: string;
  readonly message: string;
  readonly role: NodeRole;
  /** Of a tool. */
  readonly name: string | null;
  readonly number: number;
  readonly at: number;
  readonly agent: string;
  /** Of the session; null when it is the one shown. */
  readonly title: string | null;
  /** One line. */
  readonly excerpt: readonly ExcerptPart[];
}

export interface HistorySearch {
  readonly text: string;
  /** In all sessions of the window, rather than in the one shown. */
  readonly everywhere: boolean;
  /** Newest first. */
  readonly hits: readonly HitRow[];
  /** There are more than are listed. */
  readonly more: boolean;
}

export interface HistoryState {
  readonly type: 'history';
  /** Rises by one with each state; a page ignores an older one. */
  readonly version: number;
  readonly now: number;
  readonly locale: string;
  readonly strings: Readonly<Record<string, string>>;
  readonly session: {
    readonly id: string;
    readonly title: string;
    readonly agent: string;
    readonly folder: string;
  };
  readonly branches: readonly BranchChoice[];
  /** The branch that is looked at. */
  readonly branch: string;
  /** `Turn index / count` on that branch; index 0 is before the first. */
  readonly position: { readonly index: number; readonly count: number; readonly isLatest: boolean };
  /** Index among all turns of the one that is looked at; -1 before the first. */
  readonly cursor: number;
  /** Turns of all branches. */
  readonly total: number;
  /** Index of `rows[0]`, counting from the oldest turn (0). */
  readonly offset: number;
  /** A window of consecutive turns, oldest first. The page shows the newest at the top. */
  readonly rows: readonly HistoryRow[];
  /** How many lanes the graph has at most. */
  readonly lanes: number;
  /** The turn that is read. */
  readonly open: OpenTurn | null;
  readonly search: HistorySearch | null;
  /** What the mirror lacks, or why it could not be pushed: a sentence. */
  readonly mirror: string | null;
  readonly error: string | null;
}

export type ToHistoryView = HistoryState | Announcement;

export type HistoryIntent =
  | { readonly type: 'ready' }
  /** The page needs rows around this index (0 = oldest). */
  | { readonly type: 'showWindow'; readonly index: number }
  /** Read a turn; where one looks stays. */
  | { readonly type: 'openTurn'; readonly turn: string }
  | { readonly type: 'openHit'; readonly turn: string; readonly message: string }
  | { readonly type: 'step'; readonly step: 'prev' | 'next' | 'latest' }
  /** Look from this turn on. */
  | { readonly type: 'goTo'; readonly turn: string }
  | { readonly type: 'switchBranch'; readonly branch: string }
  /** An empty text ends the search. */
  | { readonly type: 'search'; readonly text: string; readonly everywhere: boolean }
  /** One message in the text editor, whole. */
  | { readonly type: 'readMessage'; readonly turn: string; readonly message: string }
  | { readonly type: 'showChanges'; readonly turn: string }
  | { readonly type: 'readAll' }
  | { readonly type: 'openMirror' };
