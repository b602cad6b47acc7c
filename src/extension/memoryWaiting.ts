/** Agents' writes that wait: shown as a diff of what is there and what would be, approved as they stand or as edited. */
import * as vscode from 'vscode';
import { isUserError, UserError } from '../core/errors.ts';
import type { PendingWrite } from '../core/memory.ts';
import { askModally } from './dialogs.ts';
import type { MemoryActionsOptions } from './memoryActions.ts';
import { memoryTextOf, memoryUri } from './memoryFiles.ts';
import { type MemoryNode, memoryArgument } from './memoryNode.ts';
import { nodeRoot } from './memoryPlaces.ts';
import { waitingText } from './memoryRows.ts';
import { pendingIn } from './memorySights.ts';
import { pickEntry } from './pickEntry.ts';

export class MemoryWaiting {
  readonly #options: MemoryActionsOptions;

  constructor(options: MemoryActionsOptions) {
    this.#options = options;
  }

  /** @param at default: the one that is picked */
  async review(at: unknown): Promise<void> {
    const [meant] = await this.#meant(at, undefined);
    if (meant !== undefined) await showDifference(meant);
  }

  /** @param at a row, the text of one, or nothing: it is picked @param all the selected rows */
  async approve(at: unknown, all: unknown): Promise<void> {
    for (const meant of await this.#meant(at, all)) {
      await saveText(meant);
      if (!(await this.#approveOne(meant))) return;
      await this.#decided(meant.write);
    }
  }

  async reject(at: unknown, all: unknown): Promise<void> {
    for (const { write } of await this.#meant(at, all)) {
      await (await this.#memory()).reject(write.id);
      await this.#decided(write);
    }
  }

  /** False: the person does not want it after all. */
  async #approveOne(meant: Meant): Promise<boolean> {
    const { write } = meant;
    const memory = await this.#memory();
    const body = this.#options.texts.draft(write.id);
    try {
      await memory.approve(write.id, { body });
    } catch (error) {
      if (!isUserError(error, 'conflicts')) throw error;
      const answer = await askModally({
        message: vscode.l10n.t(
          '{0}, although it was changed since?',
          waitingText(write, vscode.l10n),
        ),
        detail: vscode.l10n.t(
          'The agent had not seen what is there now. It is replaced; its history keeps it.',
        ),
        choices: [
          { id: 'look', label: vscode.l10n.t('Show the Difference') },
          { id: 'anyway', label: vscode.l10n.t('Approve Anyway') },
        ],
      });
      if (answer === 'look') await showDifference(meant);
      if (answer !== 'anyway') return false;
      await memory.approve(write.id, { body, anyway: true });
    }
    return true;
  }

  async #decided({ id }: PendingWrite): Promise<void> {
    this.#options.texts.dropDraft(id);
    const { tabGroups } = vscode.window;
    const tabs = tabGroups.all.flatMap((group) => group.tabs);
    await tabGroups.close(tabs.filter(({ input }) => isOf(input, id)));
    await this.#options.changed();
  }

  async #meant(at: unknown, all: unknown): Promise<readonly Meant[]> {
    const rows: readonly unknown[] = Array.isArray(all) && all.length > 1 ? all : [at];
    const named = rows.flatMap(
      (row) => idOf(memoryArgument(row), this.#options) ?? idOfText(row) ?? [],
    );
    if (named.length > 0)
      return Promise.all(
        named.map(async (each) => ({
          root: each.root,
          write: await this.#options.texts.waiting(each),
        })),
      );
    const { app } = await this.#options.hub.opened();
    const waiting = await pendingIn(app, this.#options.folders());
    const picked = await pickEntry(
      waiting.map(({ root, write }) => ({
        kind: 'item' as const,
        label: waitingText(write, vscode.l10n),
        description: '',
        detail: write.after ?? '',
        value: { root: root ?? '', write },
      })),
      {
        title: vscode.l10n.t('Writes to Memory'),
        placeholder: vscode.l10n.t('What agents asked to remember or forget'),
        empty: vscode.l10n.t('Nothing waits for approval.'),
      },
    );
    return picked === undefined ? [] : [picked];
  }

  async #memory() {
    const { app } = await this.#options.hub.opened();
    return app.memory();
  }
}

/** A write, and whose memory it waits in: that of a window may change while one reads. */
interface Meant {
  readonly root: string;
  readonly write: PendingWrite;
}

function sidesOf({ root, write: { id, write } }: Meant): readonly [vscode.Uri, vscode.Uri] {
  const name = 'key' in write ? write.key : write.name;
  return [
    memoryUri({ kind: 'replaced', root, id }, name),
    memoryUri({ kind: 'waiting', root, id }, name),
  ];
}

async function showDifference(meant: Meant): Promise<void> {
  const name = waitingText(meant.write, vscode.l10n);
  const title = vscode.l10n.t('{0} (waits for approval)', name);
  const [before, after] = sidesOf(meant);
  await vscode.commands.executeCommand('vscode.diff', before, after, title);
}

/** What a person made of it and has not saved counts as well. */
async function saveText(meant: Meant): Promise<void> {
  const [, after] = sidesOf(meant);
  const document = vscode.workspace.textDocuments.find(
    ({ uri }) => uri.toString() === after.toString(),
  );
  if (document?.isDirty === true && !(await document.save()))
    throw new UserError('fileSystem', vscode.l10n.t('What you made of it could not be saved.'));
}

/** Where it waits, and its id. */
interface Waiting {
  readonly root: string;
  readonly id: string;
}

function idOf(node: MemoryNode | undefined, options: MemoryActionsOptions): Waiting | undefined {
  if (node?.kind !== 'waiting') return undefined;
  return { root: nodeRoot(node, options) ?? '', id: node.waiting };
}

function idOfText(value: unknown): Waiting | undefined {
  const text = memoryTextOf(value);
  return text?.kind === 'waiting' || text?.kind === 'replaced' ? text : undefined;
}

function isOf(input: unknown, id: string): boolean {
  const uri = input instanceof vscode.TabInputTextDiff ? input.modified : undefined;
  return idOfText(uri)?.id === id;
}
