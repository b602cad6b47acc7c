/** Questions and notices in VS Code's own dialogs and notifications. */
import * as vscode from 'vscode';
import type { Ask, Choice, Tell } from './question.ts';
import { plainMessage } from './shortText.ts';

export const askModally: Ask = async ({ message, detail, choices }) => {
  const label = await vscode.window.showWarningMessage(
    message,
    { modal: true, detail },
    ...choices.map((choice) => choice.label),
  );
  return choices.find((choice) => choice.label === label)?.id;
};

export const tellQuietly: Tell = (message, choices) =>
  told(choices, (labels) => vscode.window.showInformationMessage(plainMessage(message), ...labels));

export const warn: Tell = (message, choices) =>
  told(choices, (labels) => vscode.window.showWarningMessage(plainMessage(message), ...labels));

export const complain: Tell = (message, choices) =>
  told(choices, (labels) => vscode.window.showErrorMessage(plainMessage(message), ...labels));

async function told<Id extends string>(
  choices: readonly Choice<Id>[],
  show: (labels: readonly string[]) => Thenable<string | undefined>,
): Promise<Id | undefined> {
  const label = await show(choices.map((choice) => choice.label));
  return choices.find((choice) => choice.label === label)?.id;
}
