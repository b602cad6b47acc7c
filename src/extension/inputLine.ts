/** Asks for one line of text. */
import * as vscode from 'vscode';
import type { Input } from './question.ts';

export const inputLine: Input = async ({ title, prompt, value, empty }) => {
  const line = await vscode.window.showInputBox({
    ...{ title, prompt, value },
    ignoreFocusOut: true,
    validateInput: (text) => (text.trim() === '' ? empty : undefined),
  });
  return line?.trim();
};
