import { autoCommitModes } from '../../core/autoCommit.ts';
import { UserError } from '../../core/errors.ts';
import type { CliContext } from '../cliContext.ts';
import type { ExitStatus } from '../exitStatus.ts';
import {
  attachSession,
  autoCommitWords,
  describeProject,
  detachSession,
  initRepository,
  moveProject,
  removeProject,
  renameProject,
  setAutoCommit,
  setJoins,
  settingStatus,
} from '../projectActions/changeProject.ts';
import { createProject, importProjects } from '../projectActions/createProject.ts';
import { revertCommits } from '../projectActions/revertCommits.ts';
import { showProject } from '../projectActions/showProject.ts';
import { type Verb, type VerbCall, yesOption } from '../verb.ts';

type Action = (call: VerbCall, context: CliContext) => Promise<ExitStatus>;

const actions: Readonly<Record<string, Action>> = {
  show: showProject,
  create: createProject,
  rename: renameProject,
  describe: describeProject,
  pause: settingStatus('paused'),
  resume: settingStatus('active'),
  done: settingStatus('done'),
  move: moveProject,
  attach: attachSession,
  detach: detachSession,
  joins: setJoins,
  init: initRepository,
  'auto-commit': setAutoCommit,
  'revert-commits': revertCommits,
  import: importProjects,
  remove: removeProject,
};

/** Makes, shows and changes one project. */
export const project: Verb = {
  name: 'project',
  summary: 'make, show and change a project; have agents’ work committed in it',
  details: [
    'A project is a folder, a name and the sessions in it. It is named by its name, its id or a unique beginning of the id; left out, it is that of the folder.',
    'create [name]: of the folder. rename, describe [project] <text>. pause, resume, done [project]. move <project> [folder]: says where its folder is now. attach [project], detach: the session of --session. joins [project] folder|hand: whether sessions in the folder join. init [project]: makes a git repository where there is none. import [folder]: makes a project of every folder with sessions and, where a folder is named, of that repository or those directly in it. remove [project]: forgets it; files, sessions and commits stay.',
    `auto-commit [project] <mode>: what becomes of agents’ work when a turn ends. ${autoCommitModes.map((mode) => `${mode}: ${autoCommitWords[mode]}`).join('. ')}. A commit holds the agent’s files alone; what you have staged, changed or stashed stays as it is, and your hooks do not run. What is not committed and why: show.`,
    'revert-commits [turn]: after a rewind the commits of its turns stay, and the files differ from them. New commits take them back, one each, newest first; without a turn, those of all turns that were taken back. No file changes; later commits keep what they changed, and where that overlaps, nothing is done.',
  ],
  arguments: [
    { name: '<action>', description: 'what to do', choices: Object.keys(actions) },
    { name: '[what]', description: 'the project, or what the action takes' },
    { name: '[to]', description: 'what the action takes' },
  ],
  options: [
    { flags: '--description <text>', description: 'create: what it is about' },
    { flags: '--by-hand', description: 'create: sessions join only when attached' },
    { flags: '--init', description: 'create: with a git repository, where there is none' },
    yesOption,
  ],
  examples: [
    { line: 'project create shop', description: 'the current folder, and the sessions in it' },
    { line: 'project auto-commit whenClean', description: 'a commit a turn, from now on' },
    { line: 'project show', description: 'how it stands, and what was committed lately' },
    { line: 'project attach shop --session 4f2a', description: 'a session from elsewhere' },
    { line: 'project revert-commits --yes', description: 'after a rewind of committed turns' },
  ],
  async run(call, context) {
    const action = actions[call.argument(0) ?? ''];
    if (action === undefined) throw new UserError('usage', 'There is no such action.');
    return action(call, context);
  },
};
