/**
 * Activation registers and returns; the store is opened afterwards, when VS Code is idle, or at the first need. The code
 * behind the store is loaded with it, not before: what stands behind `import()` is a file of its own in the build.
 */
import os from 'node:os';
import path from 'node:path';
import * as vscode from 'vscode';
import type { TimelineApp } from '../app/timelineApp.ts';
import { memoryFolder } from '../base/home.ts';
import { type AgentWrites, agentWriteModes } from '../core/memory.ts';
import type { MemcodeApi } from './api.ts';
import { installationOf } from './installation.ts';
import { settingIds } from './names.ts';
import { retentionLimits } from './retentionLimits.ts';
import { type SnapshotValues, snapshotSettings } from './snapshotSettings.ts';
import { TimelineHost } from './timelineHost.ts';

/** Registers everything; the exported API. */
export function activate(context: vscode.ExtensionContext): MemcodeApi {
  const started = performance.now();
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
  const { writeAgentWrites } = await import('../app/agentWrites.ts');
  // Until a person has chosen here, what was chosen on the command line stands.
  const shareAgentWrites = (isChosenNow: boolean): void => {
    const settings = vscode.workspace.getConfiguration();
    const mode = agentWritesOf(settings.get(settingIds.agentWrites));
    const chosen = settings.inspect(settingIds.agentWrites)?.globalValue;
    if (isChosenNow || chosen !== undefined) writeAgentWrites(memoryFolder(home), mode);
  };
  shareAgentWrites(false);
  const { shareMemory } = await import('./shareMemory.ts');
  subscriptions.push(await shareMemory(home));
  subscriptions.push(
    vscode.workspace.onDidChangeConfiguration((event) => {
      if (event.affectsConfiguration('memcode')) shareSettings();
      if (event.affectsConfiguration(settingIds.agentWrites)) shareAgentWrites(true);
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

/** Anything else is as if nothing had been set. */
function agentWritesOf(value: unknown): AgentWrites {
  return agentWriteModes.find((mode) => mode === value) ?? 'ask';
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
