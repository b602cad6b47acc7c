/**
 * Entry point. CommonJS and small, so that a VS Code too old for us, which may not know ES modules in extensions, gets
 * far enough to say so.
 */
import { isBuiltin } from 'node:module';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import * as vscode from 'vscode';
import type { MemcodeApi } from './api.ts';
import { contextKeys } from './names.ts';
import { runtimeProblem } from './runtimeProblem.ts';
import type { StartState } from './startState.ts';

/** The exported API; undefined where VS Code is too old to run us. */
export async function activate(context: vscode.ExtensionContext): Promise<MemcodeApi | undefined> {
  const problem = runtimeProblem(isBuiltin, vscode.version, vscode.l10n);
  if (problem !== null) {
    const state: StartState = 'unsupported';
    void vscode.commands.executeCommand('setContext', contextKeys.state, state);
    void vscode.window.showErrorMessage(problem);
    return undefined;
  }
  const file = path.join(context.extensionPath, 'dist', 'extension', 'activate.mjs');
  const main: typeof import('./activate.ts') = await import(pathToFileURL(file).href);
  return main.activate(context);
}
