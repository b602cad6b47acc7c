/** Registers every command: id, what it does, what its argument is. Each runs on the edge. */
import * as vscode from 'vscode';
import type { AgentActions } from './agentActions.ts';
import { fileArgument, turnArgument, turnFileOfUri } from './commandArguments.ts';
import type { Edge } from './edge.ts';
import type { EditorOffers } from './editorOffers.ts';
import type { LookActions } from './lookActions.ts';
import { memoryHandlers } from './memoryCommands.ts';
import type { MemoryHost } from './memoryHost.ts';
import { type CommandId, commandIds } from './names.ts';
import { projectHandlers } from './projectCommands.ts';
import type { ProjectHost } from './projectHost.ts';
import type { RecoveryActions } from './recoveryActions.ts';
import type { NamedFile, RewindActions } from './rewindActions.ts';
import type { SessionActions } from './sessionActions.ts';
import type { SnapshotActions } from './snapshotActions.ts';
import type { TurnEditors } from './turnEditors.ts';

export interface CommandTargets {
  readonly look: LookActions;
  readonly rewind: RewindActions;
  readonly snapshots: SnapshotActions;
  readonly sessions: SessionActions;
  readonly projects: ProjectHost;
  readonly memory: MemoryHost;
  readonly recovery: RecoveryActions;
  readonly agents: AgentActions;
  readonly editors: TurnEditors;
  readonly edge: Edge;
  readonly offers: EditorOffers;
  readonly showLog: () => void;
  readonly showAgentsSee: () => Promise<void>;
}

type Handler = (first: unknown, second: unknown) => unknown;

export function registerCommands(targets: CommandTargets): vscode.Disposable {
  const { edge } = targets;
  return vscode.Disposable.from(
    ...Object.entries(handlers(targets)).map(([id, handler]) =>
      vscode.commands.registerCommand(id, (first: unknown, second: unknown) =>
        edge.run(id, () => handler(first, second)),
      ),
    ),
  );
}

function handlers(targets: CommandTargets): Readonly<Record<CommandId, Handler>> {
  const { look, rewind, snapshots, sessions, recovery, agents, editors } = targets;
  const named = (first: unknown, second: unknown): NamedFile | undefined =>
    fileArgument(first, second) ?? turnFileOfUri(first) ?? activeFile(editors);
  return {
    ...projectHandlers(targets.projects),
    ...memoryHandlers(targets.memory),
    [commandIds.openTimeline]: () => look.openTimeline(),
    [commandIds.selectSession]: () => look.selectSession(),
    [commandIds.previousTurn]: () => look.step(-1),
    [commandIds.nextTurn]: () => look.step(1),
    [commandIds.showTurnChanges]: (turn) => look.showTurnChanges(turnArgument(turn)),
    [commandIds.compareWithWorkingFile]: (first, second) => {
      const file = named(first, second);
      const active = editors.active;
      return file === undefined && active?.kind === 'changes'
        ? look.compareWithWorkingFiles(active.turn)
        : look.compareWithWorkingFile(file);
    },
    [commandIds.rewindToTurn]: (turn) => rewind.rewind(turnArgument(turn)),
    [commandIds.revertTurn]: (turn) => rewind.revert(turnArgument(turn)),
    [commandIds.restoreFile]: (first, second) => rewind.restore(named(first, second)),
    [commandIds.redo]: () => rewind.undo(),
    [commandIds.operations]: () => rewind.operations(),
    [commandIds.createSnapshot]: () => snapshots.create(),
    [commandIds.restoreSnapshot]: () => snapshots.restore(),
    [commandIds.compareWithSnapshot]: () => snapshots.compare(),
    [commandIds.recoverOperation]: () => recovery.recover(),
    [commandIds.readTurn]: (turn) => look.readTurn(turnArgument(turn)),
    [commandIds.viewFullHistory]: () => sessions.viewFullHistory(),
    [commandIds.importSessions]: () => sessions.importSessions(),
    [commandIds.searchSessions]: () => sessions.search(),
    [commandIds.showSessionHistory]: () => sessions.showHistory(),
    [commandIds.openSessionMirror]: () => sessions.openMirror(),
    [commandIds.pushSessionMirror]: () => sessions.pushMirror(),
    [commandIds.switchBranch]: () => sessions.switchBranch(),
    [commandIds.connectAgent]: (agent) => agents.connect(agent),
    [commandIds.disconnectAgent]: (agent) => agents.disconnect(agent),
    [commandIds.refresh]: async () => {
      await look.refresh();
      await snapshots.refresh(true);
    },
    [commandIds.showLog]: () => targets.showLog(),
    [commandIds.showAgentsSee]: () => targets.showAgentsSee(),
    [commandIds.goOn]: () => targets.offers.accept(),
    [commandIds.openFileDiff]: (first, second) => {
      const file = fileArgument(first, second);
      return file && look.openFileDiff(file.turn, file.path);
    },
    [commandIds.openFile]: (first, second) => {
      const file = fileArgument(first, second);
      return file && look.openFile(file.turn, file.path);
    },
    [commandIds.copyPrompt]: (turn) => look.copyPrompt(turnArgument(turn)),
  };
}

/** The file that the active editor shows, if it is one of a turn. */
function activeFile({ active }: TurnEditors): NamedFile | undefined {
  return active !== undefined && active.kind !== 'changes' ? active.file : undefined;
}
