/**
 * Messages between the extension host and the timeline page. State down, intents up: the host sends whole windowed
 * state with a version, the page sends intents. No request and reply. Plain data only. The page's intents are parsed
 * from `unknown` in `parseIntent.ts`, since the page is another realm.
 */
import type { Lines } from '../core/lineSums.ts';
import type { SessionSummary, TouchSummary, TurnSummary } from '../core/timeline.ts';

export interface SessionChoice
  extends Pick<SessionSummary, 'id' | 'agent' | 'title' | 'updatedAt' | 'turns'> {
  /** Name of the workspace folder; shown when there are several. */
  readonly folder: string;
}

/** Files of one turn that the page gets. */
export const filesShown = 100;

/** A turn as one row; the text is already cut to what a row shows. */
export interface TurnRow extends Omit<TurnSummary, 'prompt' | 'reply'> {
  /** The first `filesShown`; the diff editor has all. */
  readonly files: readonly TouchSummary[];
  readonly fileCount: number;
  /** Of all files. */
  readonly lines: Lines | null;
  /** At most 300 characters and 8 lines. */
  readonly prompt: string;
  /** At most 300 characters and 8 lines. */
  readonly reply: string | null;
  /** There is more of the prompt or of the reply. */
  readonly cut: boolean;
  /** What took the turn back, while that is in force and known. */
  readonly takenBack: RowOperation | null;
  /** The newest rewind or revert of this turn that stands and left something out. */
  readonly partly: (RowOperation & { readonly kept: readonly string[] }) | null;
  /** Taken by a person after this turn began and before the next one did, newest first. */
  readonly snapshots: readonly RowSnapshot[];
  /** Taken before the session's first turn; only on that one. */
  readonly snapshotsBefore: readonly RowSnapshot[];
  /** Why the turn cannot be rewound; null when it can. */
  readonly blocked: string | null;
}

/** A snapshot of the whole folder, as a line between turns. */
export interface RowSnapshot {
  readonly id: string;
  /** At most 100 characters. */
  readonly label: string;
  /** Milliseconds since 1970. */
  readonly at: number;
}

/** An operation as a row tells of it. */
export interface RowOperation {
  /** A sentence: `Rewound to before turn 3`. */
  readonly label: string;
  /** Milliseconds since 1970. */
  readonly at: number;
}

export interface TimelineState {
  readonly type: 'state';
  /** Rises by one with each state; a page ignores an older one. */
  readonly version: number;
  /** Milliseconds since 1970 at the host, for relative times. */
  readonly now: number;
  readonly locale: string;
  readonly strings: Readonly<Record<string, string>>;
  readonly sessions: readonly SessionChoice[];
  /** Null when there is none. */
  readonly session: string | null;
  /** How many turns the session has. */
  readonly total: number;
  /** Index of `rows[0]` in the session, counting from the oldest turn (0). */
  readonly offset: number;
  /** A window of consecutive turns, oldest first. The page shows newest at the top. */
  readonly rows: readonly TurnRow[];
  /** Number of the turn looked at, 1 to total; 0 when there is none. */
  readonly cursor: number;
  /** Something long is going on: a sentence. */
  readonly busy: string | null;
  /** The newest rewind can be undone: a sentence for the button's label. */
  readonly undo: string | null;
  readonly error: string | null;
}

/** Rare, for screen readers and focus; never carries state. */
export interface Announcement {
  readonly type: 'announce';
  readonly text: string;
  readonly assertive: boolean;
}

export type ToView = TimelineState | Announcement;

export type Intent =
  | { readonly type: 'ready' }
  /** The page got or lost the keyboard; VS Code does not tell extensions. */
  | { readonly type: 'focus'; readonly focused: boolean }
  | { readonly type: 'selectSession'; readonly session: string }
  /** Move the cursor to a turn number. */
  | { readonly type: 'select'; readonly number: number }
  | { readonly type: 'previous' }
  | { readonly type: 'next' }
  /** The page needs rows around this index (0 = oldest). */
  | { readonly type: 'showWindow'; readonly index: number }
  | { readonly type: 'openTurn'; readonly turn: string }
  | { readonly type: 'openDiff'; readonly turn: string; readonly path: string }
  | { readonly type: 'readTurn'; readonly turn: string }
  | { readonly type: 'rewind'; readonly turn: string }
  | { readonly type: 'compareSnapshot'; readonly snapshot: string }
  | { readonly type: 'restoreSnapshot'; readonly snapshot: string }
  | { readonly type: 'undo' }
  | { readonly type: 'command'; readonly command: ViewCommand };

export type ViewCommand = 'showHistory' | 'connectAgent' | 'showLog' | 'refresh';

export const viewCommands: readonly ViewCommand[] = [
  'showHistory',
  'connectAgent',
  'showLog',
  'refresh',
];

/** Rows sent around the cursor or the asked-for index. */
export const windowSize = 200;
