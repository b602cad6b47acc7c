/** Every sentence of a project's page, in English, by id; handed over and used as `viewStrings` are. */
export const projectStrings = {
  gone: 'This project is not there any more.',
  goneHint: 'Its files, sessions and commits stay.',
  rename: 'Rename…',
  remove: 'Forget Project…',
  openFolder: 'Open Folder',
  locate: 'Locate Folder…',
  missing: 'The folder cannot be found. Its sessions stay.',
  made: 'made {0}',
  now: 'now',

  status: 'Status',
  active: 'Active',
  paused: 'Paused',
  done: 'Done',
  pausedHint: 'While a project is paused or done, agents’ work in it is not committed.',

  settings: 'Settings of This Project',
  autoCommit: 'Agents’ work',
  off: 'Not committed',
  whenClean: 'Committed while nothing of yours is uncommitted',
  agentPathsOnly: 'Committed where only the agent changed a file',
  separateHunks: 'Committed, in files you changed too the agent’s part',
  offHint: 'What agents change stays uncommitted, for you to commit.',
  whenCleanHint:
    'A turn becomes one commit of the agent’s files, unless anything of yours is uncommitted. Your hooks do not run.',
  agentPathsOnlyHint:
    'A turn becomes one commit of the files that only the agent changed. What you have staged, changed or stashed stays as it is; your hooks do not run.',
  separateHunksHint:
    'A turn becomes one commit of what the agent changed, also in files that you changed. What you have staged, changed or stashed stays as it is; your hooks do not run.',
  joins: 'New sessions',
  joinsByFolder: 'Those in the folder join',
  joinsByHand: 'Join only when attached',
  allSettings: 'Settings of Memcode Timeline',

  commits: 'Commits by Agents',
  noCommits: 'No turn of this project has been committed yet.',
  noCommitsOff: 'Agents’ work in this project is not committed.',
  commitLabel: 'Turn {0}: {1}',
  committedAs: '{0} on {1}',
  revertedBy: '{0}, reverted by {1}',
  waiting: 'waits',
  skipped: 'not committed',
  filesOne: '1 file',
  filesMany: '{0} files',
  commitTurn: 'Commit the Agent’s Files',
  emptyPrompt: '(empty prompt)',

  sessions: 'Sessions',
  noSessions: 'No session belongs to this project yet.',
  turnsOne: '1 turn',
  turnsMany: '{0} turns',
  moreSessions: '{0} older sessions are not listed',
  attach: 'Attach Session…',
  detach: 'Take the session “{0}” out of the project',
  detachShort: 'Take Out',
  unknownAgent: 'Agent',
  untitledSession: 'Untitled session',

  memory: 'Memory',
  noMemory: 'Nothing is remembered of this project alone.',
  pinned: 'pinned',
  moreNotes: '{0} more notes are not listed',
  pendingOne: '1 write of an agent waits for your approval',
  pendingMany: '{0} writes of agents wait for your approval',

  disk: 'Disk Use',
  diskCounting: 'Being counted…',
  diskBytes: '{0} MB are kept of its sessions: saved states, snapshots and conversations.',
} as const satisfies Readonly<Record<string, string>>;

export type ProjectStringId = keyof typeof projectStrings;
