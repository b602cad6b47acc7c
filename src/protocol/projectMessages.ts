/**
 * Messages between the extension host and a project's page: whole states down, intents up, as for the timeline page. The
 * page's intents are parsed from `unknown` in `parseProjectIntent.ts`.
 */
import type { AutoCommitMode, TurnCommitState } from '../core/autoCommit.ts';
import type { Fact, NoteSummary } from '../core/memory.ts';
import type { ProjectStatus, ProjectSummary } from '../core/project.ts';
import type { SessionSummary } from '../core/timeline.ts';

export type ProjectRow = Omit<ProjectSummary, 'sessions'>;

export type ProjectSessionRow = Pick<
  SessionSummary,
  'id' | 'agent' | 'title' | 'updatedAt' | 'turns'
>;

/** What became of one turn's changes. */
export interface ProjectCommitRow {
  readonly turn: string;
  readonly number: number;
  /** First line, cut. */
  readonly prompt: string;
  readonly state: TurnCommitState;
  /** Full hash, when committed. */
  readonly commit: string | null;
  readonly branch: string | null;
  /** The commit that took it back. */
  readonly revertedBy: string | null;
  /** Files in the commit. */
  readonly files: number;
  /** Why it is not committed, or what is left out: a sentence. Empty when there is nothing to say. */
  readonly why: string;
  /** What the agent alone changed can be committed still. */
  readonly canCommit: boolean;
  /** Milliseconds since 1970. */
  readonly at: number;
}

/** What agents remember of this project alone. */
export interface ProjectMemory {
  /** Those that are listed, as memory lists them. */
  readonly notes: readonly Pick<NoteSummary, 'name' | 'hook' | 'pinned' | 'updatedAt'>[];
  /** How many there are. */
  readonly noteCount: number;
  readonly facts: readonly Fact[];
  /** Writes of agents that wait for approval. */
  readonly pending: number;
}

export interface ProjectState {
  readonly type: 'state';
  /** Rises by one with each state; a page ignores an older one. */
  readonly version: number;
  /** Milliseconds since 1970 at the host, for relative times. */
  readonly now: number;
  readonly locale: string;
  readonly strings: Readonly<Record<string, string>>;
  /** Null: there is no such project any more. */
  readonly project: ProjectRow | null;
  /** False in a workspace that is not trusted: looking is possible, changing is not. */
  readonly trusted: boolean;
  /** Newest activity first. */
  readonly sessions: readonly ProjectSessionRow[];
  /** How many there are. */
  readonly sessionCount: number;
  /** Newest first. */
  readonly commits: readonly ProjectCommitRow[];
  /** Null while it is not known. */
  readonly memory: ProjectMemory | null;
  /** Bytes that our stores keep of it; null while they are being counted. */
  readonly disk: number | null;
}

/** What a page can have done to its project besides what has a value. */
export type ProjectAct =
  | 'rename'
  | 'remove'
  | 'locate'
  | 'attach'
  | 'openFolder'
  | 'initRepository'
  | 'showSettings';

export const projectActs: readonly ProjectAct[] = [
  'rename',
  'remove',
  'locate',
  'attach',
  'openFolder',
  'initRepository',
  'showSettings',
];

export const projectStatuses: readonly ProjectStatus[] = ['active', 'paused', 'done'];

export type ProjectIntent =
  | { readonly type: 'ready' }
  | { readonly type: 'act'; readonly act: ProjectAct }
  | { readonly type: 'setStatus'; readonly status: ProjectStatus }
  | { readonly type: 'setAutoCommit'; readonly mode: AutoCommitMode }
  | { readonly type: 'setJoins'; readonly byFolder: boolean }
  | { readonly type: 'openTurn'; readonly turn: string }
  | { readonly type: 'commitTurn'; readonly turn: string }
  | { readonly type: 'openSession'; readonly session: string }
  | { readonly type: 'openNote'; readonly name: string }
  | { readonly type: 'detach'; readonly session: string };
