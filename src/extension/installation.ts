/** Where this extension is installed, as agents' hooks need to know it, and the launcher that leads them here. */
import path from 'node:path';
import * as vscode from 'vscode';
import { findNode } from '../app/findNode.ts';
import { launcherFile, writeLauncher } from '../app/launcher.ts';
import { logFile } from '../base/home.ts';
import { UserError } from '../core/errors.ts';

export interface Installation {
  /** Our home store; absolute. */
  readonly timelineHome: string;
  /** What hooks call; absolute. */
  readonly launcher: string;
  /** Makes the launcher start this version of us. @throws UserError `fileSystem`. */
  writeLauncher(): Promise<void>;
}

export function installationOf(
  extensionPath: string,
  timelineHome: string,
  log: vscode.LogOutputChannel,
): Installation {
  const { platform } = process;
  const bundle = (name: string): string => path.join(extensionPath, 'dist', name);
  const launcher = launcherFile(timelineHome, platform);
  return {
    timelineHome,
    launcher,
    async writeLauncher() {
      const node = await findNode(process.env['PATH'], { platform });
      try {
        const { file, hookRuntime } = writeLauncher({
          home: timelineHome,
          hookBundle: bundle('hook.cjs'),
          cliBundle: bundle('cli.cjs'),
          node,
          electron: process.execPath,
          platform,
        });
        log.info(`Hooks start ${file}, which runs on ${hookRuntime ?? 'nothing'}.`);
        log.info(`What goes wrong in a hook stands in ${logFile(timelineHome)}.`);
      } catch (error) {
        throw new UserError(
          'fileSystem',
          vscode.l10n.t(
            'The launcher {0} could not be written, so turns of agents are not recorded.',
            launcher,
          ),
          { file: launcher },
          error,
        );
      }
    },
  };
}
