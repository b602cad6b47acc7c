/**
 * Every id that the manifest shares with the code: views, commands, context keys, settings. Holds no vscode value, so
 * that the manifest test can read it without VS Code.
 */

export const containerId = 'memcode';

export const viewIds = {
  timeline: 'memcode.timeline',
  start: 'memcode.start',
  projects: 'memcode.projects',
  memory: 'memcode.memory',
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
  pushSessionMirror: 'memcode.pushSessionMirror',
  switchBranch: 'memcode.switchBranch',
  connectAgent: 'memcode.connectAgent',
  disconnectAgent: 'memcode.disconnectAgent',
  refresh: 'memcode.refresh',
  showLog: 'memcode.showLog',
  showAgentsSee: 'memcode.showAgentsSee',
  /** What the offer beside the active editor says; offered in the palette only then. */
  goOn: 'memcode.goOn',
  /** These three need an argument and are hidden from the palette. */
  openFileDiff: 'memcode.openFileDiff',
  openFile: 'memcode.openFile',
  copyPrompt: 'memcode.copyPrompt',
  newProject: 'memcode.newProject',
  importProjects: 'memcode.importProjects',
  openProject: 'memcode.openProject',
  renameProject: 'memcode.renameProject',
  pauseProject: 'memcode.pauseProject',
  resumeProject: 'memcode.resumeProject',
  finishProject: 'memcode.finishProject',
  removeProject: 'memcode.removeProject',
  locateProject: 'memcode.locateProject',
  setAutoCommit: 'memcode.setAutoCommit',
  attachSession: 'memcode.attachSession',
  revertCommits: 'memcode.revertCommits',
  /** These four are of a row of the Projects view, or of a notice, and hidden from the palette. */
  detachSession: 'memcode.detachSession',
  openProjectSession: 'memcode.openProjectSession',
  openTurn: 'memcode.openTurn',
  commitTurn: 'memcode.commitTurn',
  addNote: 'memcode.addNote',
  addFact: 'memcode.addFact',
  addToDocument: 'memcode.addToDocument',
  exportMemory: 'memcode.exportMemory',
  importMemory: 'memcode.importMemory',
  searchMemory: 'memcode.searchMemory',
  clearMemorySearch: 'memcode.clearMemorySearch',
  memoryHistory: 'memcode.memoryHistory',
  memoryAsOf: 'memcode.memoryAsOf',
  switchPreset: 'memcode.switchPreset',
  addPreset: 'memcode.addPreset',
  reviewMemoryWrite: 'memcode.reviewMemoryWrite',
  approveMemoryWrite: 'memcode.approveMemoryWrite',
  rejectMemoryWrite: 'memcode.rejectMemoryWrite',
  /** These are of a row of the Memory view, and hidden from the palette. */
  editMemory: 'memcode.editMemory',
  renameNote: 'memcode.renameNote',
  pinNote: 'memcode.pinNote',
  unpinNote: 'memcode.unpinNote',
  moveNote: 'memcode.moveNote',
  setNoteMode: 'memcode.setNoteMode',
  forgetMemory: 'memcode.forgetMemory',
  showMemoryTurn: 'memcode.showMemoryTurn',
  usePreset: 'memcode.usePreset',
  removePreset: 'memcode.removePreset',
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
  /** The Memory view shows what fits some words. */
  memorySearched: 'memcode.memorySearched',
} as const;

export const settingIds = {
  showStatusBar: 'memcode.statusBar.show',
  followNewestSession: 'memcode.timeline.followNewestSession',
  retentionSize: 'memcode.retention.maxSize',
  retentionAge: 'memcode.retention.maxAge',
  agentWrites: 'memcode.memory.agentWrites',
  memoryGiven: 'memcode.memory.giveToAgents',
  memoryBudget: 'memcode.memory.budget',
  memoryDocuments: 'memcode.memory.folderDocuments',
  memoryPromptNotes: 'memcode.memory.promptNotes',
  memoryDocumentNames: 'memcode.memory.documentNames',
  memoryMode: 'memcode.memory.mode',
  snapshotFileSize: 'memcode.snapshots.maxFileSize',
  snapshotExcludedFolders: 'memcode.snapshots.excludedFolders',
  snapshotCount: 'memcode.snapshots.maxCount',
} as const;

/** Of the tabs with a session's history. */
export const historyViewType = 'memcode.history';

/** Of the tabs with a project's page. */
export const projectViewType = 'memcode.project';

/** Scheme of the read-only file system that serves what is stored: sides of files of turns, and what operations replaced. */
export const turnScheme = 'memcode';

/** Scheme of the two texts that show a change to an agent's settings before it is made. */
export const settingsScheme = 'memcode-settings';

/** Texts of memory that may be edited, and what is read of its past. */
export const memoryScheme = 'memcode-memory';

/** Texts of what agents asked to remember. */
export const waitingScheme = 'memcode-waiting';

/** Tools of memory for language models, by the name that every host has for them. */
export const toolIds = {
  remember: 'memcode_remember',
  recall: 'memcode_recall',
  forget: 'memcode_forget',
} as const;

export const walkthroughId = 'memcode.start';
