/** The projects of a `FakeTimelineApp`: held in memory, as plain as the interface allows. */
import type { ImportCandidate, NewProject, ProjectUse } from '../../src/app/projectUse.ts';
import type { RevertedCommit, SkipReason, TurnCommit } from '../../src/core/autoCommit.ts';
import { UserError } from '../../src/core/errors.ts';
import {
  asProjectId,
  type ProjectId,
  type Root,
  type SessionId,
  type TurnId,
} from '../../src/core/ids.ts';
import type { FolderProject, ProjectChange, ProjectSummary } from '../../src/core/project.ts';
import type { SessionSummary } from '../../src/core/timeline.ts';

export class FakeProjects implements ProjectUse {
  projectList: ProjectSummary[] = [];
  /** Newest first. */
  commitList: TurnCommit[] = [];
  candidates: ImportCandidate[] = [];
  readonly repositories: ProjectId[] = [];
  readonly muted: SkipReason[] = [];
  readonly #told = new Set<SkipReason>();

  list(): readonly ProjectSummary[] {
    return this.projectList;
  }

  get(id: ProjectId): ProjectSummary {
    return this.find(id);
  }

  find(text: string): ProjectSummary {
    const found = this.projectList.find(({ id, name }) => id.startsWith(text) || name === text);
    if (found) return found;
    throw new UserError('notFound', `There is no project ${text}.`, { project: text });
  }

  /** Whose any folder is. Default: the first project's. */
  here: FolderProject | undefined;

  of(): FolderProject {
    const [project] = this.projectList;
    return this.here ?? (project ? { kind: 'project', project } : { kind: 'none' });
  }

  /** Its folder is `/repo`, whatever was said. */
  create({ name, description = '', joinsByFolder = true }: NewProject): ProjectSummary {
    const project = fakeProject({
      id: `project-${this.projectList.length + 1}`,
      description,
      joinsByFolder,
      ...(name !== undefined && { name }),
    });
    this.projectList.push(project);
    return project;
  }

  change(id: ProjectId, change: ProjectChange): ProjectSummary {
    return this.#replace({ ...this.get(id), ...change });
  }

  /** To `/moved`, whatever was said. */
  relocate(id: ProjectId): ProjectSummary {
    return this.#replace({ ...this.get(id), workdir: '/moved', isMissing: false });
  }

  remove(id: ProjectId): void {
    this.projectList = this.projectList.filter((each) => each.id !== id);
  }

  attach(id: ProjectId, session: SessionId): ProjectSummary {
    this.detach(session);
    const project = this.get(id);
    return this.#replace({ ...project, sessions: [...project.sessions, session] });
  }

  detach(session: SessionId): void {
    this.projectList = this.projectList.map((project) => ({
      ...project,
      sessions: project.sessions.filter((each) => each !== session),
    }));
  }

  initRepository(id: ProjectId): void {
    this.repositories.push(id);
  }

  importable(): readonly ImportCandidate[] {
    return this.candidates;
  }

  sessionList: SessionSummary[] = [];

  sessions(id: ProjectId): readonly SessionSummary[] {
    const { sessions } = this.get(id);
    return this.sessionList.filter((session) => sessions.includes(session.id));
  }

  async diskUse(): Promise<number> {
    return 2_500_000;
  }

  /** Folders that are in a repository. */
  readonly versioned = new Set<string>();

  hasRepository(folder: string): boolean {
    return this.versioned.has(folder);
  }

  async commitAgentPaths(turn: TurnId): Promise<TurnCommit> {
    const skipped = this.commitOf(turn);
    if (skipped === undefined) throw new UserError('notFound', `Nothing about turn ${turn}.`);
    this.change(skipped.project, { autoCommit: 'agentPathsOnly' });
    const made: TurnCommit = {
      ...skipped,
      state: 'committed',
      commit: 'c0ffee00'.repeat(5),
      reason: null,
    };
    this.commitList = this.commitList.map((each) => (each === skipped ? made : each));
    return made;
  }

  commits(id: ProjectId, limit = 200): readonly TurnCommit[] {
    return this.commitList.filter(({ project }) => project === id).slice(0, limit);
  }

  commitOf(turn: TurnId): TurnCommit | undefined {
    return this.commitList.find((commit) => commit.turn === turn);
  }

  /** Newest first. */
  revertableList: TurnCommit[] = [];

  async revertable(): Promise<readonly TurnCommit[]> {
    return this.revertableList;
  }

  async revertCommits(_root: Root, turns: readonly TurnId[]): Promise<readonly RevertedCommit[]> {
    const wanted = this.revertableList.filter(({ turn }) => turns.includes(turn));
    this.revertableList = this.revertableList.filter((commit) => !wanted.includes(commit));
    return wanted.map(({ turn, commit }, index) => ({
      turn,
      commit: commit ?? '',
      by: `${index}`.padStart(40, 'b'),
    }));
  }

  notices(id: ProjectId): readonly TurnCommit[] {
    return this.commits(id).filter(
      ({ reason }) => reason !== null && !this.#told.has(reason) && !this.muted.includes(reason),
    );
  }

  told(_id: ProjectId, reasons: readonly SkipReason[]): void {
    for (const reason of reasons) this.#told.add(reason);
  }

  mute(_id: ProjectId, reason: SkipReason): void {
    this.muted.push(reason);
  }

  #replace(project: ProjectSummary): ProjectSummary {
    this.projectList = this.projectList.map((each) => (each.id === project.id ? project : each));
    return project;
  }
}

/** A project with defaults for whatever a test does not care about. */
export function fakeProject(
  given: Partial<Omit<ProjectSummary, 'id'>> & { readonly id: string },
): ProjectSummary {
  const { id, ...rest } = given;
  return {
    id: asProjectId(id),
    name: 'shop',
    description: '',
    workdir: '/repo',
    isMissing: false,
    status: 'active',
    createdAt: 0,
    joinsByFolder: true,
    autoCommit: 'off',
    sessions: [],
    ...rest,
  };
}
