/** The flows of going back over real files and real editors, with answers from a script. */
import * as vscode from 'vscode';
import type { TimelineApp } from '../../src/app/timelineApp.ts';
import { asTurnId, type Root } from '../../src/core/ids.ts';
import type { FlowContext, FlowOutcome } from '../../src/extension/flowContext.ts';
import { OpenEditors } from '../../src/extension/openEditors.ts';
import type { Ask, Pick } from '../../src/extension/question.ts';
import { secondApp, workspaceFolder } from './hostFixture.ts';
import type { HostTestContext } from './hostTest.ts';

export interface FlowScript {
  readonly app: TimelineApp;
  readonly root: Root;
  readonly asked: readonly { message: string; detail: string; labels: string[] }[];
  /** A flow with the scripted answers. */
  run(
    flow: (context: FlowContext) => Promise<FlowOutcome | undefined>,
  ): Promise<FlowOutcome | undefined>;
  target(turn: string): { turn: ReturnType<TimelineApp['turn']>; root: Root };
}

/** @param answers ids of choices in dialogs, and labels in quick picks, in order; none cancels. */
export function flowScript(t: HostTestContext, ...answers: string[]): FlowScript {
  const app = secondApp(t);
  const root = app.rootOf(workspaceFolder().fsPath);
  const asked: { message: string; detail: string; labels: string[] }[] = [];
  const ask: Ask = async ({ message, detail, choices }) => {
    asked.push({ message, detail, labels: choices.map((choice) => choice.label) });
    const answer = answers.shift();
    return choices.find((choice) => choice.id === answer)?.id;
  };
  const pick: Pick = async (entries) => {
    const answer = answers.shift();
    const entry = entries.find((one) => one.kind === 'item' && one.label === answer);
    return entry?.kind === 'item' ? entry.value : undefined;
  };
  const context: FlowContext = {
    app,
    l10n: vscode.l10n,
    ask,
    pick,
    editors: new OpenEditors(),
    busy: (_sentence, task) => task(),
    showPreview: async () => undefined,
    compare: async () => undefined,
  };
  return {
    app,
    root,
    asked,
    run: (flow) => flow(context),
    target: (turn) => ({ turn: app.turn(asTurnId(turn)), root }),
  };
}

/** Types at the beginning of a file, in an editor that is closed without saving after the test. */
export async function typeInto(
  t: HostTestContext,
  file: vscode.Uri,
  text: string,
): Promise<vscode.TextDocument> {
  const document = await vscode.workspace.openTextDocument(file);
  const editor = await vscode.window.showTextDocument(document);
  await editor.edit((edit) => edit.insert(new vscode.Position(0, 0), text));
  t.after(async () => {
    await vscode.window.showTextDocument(document);
    await vscode.commands.executeCommand('workbench.action.revertAndCloseActiveEditor');
  });
  return document;
}
