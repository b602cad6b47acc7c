/**
 * The edge between people and code: whatever a person starts runs through here. A `UserError` becomes a notification with
 * an action, anything else is a bug: it goes to the log with its stack.
 */
import * as vscode from 'vscode';
import { isUserError, messageOf, type UserError } from '../core/errors.ts';
import { complain, tellQuietly } from './dialogs.ts';
import { commandIds } from './names.ts';
import type { Tell } from './question.ts';

interface Action {
  readonly label: string;
  readonly run: () => unknown;
}

export class Edge {
  readonly #log: vscode.LogOutputChannel;
  readonly #announce: (sentence: string) => void;

  /** @param announce tells screen readers in the timeline that an act failed. */
  constructor(log: vscode.LogOutputChannel, announce: (sentence: string) => void) {
    this.#log = log;
    this.#announce = announce;
  }

  /** The task's result; undefined when it failed, which the person then knows. Never rejects. */
  async run<T>(what: string, task: () => T | Promise<T>): Promise<T | undefined> {
    try {
      return await task();
    } catch (error) {
      if (error instanceof vscode.CancellationError) return undefined;
      this.#report(what, error, () => this.run(what, task));
      return undefined;
    }
  }

  /** As `run`, for what nobody waits for. */
  start(what: string, task: () => unknown): void {
    void this.run(what, task);
  }

  #report(what: string, error: unknown, again: () => Promise<unknown>): void {
    if (isUserError(error)) {
      this.#log.warn(`${what}: ${error.message} [${error.code}]`);
      this.#announce(error.message);
      const show = error.code === 'nothingToDo' ? tellQuietly : complain;
      this.#offer(show, error.message, userErrorAction(error, again));
      return;
    }
    this.#log.error(what, error instanceof Error ? error : new Error(messageOf(error)));
    const message = vscode.l10n.t('Memcode Timeline failed: {0}', messageOf(error));
    this.#offer(complain, message, showLog());
  }

  /** The notification may stay for ever: nobody waits for it, and its action has its own edge. */
  #offer(show: Tell, message: string, action: Action | undefined): void {
    const choices = action === undefined ? [] : [{ id: 'act', label: action.label }];
    this.start('Notification', async () => {
      if ((await show(message, choices)) === 'act') await action?.run();
    });
  }
}

function userErrorAction(error: UserError, again: () => Promise<unknown>): Action | undefined {
  switch (error.code) {
    case 'interrupted':
      return {
        label: vscode.l10n.t('Finish or Roll Back…'),
        run: () => vscode.commands.executeCommand(commandIds.recoverOperation),
      };
    case 'locked':
    case 'late':
    case 'running':
      return { label: vscode.l10n.t('Try Again'), run: again };
    case 'damaged':
    case 'fileSystem':
    case 'database':
    case 'config':
      return showLog();
    case 'usage':
    case 'notFound':
    case 'outsideRoot':
    case 'conflicts':
    case 'nothingToDo':
    case 'secret':
    case 'full':
    case 'refused':
    case 'unsupported':
      return undefined;
  }
}

function showLog(): Action {
  return {
    label: vscode.l10n.t('Show Log'),
    run: () => vscode.commands.executeCommand(commandIds.showLog),
  };
}
