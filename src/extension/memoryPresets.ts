/** Presets in VS Code: which one is active, and their texts. */
import * as vscode from 'vscode';
import type { MemoryContextUse } from '../app/memoryContextUse.ts';
import { noPreset } from '../core/presets.ts';
import { askModally, tellQuietly } from './dialogs.ts';
import { inputLine } from './inputLine.ts';
import type { MemoryActionsOptions } from './memoryActions.ts';
import { memoryUri } from './memoryFiles.ts';
import { pickEntry } from './pickEntry.ts';
import { presetEntries } from './presetEntries.ts';

export class MemoryPresets {
  readonly #options: Pick<MemoryActionsOptions, 'hub' | 'changed'>;

  constructor(options: Pick<MemoryActionsOptions, 'hub' | 'changed'>) {
    this.#options = options;
  }

  async switch(): Promise<void> {
    const context = await this.#context();
    const { set, mode } = context.presets();
    const picked = await pickEntry(presetEntries(set, vscode.l10n), {
      title: vscode.l10n.t('Switch Preset'),
      placeholder: vscode.l10n.t('What agents are told of your preferences, in mode {0}', mode),
      empty: vscode.l10n.t('There are no presets.'),
    });
    switch (picked?.act) {
      case 'use':
        return this.use(picked.preset);
      case 'edit':
        return this.edit(picked.preset);
      case 'add':
        return this.add();
      default:
        return undefined;
    }
  }

  async use(preset: string): Promise<void> {
    const context = await this.#context();
    const { set } = await context.editPresets({ act: 'use', preset });
    await this.#options.changed();
    const name = set.items.find(({ id }) => id === set.active)?.name ?? noPreset.name;
    const sentence =
      set.active === noPreset.id
        ? vscode.l10n.t('No preset is active.')
        : vscode.l10n.t(
            'The preset {0} is active. Agents hear of it with their next prompt.',
            name,
          );
    void tellQuietly(sentence, []);
  }

  async edit(preset: string): Promise<void> {
    const context = await this.#context();
    const { set, mode } = context.presets();
    const name = set.items.find(({ id }) => id === preset)?.name ?? preset;
    const uri = memoryUri({ kind: 'preset', mode, preset }, name);
    await vscode.window.showTextDocument(await vscode.workspace.openTextDocument(uri));
  }

  /** Its text is written in the editor that opens. */
  async add(): Promise<void> {
    const context = await this.#context();
    const name = await inputLine({
      title: vscode.l10n.t('New Preset'),
      prompt: vscode.l10n.t('Name of the preset'),
      value: '',
      empty: vscode.l10n.t('A preset needs a name.'),
    });
    if (name === undefined) return;
    const known = new Set(context.presets().set.items.map(({ id }) => id));
    const { set } = await context.editPresets({ act: 'add', name, content: '' });
    await this.#options.changed();
    const added = set.items.find(({ id }) => !known.has(id));
    if (added !== undefined) await this.edit(added.id);
  }

  async remove(preset: string): Promise<void> {
    const context = await this.#context();
    const name = context.presets().set.items.find(({ id }) => id === preset)?.name ?? preset;
    const answer = await askModally({
      message: vscode.l10n.t('Remove the preset {0}?', name),
      detail: '',
      choices: [{ id: 'remove', label: vscode.l10n.t('Remove') }],
    });
    if (answer === undefined) return;
    await context.editPresets({ act: 'remove', preset });
    await this.#options.changed();
  }

  async #context(): Promise<MemoryContextUse> {
    const { app } = await this.#options.hub.opened();
    return app.memoryContext();
  }
}
