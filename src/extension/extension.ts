/**
 * Entry point. Activation registers and returns; the store is opened afterwards, when VS Code is idle, or at the first
 * need. The code behind the store is loaded with it, not before.
 */
import { isBuiltin } from 'node:module';
import os from 'node:os';
import path from 'node:path';
import * as vscode from 'vscode';
import type { TimelineApp } from '../app/timelineApp.ts';
import type { MemcodeApi } from './api.ts';
import { installationOf } from './installation.ts';
import { contextKeys } from './names.ts';
import type { StartState } from './startState.ts';
import { TimelineHost } from './timelineHost.ts';

/** The exported API; undefined where VS Code is too old to run us. */
export function activate(context: vscode.ExtensionContext): MemcodeApi | undefined {
  const started = performance.now();
  if (!isBuiltin('node:sqlite')) {
    const message = vscode.l10n.t(
      'Memcode Timeline needs VS Code 1.105 or newer: this one has no SQLite.',
    );
    const state: StartState = 'unsupported';
    void vscode.commands.executeCommand('setContext', contextKeys.state, state);
    void vscode.window.showErrorMessage(message);
    return undefined;
  }
  const log = vscode.window.createOutputChannel(vscode.l10n.t('Memcode Timeline'), { log: true });
  const timelineHome =
    process.env['MEMCODE_TIMELINE_HOME'] ?? path.join(os.homedir(), '.memcode', 'timeline');
  const host = new TimelineHost({
    context,
    log,
    openApp: () => openApp(timelineHome, log),
    installation: installationOf(context.extensionPath, timelineHome, log),
  });
  context.subscriptions.push(log, host);
  const idle = setImmediate(() => void host.start());
  context.subscriptions.push({ dispose: () => clearImmediate(idle) });
  log.debug(`Activated in ${Math.round(performance.now() - started)} ms.`);
  return host.api;
}

async function openApp(home: string, log: vscode.LogOutputChannel): Promise<TimelineApp> {
  const { openTimelineApp } = await import('../app/openTimelineApp.ts');
  return openTimelineApp({
    home,
    now: Date.now,
    environment: process.env,
    log: (level, text) => log[level](text),
  });
}
