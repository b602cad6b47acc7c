/** New notes, facts and lines of documents: asked for in VS Code, in the folder that is meant. */
import path from 'node:path';
import * as vscode from 'vscode';
import type { MemoryUse, MemoryWriter } from '../app/memoryUse.ts';
import type { Root } from '../core/ids.ts';
import type { FactScope, MemoryScope, MemoryWrite, WriteResult } from '../core/memory.ts';
import { askModally, tellQuietly } from './dialogs.ts';
import { inputLine } from './inputLine.ts';
import type { MemoryActionsOptions } from './memoryActions.ts';
import { memoryUri } from './memoryFiles.ts';
import type { MemoryNode } from './memoryNode.ts';
import { documentPlaces, factPlaces, notePlaces } from './memoryPlaces.ts';
import { scopeText } from './memoryRows.ts';
import { pickEntry, pickUnlessOnly } from './pickEntry.ts';

const person: MemoryWriter = { actor: 'person' };

/** A message that opens the file it tells of. */
export function tellOfFile(text: string, file: string, options: MemoryActionsOptions): void {
  const look = { id: 'open', label: vscode.l10n.t('Open') } as const;
  void tellQuietly(text, [look]).then((pressed) =>
    pressed === 'open' ? openText(uriOfFile(file, options)) : undefined,
  );
}

export class MemoryAdding {
  readonly #options: MemoryActionsOptions;

  constructor(options: MemoryActionsOptions) {
    this.#options = options;
  }

  /** @param node the group it is added to */
  async note(node: MemoryNode | undefined): Promise<void> {
    const memory = await this.#memory();
    const place = await pickUnlessOnly(
      notePlaces(node, this.#options, vscode.l10n),
      pickTexts(vscode.l10n.t('Add Note')),
    );
    if (place === undefined) return;
    const { scope, root } = place;
    const body = await inputLine({
      title: vscode.l10n.t('Text of the Note'),
      prompt: vscode.l10n.t(
        'What every later session of {0} should know',
        spokenScope(scope, root, this.#options),
      ),
      value: '',
      empty: vscode.l10n.t('A note says something.'),
    });
    if (body === undefined) return;
    const name = await vscode.window.showInputBox({
      title: vscode.l10n.t('Name of the Note'),
      prompt: vscode.l10n.t('Without one it is called by its first line'),
      ignoreFocusOut: true,
    });
    if (name === undefined) return;
    await this.#remember(memory, root, { act: 'remember', scope, name, body });
  }

  async fact(node: MemoryNode | undefined): Promise<void> {
    const memory = await this.#memory();
    const place = await pickUnlessOnly(
      factPlaces(node, this.#options, vscode.l10n),
      pickTexts(vscode.l10n.t('Add Fact')),
    );
    if (place === undefined) return;
    const key = await vscode.window.showInputBox({
      title: vscode.l10n.t('Name of the Fact'),
      prompt: vscode.l10n.t('Such as test_command'),
      ignoreFocusOut: true,
      validateInput: (text) =>
        /^[a-z0-9_]+$/.test(text)
          ? undefined
          : vscode.l10n.t('Small letters, digits and underscores.'),
    });
    if (key === undefined) return;
    await this.setFact(memory, place.root, { scope: place.scope, key, value: '' });
  }

  /** Adds a line to a document; never to the shared one unless that is chosen. @param node of its folder */
  async toDocument(node: MemoryNode | undefined): Promise<void> {
    const { app } = await this.#options.hub.opened();
    const place = await pickEntry(
      documentPlaces(node, this.#options, vscode.l10n),
      pickTexts(vscode.l10n.t('Add Note to Document')),
    );
    if (place === undefined) return;
    const note = await inputLine({
      title: vscode.l10n.t('Text of the Note'),
      prompt: vscode.l10n.t('One line, added below “Notes”'),
      value: '',
      empty: vscode.l10n.t('A note says something.'),
    });
    if (note === undefined) return;
    const context = await app.memoryContext();
    const { file, label } = await context.addNote(place.root, place.scope, note);
    await this.#options.changed();
    tellOfFile(vscode.l10n.t('Added to {0}.', label), file, this.#options);
  }

  async #remember(
    memory: MemoryUse,
    root: Root | null,
    write: Extract<MemoryWrite, { act: 'remember' }>,
  ): Promise<void> {
    const result = await memory.write(root, write, person);
    if (result.kind !== 'duplicate') return this.#stored(result);
    const { of } = result;
    const answer = await askModally({
      message: vscode.l10n.t('The note {0} says nearly the same.', of.name),
      detail: of.hook,
      choices: [
        { id: 'open', label: vscode.l10n.t('Open It') },
        { id: 'both', label: vscode.l10n.t('Keep Both') },
      ],
    });
    if (answer === 'open') {
      const { scope, name } = of;
      await openText(memoryUri({ kind: 'note', root: root ?? '', scope, name }, name));
    }
    if (answer === 'both')
      await this.#stored(await memory.write(root, write, { ...person, insists: true }));
  }

  async #stored(result: WriteResult): Promise<void> {
    await this.#options.changed();
    if (result.kind === 'unchanged')
      void tellQuietly(vscode.l10n.t('That is remembered just so already.'), []);
  }

  /** Asks for the value. */
  async setFact(
    memory: MemoryUse,
    root: Root | null,
    {
      scope,
      key,
      value,
    }: { readonly scope: FactScope; readonly key: string; readonly value: string },
  ): Promise<void> {
    const wanted = await inputLine({
      title: vscode.l10n.t('Value of {0}', key),
      prompt: vscode.l10n.t('One line'),
      value,
      empty: vscode.l10n.t('A fact says something.'),
    });
    if (wanted === undefined || wanted === value) return;
    const write = { act: 'setFact', scope, key, value: wanted } as const;
    await this.#stored(await memory.write(root, write, person));
  }

  async #memory(): Promise<MemoryUse> {
    const { app } = await this.#options.hub.opened();
    return app.memory();
  }
}

/** Those in the memory folder are changed through the app; those of folders are files like any other. */
export function uriOfFile(file: string, { memoryFolder }: MemoryActionsOptions): vscode.Uri {
  const relative = path.relative(memoryFolder, file);
  const isOurs = !relative.startsWith('..') && !path.isAbsolute(relative);
  return isOurs
    ? memoryUri({ kind: 'file', file }, path.basename(file, '.md'))
    : vscode.Uri.file(file);
}

/** Where a window has several folders they are called by name. */
export function spokenScope(
  scope: MemoryScope,
  root: Root | null,
  options: MemoryActionsOptions,
): string {
  const folders = options.folders();
  const folder = folders.find((each) => each.root === root)?.folder;
  return scope === 'project' && folder !== undefined && folders.length > 1
    ? folder
    : scopeText(scope, vscode.l10n);
}

export async function openText(uri: vscode.Uri): Promise<void> {
  await vscode.window.showTextDocument(await vscode.workspace.openTextDocument(uri));
}

export function pickTexts(title: string) {
  return { title, placeholder: '', empty: title };
}
