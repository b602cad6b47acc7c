/**
 * Every sentence of the timeline page, in English, by id. The host hands them to the page with the state, translated
 * (`vscode.l10n.t(viewStrings[id])`); an id it leaves out is shown in English. `{0}` is a placeholder. Counts have two
 * ids, `…One` and `…Many`.
 */
export const viewStrings = {
  turnList: 'Turns, newest first',
  session: 'Session',
  sessionOption: '{0} · {1}',
  untitledSession: 'Untitled session',
  olderSessions: '{0} older sessions are not listed',

  previous: 'Prev',
  next: 'Next',
  previousTurn: 'Look at the previous turn',
  nextTurn: 'Look at the next turn',
  stepHint: 'Only looks: neither files nor where the next prompt goes on change.',
  position: 'Turn {0} / {1}',
  positionSpoken: 'Turn {0} of {1}',
  viewFullHistory: 'View full history',
  turnNavigation: 'Turn navigation',
  undoHint: 'Undo what was done last (U)',

  noSession: 'No agent session yet',
  noSessionHint:
    'Connect a coding agent. Each of its turns then appears here, ready to be rewound.',
  noTurns: 'No turns yet',
  noTurnsHint: 'The first turn appears here as soon as the agent gets a prompt.',
  connectAgent: 'Connect an Agent',
  retry: 'Retry',
  showLog: 'Show Log',

  turnLabel: 'Turn {0}: {1}',
  loadingTurn: 'Turn {0}, loading',
  emptyPrompt: '(empty prompt)',
  now: 'now',
  filesOne: '1 file',
  filesMany: '{0} files',
  noFiles: 'no files',
  linesAdded: '{0} added',
  linesRemoved: '{0} removed',
  toolMany: '{0} ×{1}',
  toolsSpoken: 'Tools: {0}',
  unknownAgent: 'Agent',

  running: 'Running',
  finished: 'Finished',
  interrupted: 'Interrupted',
  failed: 'Failed',
  endedByPrompt: 'Ended by the next prompt',
  endedBySession: 'Ended with the session',
  stale: 'No end recorded',
  took: 'Took {0}',
  current: 'Current turn',

  takenBack: 'Taken back',
  takenBackHint: 'A rewind or a revert took this turn back. Undo it to bring the turn back.',
  takenBackBy: '“{0}” ({1}) took this turn back. Undo that to bring the turn back.',
  began: 'Began {0}',
  partlyNone: 'Taken back in part',
  partlyNoneHint:
    '“{0}” ({1}) put the files of this turn back, and kept files of turns before it. The turn stays, so the same can be asked for again.',
  partlyOne: 'Taken back in part: 1 file kept',
  partlyMany: 'Taken back in part: {0} files kept',
  partlyHint:
    '“{0}” ({1}) kept what was not the agent’s last state: {2}. The turn stays, so the same can be asked for again.',
  damaged: 'Damaged',
  damagedHint: 'This turn cannot be rewound: {0}',
  imported: 'Imported',
  importedHint:
    'Only the agent’s own transcript tells of this turn: nothing was saved when it ran, so it cannot be rewound. What the transcript holds of its files can be read.',
  pruned: 'States removed',
  prunedHint:
    'What was saved before this turn has been removed, to stay within the limits for size and age in the settings. Its files cannot go back any more.',
  unprotectedOne: '1 file not saved',
  unprotectedMany: '{0} files not saved',
  unprotectedPath: '{0} was not saved: {1}',
  notCommitted: 'Not committed',
  commit: 'commit {0}',
  commitReverted: 'commit {0}, reverted by {1}',
  uncapturedShell: 'Shell not recorded',
  uncapturedShellHint:
    'This turn ran shell commands. What they did to other files was not recorded and cannot be rewound.',

  showChangesOf: 'Show all changes of turn {0}',
  rewindTo: 'Rewind to before turn {0}',
  rewindBlocked: 'Turn {0} cannot be rewound: {1}',
  compareSnapshot: 'Snapshot “{0}”, {1}: show what has changed since',
  restoreSnapshot: 'Restore snapshot “{0}”',
  reply: 'Reply',
  readTurn: 'Read prompt and reply in full',
  changedFiles: 'Files changed in turn {0}',
  allFiles: 'View all {0} files',

  added: 'added',
  modified: 'modified',
  deleted: 'deleted',
  mode: 'permissions changed',
  type: 'type changed',
  byShell: 'shell',
  perhapsByShell: 'shell?',
  byMemory: 'memory',
  openDiff: 'Open the changes of {0}',
} as const satisfies Readonly<Record<string, string>>;

export type ViewStringId = keyof typeof viewStrings;
