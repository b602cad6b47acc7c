/** Memory of a project into its AGENTS.md and back, with what is asked where somebody changed it since. */
import * as vscode from 'vscode';
import { exportMemory, importMemory, type MemoryExchange } from '../app/memoryExchange.ts';
import { UserError } from '../core/errors.ts';
import { askModally, tellQuietly } from './dialogs.ts';
import type { MemoryActionsOptions } from './memoryActions.ts';
import { pickTexts, tellOfFile } from './memoryAdding.ts';
import type { MemoryNode } from './memoryNode.ts';
import { projectPlaces } from './memoryPlaces.ts';
import { pickUnlessOnly } from './pickEntry.ts';

export class MemoryExchanging {
  readonly #options: MemoryActionsOptions;

  constructor(options: MemoryActionsOptions) {
    this.#options = options;
  }

  /** @param node of the folder that is meant */
  async export(node: MemoryNode | undefined): Promise<void> {
    const exchange = await this.#exchange(node, vscode.l10n.t('Export Memory to AGENTS.md'));
    if (exchange === undefined) return;
    const exported = await exportMemory(exchange).catch(async (error: unknown) => {
      if (!(error instanceof UserError) || error.code !== 'conflicts') throw error;
      return this.#askOver(error.message, exchange);
    });
    if (exported === undefined) return;
    const { file, label, facts, notes, isChanged } = exported;
    const text = isChanged
      ? vscode.l10n.t('{0} has facts: {1}, notes: {2} of memory now.', label, facts, notes)
      : vscode.l10n.t('{0} has just that already.', label);
    tellOfFile(text, file, this.#options);
  }

  /** @param node of the folder that is meant */
  async import(node: MemoryNode | undefined): Promise<void> {
    const exchange = await this.#exchange(node, vscode.l10n.t('Import Memory From AGENTS.md'));
    if (exchange !== undefined) await this.#import(exchange);
  }

  async #import(exchange: MemoryExchange): Promise<void> {
    const { label, stored, same, kept } = await importMemory(exchange);
    await this.#options.changed();
    const text = vscode.l10n.t(
      'From {0}: {1} stored, {2} were there already.',
      label,
      stored.length,
      same.length,
    );
    if (kept.length === 0) return void tellQuietly(text, []);
    const answer = await askModally({
      message: vscode.l10n.t('{0} says something else of {1}.', label, kept.join(', ')),
      detail: `${text}\n${vscode.l10n.t('What memory says of these was kept. Its history has what is replaced.')}`,
      choices: [{ id: 'take', label: vscode.l10n.t('Take What {0} Says', label) }],
    });
    if (answer === 'take') await this.#import({ ...exchange, anyway: true });
  }

  async #askOver(message: string, exchange: MemoryExchange) {
    const answer = await askModally({
      message,
      detail: vscode.l10n.t('What they wrote there is lost when the block is written anew.'),
      choices: [
        { id: 'import', label: vscode.l10n.t('Import First') },
        { id: 'over', label: vscode.l10n.t('Write Over It') },
      ],
    });
    if (answer === 'import') await this.#import(exchange);
    return answer === 'over' ? exportMemory({ ...exchange, anyway: true }) : undefined;
  }

  async #exchange(
    node: MemoryNode | undefined,
    title: string,
  ): Promise<MemoryExchange | undefined> {
    const places = projectPlaces(node, this.#options);
    if (places.length === 0)
      throw new UserError('notFound', vscode.l10n.t('There is no folder in this window.'), {});
    const root = await pickUnlessOnly(places, pickTexts(title));
    if (root === undefined) return undefined;
    const { app } = await this.#options.hub.opened();
    return {
      memory: await app.memory(),
      context: await app.memoryContext(),
      folder: root,
      root,
      scope: 'project',
      document: 'project',
      anyway: false,
    };
  }
}
