/**
 * Every id that the manifest shares with the code: views, commands, context keys, settings. Holds no vscode value, so
 * that the manifest test can read it without VS Code.
 */

export const containerId = 'memcode';

export const viewIds = {
  timeline: 'memcode.timeline',
  start: 'memcode.start',
} as const;

export const commandIds = {
  openTimeline: 'memcode.openTimeline',
  selectSession: 'memcode.selectSession',
  previousTurn: 'memcode.previousTurn',
  nextTurn: 'memcode.nextTurn',
  showTurnChanges: 'memcode.showTurnChanges',
  compareWithWorkingFile: 'memcode.compareWithWorkingFile',
  rewindToTurn: 'memcode.rewindToTurn',
  revertTurn: 'memcode.revertTurn',
  restoreFile: 'memcode.restoreFile',
  redo: 'memcode.redo',
  operations: 'memcode.operations',
  createSnapshot: 'memcode.createSnapshot',
  restoreSnapshot: 'memcode.restoreSnapshot',
  compareWithSnapshot: 'memcode.compareWithSnapshot',
  recoverOperation: 'memcode.recoverOperation',
  readTurn: 'memcode.readTurn',
  viewFullHistory: 'memcode.viewFullHistory',
  importSessions: 'memcode.importSessions',
  searchSessions: 'memcode.searchSessions',
  showSessionHistory: 'memcode.showSessionHistory',
  openSessionMirror: 'memcode.openSessionMirror',
  switchBranch: 'memcode.switchBranch',
  connectAgent: 'memcode.connectAgent',
  disconnectAgent: 'memcode.disconnectAgent',
  refresh: 'memcode.refresh',
  showLog: 'memcode.showLog',
  /** What the offer beside the active editor says; offered in the palette only then. */
  goOn: 'memcode.goOn',
  /** These three need an argument and are hidden from the palette. */
  openFileDiff: 'memcode.openFileDiff',
  openFile: 'memcode.openFile',
  copyPrompt: 'memcode.copyPrompt',
} as const;

export type CommandId = (typeof commandIds)[keyof typeof commandIds];

export const contextKeys = {
  /** A `StartState`. */
  state: 'memcode.state',
  /** The keyboard is in the timeline. VS Code's own `focusedView` knows nothing of webviews. */
  focus: 'memcode.timelineFocus',
  hasPrevious: 'memcode.hasPrevious',
  hasNext: 'memcode.hasNext',
  canRedo: 'memcode.canRedo',
  /** A crashed rewind waits to be finished or rolled back. */
  interrupted: 'memcode.interrupted',
  /** A `TurnEditorKind`: the active editor shows something of a turn. */
  turnEditor: 'memcode.turnEditor',
  /** The active editor shows a change that the person is asked about. */
  offer: 'memcode.offer',
} as const;

export const settingIds = {
  showStatusBar: 'memcode.statusBar.show',
  followNewestSession: 'memcode.timeline.followNewestSession',
  retentionSize: 'memcode.retention.maxSize',
  retentionAge: 'memcode.retention.maxAge',
  snapshotFileSize: 'memcode.snapshots.maxFileSize',
  snapshotExcludedFolders: 'memcode.snapshots.excludedFolders',
  snapshotCount: 'memcode.snapshots.maxCount',
} as const;

/** Scheme of the read-only file system that serves what is stored: sides of files of turns, and what operations replaced. */
export const turnScheme = 'memcode';

/** Scheme of the two texts that show a change to an agent's settings before it is made. */
export const settingsScheme = 'memcode-settings';

export const walkthroughId = 'memcode.start';
