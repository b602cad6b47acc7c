import type { TurnCommit } from '../../core/autoCommit.ts';
import { leftOutText, skipText } from '../../core/autoCommitText.ts';
import type { ProjectSummary } from '../../core/project.ts';
import type { CliContext } from '../cliContext.ts';
import type { ExitStatus } from '../exitStatus.ts';
import { absoluteTime, relativeTime } from '../moment.ts';
import { counted } from '../previewText.ts';
import { styled, type Text } from '../text.ts';
import type { VerbCall } from '../verb.ts';
import { autoCommitWords } from './changeProject.ts';
import { meantProject, projectStatus } from './projectWords.ts';

const mostCommits = 20;

/** One project: what it is, its sessions, and what became of its latest turns. */
export async function showProject(call: VerbCall, context: CliContext): Promise<ExitStatus> {
  const opened = await context.open();
  const project = meantProject(context, opened, call.argument(1));
  const commits = opened.app.projects.commits(project.id, mostCommits);
  if (context.out.json) context.out.value({ project, commits });
  else print(project, commits, context);
  return 0;
}

function print(project: ProjectSummary, commits: readonly TurnCommit[], context: CliContext): void {
  const { out, host, settings } = context;
  const when = (at: number) =>
    settings.verbose
      ? absoluteTime(at, host.timeZone)
      : relativeTime(at, host.now(), host.timeZone);
  out.line([styled('bold', project.name), styled('dim', ' in '), project.workdir]);
  const joins = project.joinsByFolder ? 'those in the folder join' : 'join by hand only';
  out.table(
    [{ title: '' }, { title: '' }],
    [
      ['status', projectStatus(project)],
      ...(project.description === '' ? [] : [['description', project.description]]),
      ['sessions', `${project.sessions.length} (${joins})`],
      ['agents’ work', autoCommitWords[project.autoCommit]],
      ['made', when(project.createdAt)],
      ['id', project.id],
    ],
    2,
  );
  if (commits.length === 0) return;
  out.line();
  out.line(styled('bold', 'Latest turns'));
  out.table(
    [{ title: 'TURN' }, { title: 'WHEN' }, { title: 'COMMIT' }, { title: 'WHAT', flexible: true }],
    commits.map((commit) => [commit.turn, when(commit.at), commitText(commit), whatText(commit)]),
    2,
  );
}

function commitText({ commit, state }: TurnCommit): Text {
  if (commit !== null) return styled('green', commit.slice(0, 8));
  return styled('yellow', state === 'waiting' ? 'waits' : 'none');
}

function whatText(commit: TurnCommit): string {
  const skipped = skipText(commit);
  if (skipped !== undefined) return skipped;
  if (commit.revertedBy !== undefined) return `reverted by ${commit.revertedBy.slice(0, 8)}`;
  const files = counted(commit.paths.length, 'file');
  const left = commit.leftOut.map(leftOutText).join('; ');
  return left === '' ? files : `${files}; left out: ${left}`;
}
