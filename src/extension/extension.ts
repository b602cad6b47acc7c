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
import { contextKeys, settingIds } from './names.ts';
import { retentionLimits } from './retentionLimits.ts';
import { runtimeProblem } from './runtimeProblem.ts';
import { type SnapshotValues, snapshotSettings } from './snapshotSettings.ts';
import type { StartState } from './startState.ts';
import { TimelineHost } from './timelineHost.ts';

/** The exported API; undefined where VS Code is too old to run us. */
export function activate(context: vscode.ExtensionContext): MemcodeApi | undefined {
  const started = performance.now();
  const problem = runtimeProblem(isBuiltin, vscode.version, vscode.l10n);
  if (problem !== null) {
    const state: StartState = 'unsupported';
    void vscode.commands.executeCommand('setContext', contextKeys.state, state);
    void vscode.window.showErrorMessage(problem);
    return undefined;
  }
  const log = vscode.window.createOutputChannel(vscode.l10n.t('Memcode Timeline'), { log: true });
  const timelineHome =
    process.env['MEMCODE_TIMELINE_HOME'] ?? path.join(os.homedir(), '.memcode', 'timeline');
  const host = new TimelineHost({
    context,
    log,
    openApp: () => openApp(timelineHome, context, log),
    installation: installationOf(context.extensionPath, timelineHome, log),
  });
  context.subscriptions.push(log, host);
  const idle = setImmediate(() => void host.start());
  context.subscriptions.push({ dispose: () => clearImmediate(idle) });
  log.debug(`Activated in ${Math.round(performance.now() - started)} ms.`);
  return host.api;
}

async function openApp(
  home: string,
  { extension, subscriptions }: vscode.ExtensionContext,
  log: vscode.LogOutputChannel,
): Promise<TimelineApp> {
  const { openTimelineApp } = await import('../app/openTimelineApp.ts');
  const { helperProgram } = await import('../app/helper/startHelper.ts');
  const { writeSnapshotSettings } = await import('../app/snapshotsSettings.ts');
  const { version }: { version: string } = extension.packageJSON;
  const shareSettings = (): void => writeSnapshotSettings(home, snapshotSettings(snapshotValues()));
  shareSettings();
  subscriptions.push(
    vscode.workspace.onDidChangeConfiguration((event) => {
      if (event.affectsConfiguration('memcode')) shareSettings();
    }),
  );
  return openTimelineApp({
    home,
    now: Date.now,
    environment: process.env,
    helper: { version, program: helperProgram(path.join(extension.extensionPath, 'dist')) },
    log: (level, text) => log[level](text),
    mayCommit: () => vscode.workspace.isTrusted,
    retention() {
      const settings = vscode.workspace.getConfiguration();
      return retentionLimits(
        settings.get(settingIds.retentionSize),
        settings.get(settingIds.retentionAge),
      );
    },
  });
}

function snapshotValues(): SnapshotValues {
  const settings = vscode.workspace.getConfiguration();
  return {
    maxFileSize: settings.get(settingIds.snapshotFileSize),
    excludedFolders: settings.get(settingIds.snapshotExcludedFolders),
    count: settings.get(settingIds.snapshotCount),
    age: settings.get(settingIds.retentionAge),
    maxSize: settings.get(settingIds.retentionSize),
  };
}
