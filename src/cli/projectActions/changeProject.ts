import { type AutoCommitMode, autoCommitModes } from '../../core/autoCommit.ts';
import { UserError } from '../../core/errors.ts';
import type { ProjectChange, ProjectStatus } from '../../core/project.ts';
import type { CliContext } from '../cliContext.ts';
import { confirm } from '../confirm.ts';
import type { ExitStatus } from '../exitStatus.ts';
import { findSession } from '../selection.ts';
import type { VerbCall } from '../verb.ts';
import { meantProject, projectAndValue, tellProject } from './projectWords.ts';

export const autoCommitWords: Readonly<Record<AutoCommitMode, string>> = {
  off: 'not committed',
  whenClean: 'committed while nothing of yours is uncommitted',
  agentPathsOnly: 'committed where only the agent changed a file',
  separateHunks: 'committed, in files you changed too the agent’s part of them',
};

type Action = (call: VerbCall, context: CliContext) => Promise<ExitStatus>;

/** Changes one thing of a project. @param what names the value that has to be given */
function changing(
  what: string,
  read: (value: string) => ProjectChange,
  done: (name: string, value: string) => string,
): Action {
  return async (call, context) => {
    const opened = await context.open();
    const { project, value } = projectAndValue(call.argument(1), call.argument(2), what);
    const { id, name } = meantProject(context, opened, project);
    const changed = opened.app.projects.change(id, read(value));
    tellProject(context, changed, done(name, value));
    return 0;
  };
}

export const renameProject = changing(
  'name',
  (name) => ({ name }),
  (name, value) => `${name} is called ${value} now.`,
);

export const describeProject = changing(
  'description',
  (description) => ({ description }),
  (name) => `${name} has a new description.`,
);

export const setAutoCommit = changing(
  `mode: ${autoCommitModes.join(', ')}`,
  (value) => ({ autoCommit: modeOf(value) }),
  (name, value) =>
    `${name}: agents’ work is ${autoCommitWords[modeOf(value)]}, from the next turn on.`,
);

export const setJoins = changing(
  'way: folder or hand',
  (value) => ({ joinsByFolder: joinsOf(value) }),
  (name, value) =>
    `${name}: sessions join ${joinsOf(value) ? 'by their folder' : 'only when attached'}.`,
);

/** Gives a project a status. */
export function settingStatus(status: ProjectStatus): Action {
  return async (call, context) => {
    const opened = await context.open();
    const { id, name } = meantProject(context, opened, call.argument(1));
    const changed = opened.app.projects.change(id, { status });
    tellProject(context, changed, `${name} is ${status} now.`);
    return 0;
  };
}

/** Says where the folder of a project is now. */
export const moveProject: Action = async (call, context) => {
  const opened = await context.open();
  const { projects } = opened.app;
  const wanted = call.argument(1);
  if (wanted === undefined) throw new UserError('usage', 'Which project?');
  const { id } = projects.find(wanted);
  const moved = projects.relocate(id, call.argument(2) ?? context.folder);
  tellProject(context, moved, `${moved.name} is in ${moved.workdir} now.`);
  return 0;
};

export const initRepository: Action = async (call, context) => {
  const opened = await context.open();
  const project = meantProject(context, opened, call.argument(1));
  opened.app.projects.initRepository(project.id);
  tellProject(context, project, `${project.name}: ${project.workdir} is in a git repository.`);
  return 0;
};

export const removeProject: Action = async (call, context) => {
  const opened = await context.open();
  const { id, name } = meantProject(context, opened, call.argument(1));
  const question = `Forget the project ${name}? Its files, sessions and commits stay.`;
  if (!call.flag('yes') && !(await confirm(context, question, { project: id }))) return 1;
  opened.app.projects.remove(id);
  if (context.out.json) context.out.value({ removed: id });
  else context.out.line(`Forgot the project ${name}. Its files, sessions and commits stay.`);
  return 0;
};

export const attachSession: Action = async (call, context) => {
  const opened = await context.open();
  const { id, name } = meantProject(context, opened, call.argument(1));
  const session = findSession(opened, context.settings.session);
  const changed = opened.app.projects.attach(id, session.id);
  tellProject(context, changed, `${name} has the session ${session.id}, from its next turn on.`);
  return 0;
};

export const detachSession: Action = async (_call, context) => {
  const opened = await context.open();
  const session = findSession(opened, context.settings.session);
  opened.app.projects.detach(session.id);
  if (context.out.json) context.out.value({ session: session.id, project: null });
  else context.out.line(`The session ${session.id} belongs to no project now.`);
  return 0;
};

function modeOf(value: string): AutoCommitMode {
  const mode = autoCommitModes.find((each) => each === value);
  if (mode !== undefined) return mode;
  throw new UserError('usage', `The mode is one of ${autoCommitModes.join(', ')}.`, { value });
}

function joinsOf(value: string): boolean {
  if (value === 'folder' || value === 'hand') return value === 'folder';
  throw new UserError('usage', 'Sessions join by folder or by hand.', { value });
}
