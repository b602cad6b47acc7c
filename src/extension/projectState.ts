/** Builds the state that a project's page shows. Pure. */
import type { TurnCommit } from '../core/autoCommit.ts';
import { leftOutText, skipText } from '../core/autoCommitText.ts';
import type { ProjectSummary } from '../core/project.ts';
import type { SessionSummary, TurnSummary } from '../core/timeline.ts';
import type { ProjectCommitRow, ProjectState } from '../protocol/projectMessages.ts';
import { canCommitAgentPaths } from './projectNotice.ts';
import { cutText, firstLine } from './shortText.ts';

const mostSessions = 100;
const longestTitle = 120;

export interface ProjectFacts
  extends Pick<
    ProjectState,
    'version' | 'now' | 'locale' | 'strings' | 'trusted' | 'disk' | 'memory'
  > {
  /** Undefined: there is no such project any more. */
  readonly project: ProjectSummary | undefined;
  /** Newest activity first. */
  readonly sessions: readonly SessionSummary[];
  /** Newest first. */
  readonly commits: readonly TurnCommit[];
  /** Undefined for a turn whose record was erased. */
  readonly turn: (commit: TurnCommit) => TurnSummary | undefined;
}

export function projectState(facts: ProjectFacts): ProjectState {
  const { project, sessions, commits, turn, ...rest } = facts;
  return {
    type: 'state',
    ...rest,
    project: project === undefined ? null : rowOf(project),
    sessions: sessions.slice(0, mostSessions).map(({ id, agent, title, updatedAt, turns }) => ({
      id,
      agent,
      title: cutText(title, longestTitle),
      updatedAt,
      turns,
    })),
    sessionCount: sessions.length,
    commits: commits.flatMap((commit) => {
      const of = turn(commit);
      return of === undefined ? [] : [commitRow(commit, of)];
    }),
  };
}

function rowOf({ sessions: _sessions, ...row }: ProjectSummary): ProjectState['project'] {
  return row;
}

function commitRow(commit: TurnCommit, turn: TurnSummary): ProjectCommitRow {
  const left = commit.leftOut.map(leftOutText).join('; ');
  return {
    turn: commit.turn,
    number: turn.number,
    prompt: firstLine(turn.prompt, longestTitle),
    state: commit.state,
    commit: commit.commit,
    branch: commit.branch,
    revertedBy: commit.revertedBy ?? null,
    files: commit.paths.length,
    why: skipText(commit) ?? left,
    canCommit: canCommitAgentPaths(commit) && turn.rewoundBy === null,
    at: commit.at,
  };
}
