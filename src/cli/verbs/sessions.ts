import { UserError } from '../../core/errors.ts';
import type { CliContext } from '../cliContext.ts';
import type { ExitStatus } from '../exitStatus.ts';
import { exportSession } from '../sessionActions/exportSession.ts';
import { goInSession } from '../sessionActions/goInSession.ts';
import { listBranches } from '../sessionActions/listBranches.ts';
import { listSessions } from '../sessionActions/listSessions.ts';
import { logSession } from '../sessionActions/logSession.ts';
import { mirrorSessions } from '../sessionActions/mirrorSessions.ts';
import { searchSessions } from '../sessionActions/searchSessions.ts';
import { showSession } from '../sessionActions/showSession.ts';
import type { Verb, VerbCall } from '../verb.ts';

type Action = (call: VerbCall, context: CliContext) => Promise<ExitStatus>;

const actions: Readonly<Record<string, Action>> = {
  list: listSessions,
  show: showSession,
  log: logSession,
  branches: listBranches,
  search: searchSessions,
  export: exportSession,
  mirror: mirrorSessions,
  go: goInSession,
};

/** Lists the sessions of a root, and everything about their conversations. */
export const sessions: Verb = {
  name: 'sessions',
  summary: 'list the sessions of this folder; show, search, export their conversations',
  details: [
    'A session is one conversation with one agent. Ids are cut to what --session needs; --verbose and --json give them whole.',
    'list: the sessions, the one used last on top. show [session]: what is known of one; with --turn, the messages of that turn. log [session]: its turns, newest first, on the branch that is looked at. branches [session]: where it forked.',
    'search [words]: messages that hold all the words, of this folder or, with --all, of all. export [session]: the whole conversation as text.',
    'mirror [session]: writes what the git repositories of sessions lack, and shows how they stand. go <where>: looks at a turn, prev, next, latest or a branch; the next prompt goes on from there.',
  ],
  arguments: [
    {
      name: '[action]',
      description: 'what to do (default: list)',
      choices: Object.keys(actions),
    },
    { name: '[what]', description: 'a session, words to look for, or where to go' },
  ],
  options: [
    { flags: '--turn <number>', description: 'show: the messages of this turn' },
    { flags: '--branch <name>', description: 'show, log: on this branch' },
    { flags: '--file <part>', description: 'search: turns that touched a path with this in it' },
    { flags: '--agent <name>', description: 'search: of this agent' },
    { flags: '--since <time>', description: 'search: not before a date, or 12h, 7d, 4w ago' },
    { flags: '--until <time>', description: 'search: not after' },
    { flags: '--all', description: 'search: in every folder' },
    { flags: '--limit <count>', description: 'search: at most so many (default 50)' },
    {
      flags: '--format <format>',
      description: 'export: markdown (default) or json',
      choices: ['markdown', 'json'],
    },
    { flags: '--output <file>', description: 'export: into a new file instead of stdout' },
    { flags: '--check', description: 'mirror: compare every commit, and mend what differs' },
    {
      flags: '--remote <url>',
      description: 'mirror: push this session there after each turn from now on; none: no more',
    },
  ],
  examples: [
    { line: 'sessions', description: 'the sessions of the current folder' },
    { line: 'sessions --root ~/code/shop --json', description: 'of another folder, as JSON' },
    { line: 'sessions show --turn 3', description: 'what was said and run in turn 3' },
    { line: 'sessions search "login token" --since 7d', description: 'what was said of it lately' },
    { line: 'sessions export --output talk.md', description: 'the session used last, as Markdown' },
    { line: 'sessions go prev', description: 'one turn back; the next prompt forks there' },
  ],
  async run(call, context) {
    const action = actions[call.argument(0) ?? 'list'];
    if (action === undefined) throw new UserError('usage', 'There is no such action.');
    return action(call, context);
  },
};
