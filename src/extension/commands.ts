/** Registers every command: id, what it does, what its argument is. Each runs on the edge. */
import * as vscode from 'vscode';
import type { AgentActions } from './agentActions.ts';
import { fileArgument, turnArgument } from './commandArguments.ts';
import type { Edge } from './edge.ts';
import type { LookActions } from './lookActions.ts';
import { type CommandId, commandIds } from './names.ts';
import type { RewindActions } from './rewindActions.ts';

export interface CommandTargets {
  readonly look: LookActions;
  readonly rewind: RewindActions;
  readonly agents: AgentActions;
  readonly edge: Edge;
  readonly showLog: () => void;
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
  const { look, rewind, agents } = targets;
  return {
    [commandIds.openTimeline]: () => look.openTimeline(),
    [commandIds.selectSession]: () => look.selectSession(),
    [commandIds.previousTurn]: () => look.step(-1),
    [commandIds.nextTurn]: () => look.step(1),
    [commandIds.showTurnChanges]: (turn) => look.showTurnChanges(turnArgument(turn)),
    [commandIds.rewindToTurn]: (turn) => rewind.rewind(turnArgument(turn)),
    [commandIds.redo]: () => rewind.redo(),
    [commandIds.recoverOperation]: () => rewind.recover(),
    [commandIds.viewFullHistory]: () => look.viewFullHistory(),
    [commandIds.connectAgent]: (agent) => agents.connect(agent),
    [commandIds.disconnectAgent]: (agent) => agents.disconnect(agent),
    [commandIds.refresh]: () => look.refresh(),
    [commandIds.showLog]: () => targets.showLog(),
    [commandIds.openFileDiff]: (first, second) => {
      const file = fileArgument(first, second);
      return file && look.openFileDiff(file.turn, file.path);
    },
    [commandIds.openFile]: (first, second) => {
      const file = fileArgument(first, second);
      return file && look.openFile(file.turn, file.path);
    },
    [commandIds.copyPrompt]: (first) => {
      const turn = turnArgument(first);
      return turn && look.copyPrompt(turn);
    },
  };
}
