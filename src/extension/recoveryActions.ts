/** Mending an operation that a crash cut short: offered at start, and by a command. */
import * as vscode from 'vscode';
import type { PendingOperation } from '../app/timelineApp.ts';
import { UserError } from '../core/errors.ts';
import { tellQuietly } from './dialogs.ts';
import { contextKeys } from './names.ts';
import { needTrust } from './needTrust.ts';
import { recoveryFlow } from './recoveryFlow.ts';
import type { OpenTimeline, TimelineHub } from './timelineHub.ts';

export class RecoveryActions {
  readonly #hub: TimelineHub;

  constructor(hub: TimelineHub) {
    this.#hub = hub;
  }

  /** Asks about every operation that was cut short. */
  async recover(): Promise<void> {
    needTrust();
    const { app } = await this.#hub.opened();
    const pending = this.#pending(app);
    if (pending.length === 0) {
      throw new UserError('nothingToDo', vscode.l10n.t('No rewind was cut short.'));
    }
    await recoveryFlow(pending, { app, l10n: vscode.l10n, tell: tellQuietly });
    await this.#showPending(app);
    this.#hub.reload();
  }

  /** At start: asks if there is something to mend, and is silent otherwise. */
  async offer(): Promise<void> {
    const { app } = await this.#hub.opened();
    const interrupted = await this.#showPending(app);
    if (interrupted && vscode.workspace.isTrusted) await this.recover();
  }

  #pending(app: OpenTimeline['app']): readonly PendingOperation[] {
    return this.#hub.roots().flatMap(({ root }) => app.pending(root));
  }

  /** Offers the command as long as there is something for it. */
  async #showPending(app: OpenTimeline['app']): Promise<boolean> {
    const interrupted = this.#pending(app).length > 0;
    await vscode.commands.executeCommand('setContext', contextKeys.interrupted, interrupted);
    return interrupted;
  }
}
