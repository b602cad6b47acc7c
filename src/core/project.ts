/** Projects as hosts show them: plain data that survives JSON. Pure types. */
import type { AutoCommitMode } from './autoCommit.ts';
import type { ProjectId, SessionId } from './ids.ts';

export type ProjectStatus = 'active' | 'paused' | 'done';

/** A long-lived piece of work: a folder, a name, the sessions in it. */
export interface ProjectSummary {
  readonly id: ProjectId;
  readonly name: string;
  readonly description: string;
  /** Absolute real path. */
  readonly workdir: string;
  /** The folder cannot be found now. Its sessions stay. */
  readonly isMissing: boolean;
  readonly status: ProjectStatus;
  /** Milliseconds since 1970. */
  readonly createdAt: number;
  /** New sessions in the folder join by themselves. */
  readonly joinsByFolder: boolean;
  readonly autoCommit: AutoCommitMode;
  /** In the order they joined. */
  readonly sessions: readonly SessionId[];
}

/** What of a project can be changed; what is missing stays. */
export interface ProjectChange {
  readonly name?: string;
  readonly description?: string;
  readonly status?: ProjectStatus;
  readonly joinsByFolder?: boolean;
  readonly autoCommit?: AutoCommitMode;
}

/** Whose a folder is. */
export type FolderProject =
  | { readonly kind: 'none' }
  /** Of the folder, or of one above it. */
  | { readonly kind: 'project'; readonly project: ProjectSummary }
  /** It bears the mark of a project whose own place holds another folder now: a person has to say whether it moved. */
  | { readonly kind: 'unsure'; readonly project: ProjectSummary }
  /** A copy of the folder of a project, which is still in its place. */
  | { readonly kind: 'copy'; readonly project: ProjectSummary };
