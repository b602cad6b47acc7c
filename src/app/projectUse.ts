/** What hosts do with projects and with commits of agents' work. `projects.ts` has the implementation. */
import type { RevertedCommit, SkipReason, TurnCommit } from '../core/autoCommit.ts';
import type { ProjectId, Root, SessionId, TurnId } from '../core/ids.ts';
import type { FolderProject, ProjectChange, ProjectSummary } from '../core/project.ts';
import type { SessionSummary } from '../core/timeline.ts';

export interface NewProject {
  /** An existing folder. */
  readonly workdir: string;
  /** Default: the folder's name. */
  readonly name?: string;
  readonly description?: string;
  /** Default true: sessions in the folder join, those that are there already too. */
  readonly joinsByFolder?: boolean;
}

/** A folder that belongs to no project. */
export interface ImportCandidate {
  readonly workdir: string;
  /** How many belong to no project. */
  readonly sessions: number;
  readonly isRepository: boolean;
}

/** Everything throws UserError `notFound` for an id that nobody has, and `locked` while the database is busy. */
export interface ProjectUse {
  /** In the order they were made. */
  list(): readonly ProjectSummary[];
  get(id: ProjectId): ProjectSummary;
  /** By id, a unique beginning of it, or the exact name. @throws UserError `notFound`, `usage` when several fit. */
  find(text: string): ProjectSummary;
  /** Whose a folder is. A project whose folder is gone and whose mark is in this one is moved here. */
  of(folder: string): FolderProject;
  /** Off for commits. @throws UserError `notFound` without the folder, `usage` when it is another project's. */
  create(project: NewProject): ProjectSummary;
  change(id: ProjectId, change: ProjectChange): ProjectSummary;
  /** Says where its folder is now. Its sessions stay. @throws UserError `notFound`, `usage`. */
  relocate(id: ProjectId, folder: string): ProjectSummary;
  /** Forgets the project. Files, sessions and commits stay. */
  remove(id: ProjectId): void;
  /** Turns that begin from now on count for the project, whatever the session belonged to before. */
  attach(id: ProjectId, session: SessionId): ProjectSummary;
  /** The session belongs nowhere and does not join by its folder any more. */
  detach(session: SessionId): void;
  /** Newest activity first. Those whose records were erased are missing. */
  sessions(id: ProjectId): readonly SessionSummary[];
  /** What our stores keep of it; bytes. */
  diskUse(id: ProjectId): Promise<number>;
  /** Whether a folder is in a git repository. Runs git. */
  hasRepository(folder: string): boolean;
  /** `git init` with the user’s own settings, where there is no repository yet. @throws UserError `fileSystem`, `notFound`. */
  initRepository(id: ProjectId): void;
  /**
   * Folders that could become projects: those with sessions that belong to none, and of these folders and those directly
   * in them the git repositories.
   */
  importable(folders?: readonly string[]): readonly ImportCandidate[];

  /** What became of turns, newest first. */
  commits(id: ProjectId, limit?: number): readonly TurnCommit[];
  commitOf(turn: TurnId): TurnCommit | undefined;
  /**
   * Commits of a turn that was skipped what its agent alone changed, and so it is done in its project from now on.
   * @throws UserError `notFound` when nothing was decided about the turn.
   */
  commitAgentPaths(turn: TurnId): Promise<TurnCommit>;
  /**
   * Commits in the checked-out history of a root whose turns were taken back, and that are not reverted; newest first.
   */
  revertable(root: Root): Promise<readonly TurnCommit[]>;
  /**
   * Reverts them by new commits, one each; files stay as they are.
   * @throws UserError `nothingToDo`, `conflicts` (with `paths`), `refused`, `locked`, `interrupted`; nothing was done then.
   */
  revertCommits(root: Root, turns: readonly TurnId[]): Promise<readonly RevertedCommit[]>;
  /**
   * Turns not committed for a reason that a person should know and has not been told since the newest commit: the newest
   * for each reason.
   */
  notices(id: ProjectId): readonly TurnCommit[];
  /** They have been told: everything with these reasons up to now. */
  told(id: ProjectId, reasons: readonly SkipReason[]): void;
  /** Nobody wants to hear of this reason again. */
  mute(id: ProjectId, reason: SkipReason): void;
}
