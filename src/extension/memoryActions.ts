/** What people do with memory that is there, with VS Code's pickers, dialogs and editors. Loaded with its first use. */
import * as vscode from 'vscode';
import type { MemoryUse, MemoryWriter } from '../app/memoryUse.ts';
import { UserError } from '../core/errors.ts';
import type { Root } from '../core/ids.ts';
import type { MemoryWrite } from '../core/memory.ts';
import { memoryModes } from '../core/presets.ts';
import { askModally, tellQuietly } from './dialogs.ts';
import { inputLine } from './inputLine.ts';
import { MemoryAdding, openText, pickTexts, spokenScope, uriOfFile } from './memoryAdding.ts';
import { MemoryExchanging } from './memoryExchanging.ts';
import { memoryUri } from './memoryFiles.ts';
import type { MemoryNode } from './memoryNode.ts';
import { MemoryPast } from './memoryPast.ts';
import { nodeRoot } from './memoryPlaces.ts';
import { MemoryPresets } from './memoryPresets.ts';
import { originOfNode, readMemorySight } from './memorySight.ts';
import type { MemoryTexts } from './memoryTexts.ts';
import { MemoryWaiting } from './memoryWaiting.ts';
import { commandIds } from './names.ts';
import { pickUnlessOnly } from './pickEntry.ts';
import type { TimelineHub } from './timelineHub.ts';
import type { RootFolder } from './timelineModel.ts';

export interface MemoryActionsOptions {
  readonly hub: TimelineHub;
  readonly texts: MemoryTexts;
  readonly memoryFolder: string;
  /** Whose memory is meant by who names no folder. */
  readonly root: () => Root | null;
  /** Whose memory is shown. */
  readonly folders: () => readonly RootFolder[];
  /** @throws UserError `notFound` for a folder that is not of this window. */
  readonly rootNamed: (name: string) => Root | null;
  /** What the view is searched for. */
  readonly words: () => string | undefined;
  readonly search: (words: string | undefined) => Promise<void>;
  /** Memory was changed: shows it. */
  readonly changed: () => Promise<void>;
}

type Note = Extract<MemoryNode, { kind: 'note' }>;
type Fact = Extract<MemoryNode, { kind: 'fact' }>;

const person: MemoryWriter = { actor: 'person' };

export class MemoryActions {
  readonly #options: MemoryActionsOptions;
  readonly add: MemoryAdding;
  readonly exchange: MemoryExchanging;
  readonly past: MemoryPast;
  readonly presets: MemoryPresets;
  readonly waiting: MemoryWaiting;

  constructor(options: MemoryActionsOptions) {
    this.#options = options;
    this.add = new MemoryAdding(options);
    this.exchange = new MemoryExchanging(options);
    this.past = new MemoryPast(options);
    this.presets = new MemoryPresets(options);
    this.waiting = new MemoryWaiting(options);
  }

  /** Opens the text of a note, document, portrait or preset; asks for the value of a fact. */
  async edit(node: MemoryNode | undefined): Promise<void> {
    const memory = await this.#memory();
    switch (node?.kind) {
      case 'note': {
        const { scope, name } = node;
        const root = this.#rootOf(node) ?? '';
        return openText(memoryUri({ kind: 'note', root, scope, name }, name));
      }
      case 'fact': {
        const { scope, key } = node;
        const value = await this.#factOf(memory, node);
        return this.add.setFact(memory, this.#rootOf(node), { scope, key, value });
      }
      case 'document':
      case 'portrait':
        return openText(uriOfFile(node.file, this.#options));
      case 'preset':
        return this.presets.edit(node.preset);
      default:
        return undefined;
    }
  }

  async rename(note: Note): Promise<void> {
    const { scope, name } = note;
    const memory = await this.#memory();
    const wanted = await inputLine({
      title: vscode.l10n.t('Rename Note'),
      prompt: vscode.l10n.t('New name of {0}', name),
      value: name,
      empty: vscode.l10n.t('A note needs a name.'),
    });
    if (wanted === undefined || wanted === name) return;
    await memory.edit(this.#rootOf(note), name, { name: wanted }, scope);
    await this.#options.changed();
  }

  async pin(note: Note, pinned: boolean): Promise<void> {
    const memory = await this.#memory();
    const { scope, name } = note;
    await memory.edit(this.#rootOf(note), name, { pinned }, scope);
    await this.#options.changed();
  }

  /** Into the other scope. */
  async move(note: Note): Promise<void> {
    const memory = await this.#memory();
    const { scope, name } = note;
    const to = scope === 'project' ? 'global' : 'project';
    const root = to === 'global' ? this.#rootOf(note) : await this.#pickRoot(note);
    if (root === undefined) return;
    await memory.move(root, name, scope, to);
    await this.#options.changed();
    void tellQuietly(
      vscode.l10n.t('{0} is a note of {1} now.', name, spokenScope(to, root, this.#options)),
      [],
    );
  }

  async setMode(note: Note): Promise<void> {
    const memory = await this.#memory();
    const { scope, name } = note;
    const entries = [
      { label: vscode.l10n.t('In all modes'), mode: null },
      ...memoryModes.map((mode) => ({ label: vscode.l10n.t('Only in {0}', mode), mode })),
    ];
    const chosen = await vscode.window.showQuickPick(entries, {
      title: vscode.l10n.t('When {0} Is Given', name),
    });
    if (chosen === undefined) return;
    await memory.edit(this.#rootOf(note), name, { mode: chosen.mode }, scope);
    await this.#options.changed();
  }

  /** Asks first, and offers to bring it back. */
  async forget(node: Note | Fact): Promise<void> {
    const memory = await this.#memory();
    const name = node.kind === 'note' ? node.name : node.key;
    const answer = await askModally({
      message: vscode.l10n.t('Forget {0}?', name),
      detail: vscode.l10n.t('Agents are not told of it any more. It can be brought back.'),
      choices: [{ id: 'forget', label: vscode.l10n.t('Forget') }],
    });
    if (answer === undefined) return;
    const root = this.#rootOf(node);
    const { scope } = node;
    const write: MemoryWrite =
      node.kind === 'note'
        ? { act: 'forget', scope: node.scope, name: node.name }
        : { act: 'dropFact', scope: node.scope, key: node.key };
    const result = await memory.write(root, write, person);
    await this.#options.changed();
    if (result.kind === 'absent') throw alreadyGone(name);
    const [newest] =
      node.kind === 'note'
        ? await memory.history(root, name, node.scope)
        : await memory.history(root, scope);
    const undo = { id: 'undo', label: vscode.l10n.t('Undo') } as const;
    const told = tellQuietly(vscode.l10n.t('{0} is forgotten.', name), newest ? [undo] : []);
    void told.then(async (pressed) => {
      if (pressed !== 'undo' || newest === undefined) return;
      await memory.restore(newest.touch.id, 'before');
      await this.#options.changed();
    });
  }

  async search(): Promise<void> {
    await this.#memory();
    const words = await vscode.window.showInputBox({
      title: vscode.l10n.t('Search Memory'),
      prompt: vscode.l10n.t('Words in names, values and texts'),
      value: this.#options.words() ?? '',
    });
    if (words === undefined) return;
    await this.#options.search(words.trim() === '' ? undefined : words.trim());
  }

  /** @throws UserError `notFound` when nobody knows the turn. */
  async showTurn(node: MemoryNode | undefined): Promise<void> {
    const { app } = await this.#options.hub.opened();
    const origin = node && originOfNode(node, await readMemorySight(app, this.#rootOf(node)));
    if (origin?.turn === undefined)
      throw new UserError('notFound', vscode.l10n.t('No turn is known to have written that.'));
    await vscode.commands.executeCommand(commandIds.openTurn, origin.turn);
  }

  async #factOf(memory: MemoryUse, node: Fact): Promise<string> {
    const { scope, key } = node;
    const sheets = await memory.facts(this.#rootOf(node));
    const { facts = [] } = sheets.find((sheet) => sheet.scope === scope) ?? {};
    const fact = facts.find((each) => each.key === key);
    if (fact === undefined) throw alreadyGone(key);
    return fact.value;
  }

  /** @throws UserError `notFound` for a folder that is not of this window. */
  #rootOf(node: MemoryNode): Root | null {
    return nodeRoot(node, this.#options);
  }

  /** Of which project something becomes that is of none. @throws UserError `notFound` without a folder. */
  async #pickRoot(node: MemoryNode): Promise<Root | undefined> {
    if (node.root !== undefined) return this.#options.rootNamed(node.root) ?? undefined;
    const entries = this.#options
      .folders()
      .map(({ root, folder }) => ({ ...entry(folder, root), description: root }));
    if (entries.length === 0) throw noProject();
    return pickUnlessOnly(entries, pickTexts(vscode.l10n.t('Which folder?')));
  }

  async #memory(): Promise<MemoryUse> {
    const { app } = await this.#options.hub.opened();
    return app.memory();
  }
}

function entry<T>(label: string, value: T) {
  return { kind: 'item', label, description: '', detail: '', value } as const;
}

function alreadyGone(name: string): UserError {
  return new UserError('notFound', vscode.l10n.t('{0} is not there any more.', name));
}

function noProject(): UserError {
  return new UserError('notFound', vscode.l10n.t('Open a folder first.'));
}
